import type { Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import { topicOf } from '../../../clients/push.services';
import type { Queue } from '../../../jobs';
import { noticeTexts } from '../notice.events';
import { queuePushes } from './push.queue';

/** A customer has written, or something was done with the chat, and these members are to know: chat-backend says who they are, by its teams. */
export interface ToldChat {
  readonly storeId: string;
  /** The same when it is told again. */
  readonly id: string;
  readonly at: Date;
  readonly chatId: string;
  /** Whose members are told; undefined: those who are named, whatever their team. */
  readonly team: string | undefined;
  /** The customer's name, or number. */
  readonly title: string;
  readonly text: string;
  /** What was done with it; undefined: its customer has written. */
  readonly about: string | undefined;
  readonly userIds: readonly string[];
  /** Where the inbox shows it. */
  readonly url: string;
}

const DONE = new Map([
  ['assigned', { id: 'Chat ini diserahkan kepada Anda', en: 'This chat was given to you' }],
  ['moved', { id: 'Chat ini dipindahkan ke tim Anda', en: 'This chat was moved to your team' }],
  ['help', { id: 'Rekan meminta bantuan Anda di chat ini', en: 'A colleague asks for your help with this chat' }],
]);
const KEEP = `INSERT INTO push_event (store_id, id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;
export const HAS_BROWSERS = `SELECT 1 FROM push_subscription b WHERE b.store_id = $1 AND b.user_id = ANY ($2::uuid[]) LIMIT 1`;
/** Calls that tell browsers of one chat take turns: its events name other members, and each browser has one job of it. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('told ' || $1, 0))`;
const LOCALE = `SELECT coalesce((SELECT g.value ->> 'locale' FROM setting g WHERE g.store_id = $1 AND g.name = 'general'), 'id') AS locale`;

/** The order in which a transaction that tells of several chats tells of them, so that no two wait in a circle. */
export const byChat = (one: { readonly chatId?: string }, other: { readonly chatId?: string }): number => {
  const [a = '', b = ''] = [one.chatId, other.chatId];
  return a === b ? 0 : a < b ? -1 : 1;
};

/** Tells members in their browsers of a chat, once for its id. Resolves to whether that was news to anybody. */
export const tellChat = async (queue: Queue, tx: Sql, told: ToldChat): Promise<boolean> => {
  const { storeId, id, at, chatId, team, title, text, about = '', url } = told;
  const userIds = told.userIds.filter(isUuid);
  // Of stores in which nobody is told nothing is kept
  if (userIds.length === 0 || (await tx.prepared('browsers to tell', HAS_BROWSERS, [storeId, userIds])).length === 0)
    return false;
  const tag = topicOf(storeId, chatId);
  await tx.prepared('told turn', TURN, [tag]);
  if ((await tx.prepared('push event', KEEP, [storeId, id, at])).length === 0) return false;
  const [{ locale } = { locale: 'id' as const }] = await tx.prepared<{ locale: 'id' | 'en' }>(
    'locale of store',
    LOCALE,
    [storeId],
  );
  const event = 'chat.message';
  const done = DONE.get(about)?.[locale];
  const discreet = done ?? noticeTexts[event][locale][1]({});
  const body = done ? [done, text].filter(Boolean).join(': ') : text;
  const news = { storeId, event, team, title, body, discreet, url, userIds, tag } as const;
  return (await queuePushes(queue, tx, news)) > 0;
};
