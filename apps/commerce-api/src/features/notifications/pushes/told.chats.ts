import type { Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import { topicOf } from '../../../clients/push.services';
import type { Queue } from '../../../jobs';
import { noticeTexts } from '../notice.events';
import { queuePushes } from './push.queue';

/** A customer has written, and these members are to know: chat-backend says who they are, by its teams. */
export interface ToldChat {
  readonly storeId: string;
  /** The same when it is told again. */
  readonly id: string;
  readonly at: Date;
  readonly chatId: string;
  readonly team: string;
  /** The customer's name, or number. */
  readonly title: string;
  readonly text: string;
  readonly userIds: readonly string[];
  /** Where the inbox shows it. */
  readonly url: string;
}

const KEEP = `INSERT INTO push_event (store_id, id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;
export const HAS_BROWSERS = `SELECT 1 FROM push_subscription b WHERE b.store_id = $1 AND b.user_id = ANY ($2::uuid[]) LIMIT 1`;
const LOCALE = `SELECT coalesce((SELECT g.value ->> 'locale' FROM setting g WHERE g.store_id = $1 AND g.name = 'general'), 'id') AS locale`;

/** Tells members in their browsers of a chat, once for its id. Resolves to whether that was news to anybody. */
export const tellChat = async (queue: Queue, tx: Sql, told: ToldChat): Promise<boolean> => {
  const { storeId, id, at, chatId, team, title, text: body, url } = told;
  const userIds = told.userIds.filter(isUuid);
  // Of stores in which nobody is told nothing is kept
  if (userIds.length === 0 || (await tx.query(HAS_BROWSERS, [storeId, userIds])).length === 0) return false;
  if ((await tx.query(KEEP, [storeId, id, at])).length === 0) return false;
  const [{ locale } = { locale: 'id' as const }] = await tx.query<{ locale: 'id' | 'en' }>(LOCALE, [storeId]);
  const event = 'chat.message';
  const discreet = noticeTexts[event][locale][1]({});
  const news = { storeId, event, team, title, body, discreet, url, userIds, tag: topicOf(storeId, chatId) } as const;
  return (await queuePushes(queue, tx, news)) > 0;
};
