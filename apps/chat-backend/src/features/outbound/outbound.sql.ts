import type { OutboxKind } from '@platform/outbox';
import { failSend } from './failed-send.sql';
import { historyRecord, inboxRecord, listRecord } from '../records/public';
import { anyDevice, asks } from '../tenancy/public';

/** A message on its way to the gateway, which sends it to the customer. */
export const SEND_ROW: OutboxKind = { name: 'send', effect: 'outside' };

/** What is queued or being sent. */
const WAITS = `r.state IN ('queued', 'blocked')`;

const answer = `json_build_object('data', ${inboxRecord('m', 'c', 's')}, 'chat_list', ${listRecord('c', 'k', 's')})::text`;

/**
 * Puts messages of one chat into the inbox and, in the same transaction, into the outbox towards the gateway. What it guarantees:
 * - a pesan_id that is stored already sends nothing; while the chat is not in status $4 nothing happens at all;
 * - the row lock of the conversation comes first and gives messages and outbox rows one order;
 * - who sends may answer the chat as it is behind that lock, not only as it was found; help that ended meanwhile is no right to it;
 * - what waits by the name of before, which a chat had until its number was learned, goes first: its lane is used up;
 * - rows of a campaign leave by the campaign lane of the device, so that agents never wait behind it;
 * - a person who sends takes the chat over from open, pending and finish, never from a colleague who has it or has set it aside (design 3.1).
 * $1 store  $2 conversation  $3 messages  $4 wanted status or null  $5 acting user or null (null: no change of state)  $6 trace of the request
 * $7 what the sender sees chats by (`sightOf`), or null (any)
 */
export const SEND = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($3::json) AS i (ord int, pesan_id text, role text, user_id text, type text, pesan text, caption text, media jsonb, detail jsonb, quote text, preview text, campaign jsonb)),
target AS MATERIALIZED (SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.id = $2 AND ($4::smallint IS NULL OR c.status = $4::smallint) FOR UPDATE),
-- Locked too: without it, the escalation would be looked at as it was before the wait
asked AS MATERIALIZED (
  SELECT 1 FROM target t JOIN escalations e ON e.store_id = t.store_id AND e.conversation_id = t.id WHERE t.team_id <> ALL ($7::text[]) AND ${asks('e', '$7')} FOR SHARE OF e),
-- Each is looked up by its name (OFFSET keeps it from being joined), as is the customer below: planned for a store of common size, the join would read all of a large one
fresh AS MATERIALIZED (
  SELECT i.*, row_number() OVER (ORDER BY i.ord) AS n, count(*) OVER () AS total FROM input i CROSS JOIN target t
  WHERE ($7::text[] IS NULL OR t.team_id = ANY ($7::text[]) OR EXISTS (SELECT 1 FROM asked))
    AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.store_id = $1 AND m.instance = t.instance AND m.pesan_id = i.pesan_id OFFSET 0)),
tail AS (SELECT * FROM fresh WHERE n = total),
chat AS (
  UPDATE conversations v SET
    last_seq = v.last_seq + f.total, last_at = greatest(v.last_at, now()), last_text = f.preview, last_type = f.type, last_from_me = true, last_pesan_id = f.pesan_id, last_ack = 0,
    version = v.version + 1, updated_at = now(),
    status = CASE WHEN $5::text IS NULL THEN v.status ELSE 1 END,
    assignee_id = CASE WHEN $5::text IS NULL OR v.status = 1 OR (v.status = 2 AND v.assignee_id IS NOT NULL) THEN v.assignee_id ELSE $5 END,
    episode = v.episode + ($5::text IS NOT NULL AND v.status = 3)::int,
    reopened_at = CASE WHEN $5::text IS NOT NULL AND v.status = 3 THEN now() ELSE v.reopened_at END,
    pending_until = CASE WHEN $5::text IS NULL THEN v.pending_until END,
    waiting_since = CASE WHEN $5::text IS NULL THEN v.waiting_since END,
    first_response_at = CASE WHEN $5::text IS NULL THEN v.first_response_at ELSE coalesce(v.first_response_at, now()) END
  FROM tail f WHERE v.store_id = $1 AND v.id = $2
  RETURNING v.*),
written AS (
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, user_id, type, pesan, caption, media, detail, quote_pesan_id, broadcast_id, status_ack, waktu)
  SELECT c.store_id, c.id, c.last_seq - f.total + f.n, c.instance, f.pesan_id, true, f.role, f.user_id, f.type, f.pesan, f.caption, f.media, f.detail, f.quote, f.campaign->>'id', 0, now()
  FROM fresh f CROSS JOIN chat c
  RETURNING *),
taken AS (
  INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type, actor_id, user_from, user_to)
  SELECT c.store_id, c.id, uuidv7(), c.episode, 'handle', t.status, c.status, 'user', $5, t.assignee_id, c.assignee_id
  FROM chat c CROSS JOIN target t WHERE $5::text IS NOT NULL AND t.status <> 1
  RETURNING *),
queued AS MATERIALIZED (
  SELECT outbox_enqueue(CASE WHEN w.broadcast_id IS NULL THEN chat_lane(c.instance, c.begun_as, c.nohp) ELSE c.instance || '|bulk' END, c.instance, '${SEND_ROW.name}', NULL, jsonb_build_object(
    'storeId', c.store_id, 'conversationId', c.id, 'seq', w.seq, 'pesanId', w.pesan_id, 'role', w.role, 'instance', c.instance, 'nohp', c.nohp, 'type', w.type, 'text', w.pesan,
    'caption', w.caption, 'media', w.media, 'detail', w.detail, 'campaign', (SELECT f.campaign FROM fresh f WHERE f.pesan_id = w.pesan_id), '_trace', $6::text,
    'quotedId', (SELECT CASE WHEN q.from_me THEN q.wa_id ELSE q.pesan_id END FROM messages q
                 WHERE q.store_id = c.store_id AND q.instance = c.instance AND q.pesan_id = w.quote_pesan_id AND q.conversation_id = c.id))) AS id
  FROM (SELECT * FROM written ORDER BY seq) w CROSS JOIN chat c)
SELECT m.pesan_id AS "pesanId", m.seq, ${answer} AS body, CASE WHEN m.seq = c.last_seq THEN (SELECT ${historyRecord('h', 's')} FROM taken h) END AS taken,
  (SELECT max(id) FROM queued) AS "rowId"
FROM written m JOIN chat c ON c.store_id = m.store_id CROSS JOIN LATERAL (SELECT * FROM customers x WHERE x.store_id = c.store_id AND x.id = c.customer_id OFFSET 0) k
JOIN stores s ON s.store_id = c.store_id ORDER BY m.seq`;

/**
 * A chat that its first message creates: nobody waits for an answer in it, so it is neither unread nor in the queue. No row
 * when the chat is there. Who is named by a hidden id whose number is known has it by that, where the answer comes. $1 store $2 instance $3 nohp $4 conversation $5 customer $6 team $7 group $8 status
 * $9 name of a customer whose name is not known
 */
export const CREATE_CHAT = `
WITH named AS (
  SELECT coalesce((SELECT a.nohp FROM conversation_aliases a WHERE a.store_id = $1 AND a.instance = $2 AND a.alias = $3), $3) AS nohp),
owner AS (
  INSERT INTO customers AS k (store_id, id, nohp, nama) SELECT $1, $5::uuid, n.nohp, $9 FROM named n
  ON CONFLICT (store_id, nohp) DO UPDATE SET nama = coalesce(k.nama, excluded.nama) RETURNING k.id),
created AS (
  INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, is_group, status, last_seq, last_at, last_ack, turned_seq)
  SELECT $1, $4::uuid, $2, n.nohp, $6, o.id, $7, $8::smallint, 0, now(), 0, 0 FROM owner o CROSS JOIN named n
  ON CONFLICT (store_id, instance, nohp) DO NOTHING RETURNING id, episode, status)
INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, to_status, actor_type)
SELECT $1, id, uuidv7(), episode, 'created', status, 'system' FROM created RETURNING conversation_id`;

export const HAS_DEVICE = `SELECT 1 AS yes FROM devices WHERE store_id = $1 AND instance = $2`;

export const IS_CONNECTED = `SELECT status = 'connected' AS connected FROM devices WHERE store_id = $1 AND instance = $2`;

/** A message that was sent before, if it stands in this chat. */
export const SENT = `
  SELECT ${answer} AS body, m.conversation_id = $2 AS here
  FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN stores s ON s.store_id = c.store_id
  WHERE m.store_id = $1 AND m.instance = $3 AND m.pesan_id = $4`;

/** A message by our id on another device of the store. $1 store $2 device $3 pesan_id */
export const SENT_ELSEWHERE = `
  SELECT 1 AS yes FROM messages m WHERE m.store_id = $1 AND m.pesan_id = $3
    AND m.instance = ${anyDevice('$1')} AND m.instance <> $2 LIMIT 1`;

/** Whether the chat holds the message that is to be quoted. Messages stay, so what is true now stays true. $1 store $2 chat $3 pesan_id */
export const QUOTABLE = `
  SELECT 1 AS yes FROM conversations c WHERE c.store_id = $1 AND c.id = $2 AND $2 = (
    SELECT m.conversation_id FROM messages m WHERE m.store_id = c.store_id AND m.instance = c.instance AND m.pesan_id = $3)`;

/** WhatsApp's id of a message, as the gateway answered it. */
export const KEEP_WA_ID = `UPDATE messages SET wa_id = $4 WHERE store_id = $1 AND conversation_id = $2 AND seq = $3 AND wa_id IS NULL`;

/** The gateway will never send it. $1 store  $2 chat  $3 seq  $4 reason */
export const KEEP_FAILURE = failSend('m.store_id = $1 AND m.conversation_id = $2 AND m.seq = $3', '$4');

/**
 * Whether a message to this person is at the gateway now, a reply or one of a campaign, by whichever of their names: a lane that is leased has
 * a holder, who sends its first row. $1 store  $2 device  $3 names
 */
export const IS_SENDING = `
  WITH names AS MATERIALIZED (
    SELECT unnest($3::text[]) AS nohp UNION SELECT a.nohp FROM conversation_aliases a WHERE a.store_id = $1 AND a.instance = $2 AND a.alias = ANY ($3::text[])
    UNION SELECT c.begun_as FROM conversations c WHERE c.store_id = $1 AND c.instance = $2 AND c.nohp = ANY ($3::text[]) AND c.begun_as IS NOT NULL)
  SELECT EXISTS (
    SELECT 1 FROM outbox_lane l WHERE l.lane = ANY (ARRAY(SELECT $2 || '|' || nohp FROM names) || ($2 || '|bulk')) AND l.fence IS NOT NULL AND l.next_at > now() AND (
      SELECT r.payload->>'nohp' FROM outbox_row r WHERE r.lane = l.lane AND ${WAITS} ORDER BY r.id LIMIT 1) IN (SELECT nohp FROM names)) AS sending`;
