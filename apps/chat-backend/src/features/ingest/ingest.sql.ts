import {
  customerRecord,
  historyList,
  inboxRecord,
  listRecord,
  orderRecord,
  warehouseRecord,
} from '../records/record.sql';

const INPUT = `
  SELECT * FROM json_to_recordset($1::json) AS i (
    ord int, store_id text, instance text, nohp text, is_group boolean, team_id text, bot boolean, pesan_id text, conversation_id uuid, customer_id uuid, history_id uuid,
    from_me boolean, type text, pesan text, caption text, media jsonb, detail jsonb, raw text, name text, profilepic text, at timestamptz, ts bigint, preview text)`;

/** `data` of the callback's answer (contract: newChatInbox, chat_list, chat_order, handle_gudang, customer, history). */
const answer = (history: string): string => `json_build_object(
  'newChatInbox', ${inboxRecord('m', 'c', 's')}, 'chat_list', ${listRecord('c', 'k', 's')}, 'chat_order', ${orderRecord('c', 's')},
  'handle_gudang', ${warehouseRecord('c', 's')}, 'customer', ${customerRecord('k', 'c', 's')}, 'history', ${history})::text`;

/**
 * Stores a batch of inbound messages, each exactly once, in ONE statement. What it guarantees:
 * - a message id that is in the table, or earlier in the batch, changes nothing (no counter moves) and yields no row;
 * - the row lock of the conversation serialises its messages: `seq` is dense and unique, in order of `ord` within the batch;
 * - unread, preview, status, history and the automation job change with the message or not at all;
 * - a conversation turns (created, reopened, resumed) once, by its first inbound message: `turned_seq` names it;
 * - rows are locked in the order of their keys, so that two batches never wait for each other in a circle.
 * Two batches with the same message: the second meets the unique key (23505), aborts whole, and is written again row by row.
 * A message that arrives late moves `last_at` forward only (greatest).
 */
export const ingestStatement = (addAutomation: (payload: string, key: string) => string): string => `
WITH input AS MATERIALIZED (${INPUT}),
fresh AS (
  SELECT DISTINCT ON (i.store_id, i.instance, i.pesan_id) i.* FROM input i
  WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.store_id = i.store_id AND m.instance = i.instance AND m.pesan_id = i.pesan_id)
  ORDER BY i.store_id, i.instance, i.pesan_id, i.ord),
numbered AS MATERIALIZED (
  SELECT f.*, row_number() OVER chat_order AS n, count(*) OVER chat AS total, count(*) FILTER (WHERE NOT f.from_me) OVER chat AS inbound,
    min(f.at) FILTER (WHERE NOT f.from_me) OVER chat AS asked_at, max(f.at) OVER chat AS newest_at
  FROM fresh f
  WINDOW chat AS (PARTITION BY f.store_id, f.instance, f.nohp), chat_order AS (PARTITION BY f.store_id, f.instance, f.nohp ORDER BY f.ord)),
first_inbound AS (SELECT store_id, instance, nohp, min(n) AS n FROM numbered WHERE NOT from_me GROUP BY 1, 2, 3),
chats AS (
  SELECT t.*, f.n AS turn FROM numbered t LEFT JOIN first_inbound f USING (store_id, instance, nohp) WHERE t.n = t.total),
present AS (SELECT k.* FROM customers k WHERE (k.store_id, k.nohp) IN (SELECT store_id, nohp FROM chats)),
created AS (
  INSERT INTO customers AS k (store_id, id, nohp, nama, profilepic)
  SELECT DISTINCT ON (t.store_id, t.nohp) t.store_id, t.customer_id, t.nohp, t.name, t.profilepic FROM chats t
  WHERE NOT EXISTS (SELECT 1 FROM present p WHERE p.store_id = t.store_id AND p.nohp = t.nohp)
  ORDER BY t.store_id, t.nohp
  ON CONFLICT (store_id, nohp) DO UPDATE SET nohp = excluded.nohp RETURNING k.*),
owners AS (SELECT * FROM present UNION ALL SELECT * FROM created),
chat AS (
  INSERT INTO conversations AS v (store_id, id, instance, nohp, team_id, customer_id, is_group, last_seq, unread_count, last_at, last_text, last_type,
    last_from_me, last_pesan_id, last_ack, waiting_since, turned_seq)
  SELECT t.store_id, t.conversation_id, t.instance, t.nohp, t.team_id, k.id, t.is_group, t.total, t.inbound, t.newest_at, t.preview, t.type,
    t.from_me, t.pesan_id, 2, t.asked_at, coalesce(t.turn, 1)
  FROM chats t JOIN owners k ON k.store_id = t.store_id AND k.nohp = t.nohp
  ORDER BY t.store_id, t.instance, t.nohp
  ON CONFLICT (store_id, instance, nohp) DO UPDATE SET
    last_seq = v.last_seq + excluded.last_seq, unread_count = v.unread_count + excluded.unread_count, last_at = greatest(v.last_at, excluded.last_at),
    last_text = excluded.last_text, last_type = excluded.last_type, last_from_me = excluded.last_from_me, last_pesan_id = excluded.last_pesan_id,
    last_ack = excluded.last_ack, version = v.version + 1, updated_at = now(),
    waiting_since = coalesce(v.waiting_since, excluded.waiting_since),
    -- excluded.waiting_since is set exactly when the batch holds a message of the customer
    turned_seq = CASE WHEN v.status IN (2, 3) AND excluded.waiting_since IS NOT NULL THEN v.last_seq + excluded.turned_seq ELSE v.turned_seq END,
    turned_from = CASE WHEN v.status IN (2, 3) AND excluded.waiting_since IS NOT NULL THEN v.status ELSE v.turned_from END,
    episode = v.episode + (v.status = 3 AND excluded.waiting_since IS NOT NULL)::int,
    assignee_id = CASE WHEN v.status = 3 AND excluded.waiting_since IS NOT NULL THEN NULL ELSE v.assignee_id END,
    reopened_at = CASE WHEN v.status = 3 AND excluded.waiting_since IS NOT NULL THEN now() ELSE v.reopened_at END,
    pending_until = CASE WHEN v.status = 2 AND excluded.waiting_since IS NOT NULL THEN NULL ELSE v.pending_until END,
    status = CASE WHEN excluded.waiting_since IS NULL THEN v.status WHEN v.status = 3 THEN 0 WHEN v.status = 2 THEN (v.assignee_id IS NOT NULL)::int ELSE v.status END
  RETURNING v.*),
placed AS MATERIALIZED (
  SELECT n.*, c.id AS chat_id, c.status, c.episode, c.turned_from, c.last_seq - n.total + n.n AS seq, c.turned_seq = c.last_seq - n.total + n.n AS turned
  FROM numbered n JOIN chat c ON c.store_id = n.store_id AND c.instance = n.instance AND c.nohp = n.nohp),
written AS (
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, caption, media, detail, status_ack, waktu, ts, raw)
  SELECT p.store_id, p.chat_id, p.seq, p.instance, p.pesan_id, p.from_me, CASE WHEN p.from_me THEN 'agent' ELSE 'customer' END, p.type, p.pesan, p.caption, p.media, p.detail,
    2, p.at, p.ts, p.raw
  FROM placed p ORDER BY p.store_id, p.chat_id, p.seq
  RETURNING *),
events AS (
  INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type)
  SELECT p.store_id, p.chat_id, p.history_id, p.episode, CASE p.turned_from WHEN 2 THEN 'resume' WHEN 3 THEN 'reopen' ELSE 'created' END, p.turned_from, p.status,
    CASE WHEN p.from_me THEN 'system' ELSE 'customer' END
  FROM placed p WHERE p.turned
  RETURNING *),
queued AS MATERIALIZED (
  SELECT (${addAutomation("json_build_object('storeId', p.store_id, 'conversationId', p.chat_id, 'seq', p.seq)", "p.store_id || '.' || p.chat_id || '.' || p.seq")}).id
  FROM placed p WHERE p.bot AND p.status = 0 AND NOT p.from_me AND NOT p.is_group)
SELECT p.ord, p.turned, ${answer(historyList('c', 's', '(SELECT * FROM chat_histories UNION ALL SELECT * FROM events) one'))} AS body, (SELECT count(*) FROM queued) AS jobs
FROM placed p JOIN written m ON m.store_id = p.store_id AND m.conversation_id = p.chat_id AND m.seq = p.seq
JOIN chat c ON c.store_id = p.store_id AND c.id = p.chat_id JOIN owners k ON k.store_id = c.store_id AND k.id = c.customer_id
JOIN stores s ON s.store_id = c.store_id`;

/** The answer to a redelivery: what is stored, by our id or by WhatsApp's. */
export const STORED = `
  WITH hit AS (
    SELECT m.* FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3
    UNION ALL SELECT m.* FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.wa_id = $3
    LIMIT 1)
  SELECT ${answer(historyList('c', 's'))} AS body
  FROM hit m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN stores s ON s.store_id = c.store_id`;
