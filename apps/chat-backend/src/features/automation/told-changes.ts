import type { Transaction } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import { cut } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import type { ToldChange } from '../lifecycle/public';
import { MOST_TOLD, TOLD_ATTEMPTS } from './told-members.sql';

/** What it is called where it is told. */
const ABOUT = { assign: 'assigned', move: 'moved', escalate_request: 'help' } as const;

/**
 * Queues that members were given a chat by somebody, that it has come to their team, or that they are asked for help with it, for when they look
 * at no page. Under the key of the chat and what has happened to it the last of it is told.
 */
export const changesTold =
  (queue: Pick<JobQueue<ChatJobs>, 'enqueue'>) =>
  async (tx: Transaction, { storeId, historyId, notice, users, list }: ToldChange): Promise<void> => {
    const { type, isi, team: asked } = notice;
    if (type === 'escalate_finish') return;
    const { chatId, nohp, instance, team, nama, last_pesan: last } = list;
    const text = (type === 'escalate_request' ? isi : last) ?? '';
    const told = { id: `told:${type}:${historyId}`, kind: 'members_told', about: ABOUT[type] } as const;
    const chat = { chatId, nohp, instance, team, title: cut(nama ?? nohp, 200), text: cut(text, 400) };
    const event = { ...told, ...chat, users: users.slice(0, MOST_TOLD), ...(asked !== null && { asked }) };
    const options = { key: `told.${chatId}.${type}`, maxAttempts: TOLD_ATTEMPTS };
    await queue.enqueue(tx, 'commerce.event', { storeId, event }, options);
  };
