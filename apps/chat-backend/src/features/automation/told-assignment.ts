import type { Transaction } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import { cut } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import type { AssignedChat } from '../lifecycle/public';
import { TOLD_ATTEMPTS } from './told-members.sql';

/** Queues that a member was given a chat by somebody, for when they look at no page. Under the key of the chat the last who was given it is told. */
export const assignmentTold =
  (queue: Pick<JobQueue<ChatJobs>, 'enqueue'>) =>
  async (tx: Transaction, { storeId, historyId, user, list }: AssignedChat): Promise<void> => {
    const { chatId, nohp, instance, team, nama, last_pesan: text } = list;
    const told = { id: `told:assign:${historyId}`, kind: 'members_told', about: 'assigned', users: [user] } as const;
    const chat = { chatId, nohp, instance, team, title: cut(nama ?? nohp, 200), text: cut(text ?? '', 400) };
    const options = { key: `told.${chatId}.assign`, maxAttempts: TOLD_ATTEMPTS };
    await queue.enqueue(tx, 'commerce.event', { storeId, event: { ...told, ...chat } }, options);
  };
