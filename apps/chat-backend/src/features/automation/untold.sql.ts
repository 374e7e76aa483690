import { toBot } from '../records/public';
import type { MessageWords } from './message.words';

/** A line of a chat that the bot has not seen. */
export interface UntoldLine extends MessageWords {
  readonly seq: number;
  /** `team`: a person of the store; `auto`: welcome texts, rules, campaigns and notices of other services. */
  readonly role: 'customer' | 'team' | 'auto';
}

const MOST_LINES = 20;
/** How far back a chat is looked through: one statement costs the same in a chat of any length. */
const WINDOW = 100;

/** Welcome texts and rules have ids that are derived from the message they answer (`autoReplyId`); the bot's own have not. */
const IS_AUTO_REPLY = `(r.role = 'bot' AND r.pesan_id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-')`;
/** Row `r` of messages is something that the bot said. */
export const IS_BUBBLE = `(r.role = 'bot' AND NOT ${IS_AUTO_REPLY})`;

/**
 * The newest messages of the chat, and after which of them the bot knows nothing: the last question that it answered, or its last
 * bubble in a chat whose questions were not noted yet. Notices of the bot (a payment) between people's words move nothing: they
 * follow no question. $1 store  $2 chat  $3 seq of the question
 */
export const RECENT = `
WITH recent AS MATERIALIZED (
  SELECT r.seq, r.role, r.user_id, r.from_me, r.pesan_id, r.type, r.pesan, r.caption, r.media, r.detail, r.broadcast_id, r.to_bot FROM messages r
  WHERE r.store_id = $1 AND r.conversation_id = $2 ORDER BY r.seq DESC LIMIT ${WINDOW}),
bubble AS (SELECT max(r.seq) AS seq FROM recent r WHERE ${IS_BUBBLE}),
known AS MATERIALIZED (
  SELECT coalesce((SELECT max(r.seq) FROM recent r WHERE r.to_bot = ${toBot.asked} AND r.seq < $3 AND r.seq < b.seq), CASE WHEN NOT EXISTS (
    SELECT 1 FROM recent r WHERE r.to_bot = ${toBot.asked} AND r.seq < $3) THEN b.seq END, 0) AS seq FROM bubble b),
untold AS (
  SELECT r.seq, CASE WHEN NOT r.from_me THEN 'customer' WHEN r.role = 'agent' AND r.broadcast_id IS NULL THEN 'team' ELSE 'auto' END AS role, r.type, r.pesan AS text,
    r.caption, r.media->>'filename' AS filename, r.detail->>'latitude' AS latitude, r.detail->>'longitude' AS longitude, r.detail->>'locationName' AS place
  FROM recent r, known k
  WHERE r.seq > k.seq AND r.seq <> $3 AND NOT ${IS_BUBBLE} AND (r.from_me OR r.to_bot IS NULL OR r.to_bot = ${toBot.kept})
  ORDER BY r.seq DESC LIMIT ${MOST_LINES})`;

/**
 * Whether a person has had the chat since message `m`, and has written in it: a send of the CRM names one who has not, and a line from a
 * phone none.
 */
export const IS_ANSWERED = `
  EXISTS (SELECT 1 FROM recent r JOIN chat_histories h ON h.store_id = m.store_id AND h.conversation_id = m.conversation_id AND h.user_to = r.user_id
    WHERE r.seq > m.seq AND r.role = 'agent' AND h.to_status = 1 AND h.waktu >= m.waktu)`;

/** Three columns of a statement that begins with `RECENT`. */
export const UNTOLD = `
  EXISTS (SELECT 1 FROM recent r WHERE r.seq > $3 AND r.from_me AND r.role = 'agent' AND r.broadcast_id IS NULL) AS "isPeoples",
  coalesce((SELECT json_agg(u ORDER BY u.seq DESC) FROM untold u), '[]') AS untold,
  EXISTS (SELECT 1 FROM recent r, known k WHERE r.seq > k.seq AND r.seq < $3 AND r.to_bot IN (${toBot.undecided}, ${toBot.answering})) AS undecided`;
