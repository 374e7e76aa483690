import type { Sql } from '@platform/data';
import { isVague, WINDOW_DAYS } from '../attribution/public';

/** A customer's message that a short link began. */
export interface OpenedLink {
  readonly storeId: string;
  /** Of the message: the same when it is delivered again. */
  readonly id: string;
  readonly code: string;
  /** The sender's. */
  readonly phone: string;
  readonly chatId: string;
  readonly at: Date;
}

/** Messages of one customer that come at once come one after the other, and the first of them begins the chat. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('opened links ' || $1, 0))`;

/** Nothing of a message that was told before, and of a code that no short link of the store has. */
const OPENED = `
  WITH link AS (
    SELECT t.store_id, t.id, s.timezone, t.utm || jsonb_build_object('source', coalesce(t.utm ->> 'source', t.code)) AS utm
    FROM tracker_link t JOIN store s ON s.store_id = t.store_id WHERE t.store_id = $1 AND t.code = lower($3)
  ), chat AS (
    INSERT INTO tracker_chat (store_id, id, tracker_id, phone, chat_id, utm, at)
    SELECT store_id, $2, id, $4, $5, utm, $6 FROM link ON CONFLICT DO NOTHING RETURNING store_id, tracker_id, phone, utm, at
  ), told AS (
    SELECT chat.*, (chat.at AT TIME ZONE link.timezone)::date AS day, lower(left(btrim(chat.utm ->> 'source'), 64)) AS source FROM chat, link
    WHERE NOT EXISTS (SELECT FROM tracker_chat b WHERE b.store_id = chat.store_id AND b.phone = chat.phone AND b.tracker_id = chat.tracker_id
      AND b.at > chat.at - interval '${WINDOW_DAYS} days')
  ), daily AS (
    INSERT INTO tracker_daily AS d (store_id, tracker_id, day, chats) SELECT store_id, tracker_id, day, 1 FROM told
    ON CONFLICT (store_id, tracker_id, day) DO UPDATE SET chats = d.chats + 1
  ), sourced AS (
    INSERT INTO source_daily AS d (store_id, day, source, chats) SELECT store_id, day, source, 1 FROM told
    ON CONFLICT (store_id, day, source) DO UPDATE SET chats = d.chats + 1
  ), met AS (
    UPDATE contact c SET source = chat.utm ->> 'source' FROM chat JOIN contact_phone p ON p.store_id = chat.store_id AND p.phone = chat.phone
    WHERE c.store_id = p.store_id AND c.id = p.contact_id AND ${isVague('c.source')}
  )
  SELECT 1 FROM chat`;

/**
 * A click has become a chat: counts it, and gives the contact its source, also one who is made later; what they order within a week is
 * attributed to the link. Whoever writes with it again within the week is still in that chat. A message that was told before changes nothing, nor
 * does a code that the store does not have. Whether it was news.
 */
export const linkOpened = async (tx: Sql, { storeId, id, code, phone, chatId, at }: OpenedLink): Promise<boolean> => {
  await tx.query(TURN, [storeId]);
  return (await tx.prepared('link opened', OPENED, [storeId, id, code, phone, chatId, at])).length > 0;
};
