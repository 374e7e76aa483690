import { notifiedList, notify } from '../notifications/public';
import {
  toBot,
  customerRecord,
  historyList,
  historyRecord,
  inboxRecord,
  JOINED,
  listRecord,
  orderRecord,
  storedJoins,
  storedListRecord,
  warehouseRecord,
} from '../records/public';
import { hearers, hearersOf, homeTeam } from '../tenancy/public';
import { NOT_THE_BOTS, toldMembers, type EventExpression } from '../automation/public';

/**
 * Messages of a hidden id that is known as a number's belong to the chat of that number. Each is looked up, and only those that hide a number (OFFSET
 * keeps them from being joined): the join read all hidden ids of all stores as long as those were not very many.
 */
const INPUT = `
  SELECT i.*, coalesce(a.nohp, i.number) AS nohp FROM json_to_recordset($1::json) AS i (
    ord int, store_id text, instance text, number text, is_group boolean, team_id text, bot boolean, pesan_id text, conversation_id uuid, customer_id uuid,
    from_me boolean, type text, pesan text, caption text, media jsonb, detail jsonb, raw text, name text, profilepic text, at timestamptz, ts bigint, preview text, opt_out boolean, file_url text, file_name text, link_code text, trace text)
  LEFT JOIN LATERAL (
    SELECT a.nohp FROM conversation_aliases a
    WHERE i.number LIKE ANY ('{%@lid,%@bsuid}') AND a.store_id = i.store_id AND a.instance = i.instance AND a.alias = i.number OFFSET 0) a ON true`;

/** The columns of `StoredMessage`. Records are JSON text in three pieces: the agents are told the first two. */
const storedMessage = (
  history: string,
  list = `${listRecord('c', 'k', 's')}::text`,
): string => `c.store_id || '.' || c.id AS "chatId", c.nohp AS phone,
  ${inboxRecord('m', 'c', 's')}::text AS inbox, ${list} AS list, json_build_object('chat_order', ${orderRecord('c', 's')},
  'handle_gudang', ${warehouseRecord('c', 's')}, 'customer', ${customerRecord('k', 'c', 's')}, 'history', ${history})::text AS others`;

/** SQL expressions that queue the jobs of a message: payload and key are SQL too. */
export interface IngestJobs {
  readonly automation: (payload: string, key: string) => string;
  /** Tells commerce-api of a number first seen and of what a customer says of messages; undefined: nobody is told. */
  readonly contact: ((payload: string, key: string) => string) | undefined;
  /** Tells commerce-api of a link that a customer came by; undefined: nobody is told. */
  readonly event: EventExpression | undefined;
  /** Has commerce-api tell members who look at no page; undefined: nobody does. */
  readonly members: EventExpression | undefined;
  /** Copies a file that did not come with its message. */
  readonly file: (payload: string, key: string) => string;
}

/** Members of the team when a chat begins, comes back or wakes; the assignee when a message comes in a chat at work (design 3.2); whoever hears of it in their place while they are away (ADR 184). */
const TOLD = `
  SELECT c.store_id, t.user_id, 'new_chat' AS type, 'Chat baru' AS judul, coalesce(k.nama, c.nohp) || ': ' || p.preview AS isi, c.id AS conversation_id, p.pesan_id, 1 AS count
  FROM placed p JOIN chat c ON c.store_id = p.store_id AND c.id = p.chat_id JOIN owners k ON k.store_id = c.store_id AND k.id = c.customer_id
  CROSS JOIN LATERAL (${hearers('c.store_id', 'c.team_id')}) t
  WHERE p.turned AND NOT p.from_me
  UNION ALL
  SELECT c.store_id, t.user_id, 'message', 'Pesan baru', coalesce(k.nama, c.nohp) || ': ' || p.preview, c.id, p.pesan_id, p.count
  FROM (SELECT p.store_id, p.chat_id, count(*)::int AS count, (array_agg(p.pesan_id ORDER BY p.n DESC))[1] AS pesan_id, (array_agg(p.preview ORDER BY p.n DESC))[1] AS preview
        FROM placed p WHERE p.status = 1 AND NOT p.turned AND NOT p.from_me GROUP BY 1, 2) p
  JOIN chat c ON c.store_id = p.store_id AND c.id = p.chat_id AND c.assignee_id IS NOT NULL JOIN owners k ON k.store_id = c.store_id AND k.id = c.customer_id
  CROSS JOIN LATERAL (${hearersOf('c')}) t`;

/** The agent of ended chat `v` is to have it again: it ended less than so many hours ago, and they are active and in its team. */
const returns = (hours: number): string =>
  hours === 0
    ? 'false'
    : `(coalesce(v.finished_at > now() - interval '${hours} hours', false)
      AND EXISTS (SELECT 1 FROM users u WHERE u.store_id = v.store_id AND u.user_id = v.assignee_id AND u.aktif)
      AND EXISTS (SELECT 1 FROM team_members t WHERE t.store_id = v.store_id AND t.team_id = v.team_id AND t.user_id = v.assignee_id))`;

/** Message `p` is looked at by automation. */
const AUTOMATED = 'p.bot AND p.status = 0 AND NOT p.from_me AND NOT p.is_group';

/** What commerce-api is told of message `p`, which came by a link. */
const OPENED = `json_build_object('storeId', p.store_id, 'event', json_build_object('id', 'link:' || p.pesan_id, 'kind', 'link_opened', 'code', p.link_code,
  'nohp', p.nohp, 'chatId', p.store_id || '.' || p.chat_id), '_trace', p.trace)`;

/** The chat's row is told of its customer's new name after the statement, so the stored part is of use only where that is as it was. */
const LIST = storedListRecord('c', 's', `${listRecord('c', 'k', 's', JOINED)}::text`, 'k.kept');

/**
 * Stores a batch of inbound messages, each exactly once, in ONE statement. What it guarantees:
 * - a message id that is in the table, or earlier in the batch, changes nothing (no counter moves) and yields no row;
 * - the row lock of the conversation serialises its messages: `seq` is dense and unique, in order of `ord` within the batch;
 * - a customer without a name gets the one that comes with a message of theirs, and the newest picture;
 * - unread, preview, status, history, opt-out, notifications and jobs change with the message or not at all;
 * - a conversation turns (created, reopened, resumed) once, by its first inbound message: `turned_seq` names it;
 * - one that ended less than `stickyHours` ago goes back to its agent, another one is open to all;
 * - rows are locked in the order of their keys, so that two batches never wait for each other in a circle.
 * Two batches with the same message: the second meets the unique key (23505), aborts whole, and is written again row by row;
 * a batch of that message alone has nothing to write, what is stored is its answer.
 * A message that arrives late moves `last_at` forward only (greatest).
 */
export const ingestStatement = ({ automation, contact, event, members, file }: IngestJobs, stickyHours = 0): string => `
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
wishes AS MATERIALIZED (
  SELECT DISTINCT ON (f.store_id, f.nohp) f.store_id, f.nohp, f.opt_out, f.at FROM fresh f WHERE f.opt_out IS NOT NULL ORDER BY f.store_id, f.nohp, f.ord DESC),
told AS MATERIALIZED (
  SELECT f.store_id, f.nohp, (array_agg(f.name ORDER BY f.ord DESC) FILTER (WHERE f.name IS NOT NULL))[1] AS name,
    (array_agg(f.profilepic ORDER BY f.ord DESC) FILTER (WHERE f.profilepic IS NOT NULL))[1] AS profilepic
  FROM fresh f WHERE NOT f.from_me AND NOT f.is_group GROUP BY 1, 2),
-- By their id: a STOP holds for who gets another name meanwhile, although the message finds no chat by the one of before
decided AS (
  SELECT k.store_id, k.id, w.opt_out, t.name, t.profilepic,
    k.nama IS NULL AND t.name IS NOT NULL AS pushed
  FROM present p JOIN told t ON t.store_id = p.store_id AND t.nohp = p.nohp JOIN customers k ON k.store_id = p.store_id AND k.id = p.id
    LEFT JOIN wishes w ON w.store_id = p.store_id AND w.nohp = p.nohp
  WHERE k.opt_out_by_customer <> w.opt_out OR k.opt_out <> w.opt_out OR (k.nama IS NULL AND t.name IS NOT NULL) OR k.profilepic IS DISTINCT FROM coalesce(t.profilepic, k.profilepic)
  ORDER BY k.store_id, k.nohp FOR UPDATE OF k),
changed AS (
  UPDATE customers k SET opt_out = coalesce(d.opt_out, k.opt_out), opt_out_by_customer = coalesce(d.opt_out, k.opt_out_by_customer), nama = coalesce(k.nama, d.name),
    profilepic = coalesce(d.profilepic, k.profilepic)
  FROM decided d WHERE k.store_id = d.store_id AND k.id = d.id RETURNING k.*),
created AS (
  INSERT INTO customers AS k (store_id, id, nohp, nama, profilepic, opt_out, opt_out_by_customer)
  SELECT DISTINCT ON (t.store_id, t.nohp) t.store_id, t.customer_id, t.nohp, n.name, CASE WHEN t.is_group THEN t.profilepic ELSE n.profilepic END, coalesce(w.opt_out, false), coalesce(w.opt_out, false)
  FROM chats t LEFT JOIN wishes w ON w.store_id = t.store_id AND w.nohp = t.nohp LEFT JOIN told n ON n.store_id = t.store_id AND n.nohp = t.nohp
  WHERE NOT EXISTS (SELECT 1 FROM present p WHERE p.store_id = t.store_id AND p.nohp = t.nohp)
  ORDER BY t.store_id, t.nohp
  -- What the shop has pushed meanwhile is less than what the customer says
  ON CONFLICT (store_id, nohp) DO UPDATE SET opt_out = coalesce((SELECT w.opt_out FROM wishes w WHERE w.store_id = k.store_id AND w.nohp = k.nohp), k.opt_out),
    opt_out_by_customer = coalesce((SELECT w.opt_out FROM wishes w WHERE w.store_id = k.store_id AND w.nohp = k.nohp), k.opt_out_by_customer), nama = coalesce(k.nama, excluded.nama),
    profilepic = coalesce(excluded.profilepic, k.profilepic) RETURNING k.*),
-- A customer who changes is told to all of its chats: where one does, all that may be written are locked before the first is
held AS MATERIALIZED (
  SELECT c.id FROM present p JOIN conversations c ON c.store_id = p.store_id AND c.customer_id = p.id
  WHERE (SELECT count(*) FROM decided) > 0 ORDER BY c.store_id, c.instance, c.nohp FOR UPDATE OF c),
owners AS (
  SELECT p.*, true AS kept FROM present p WHERE NOT EXISTS (SELECT 1 FROM changed d WHERE d.store_id = p.store_id AND d.id = p.id)
  UNION ALL SELECT *, false FROM changed UNION ALL SELECT *, false FROM created),
chat AS (
  INSERT INTO conversations AS v (store_id, id, instance, nohp, team_id, customer_id, is_group, last_seq, unread_count, last_at, last_text, last_type,
    last_from_me, last_pesan_id, last_ack, waiting_since, turned_seq)
  SELECT t.store_id, t.conversation_id, t.instance, t.nohp, coalesce(${homeTeam('t.store_id', 't.team_id')}, t.team_id), k.id, t.is_group, t.total, t.inbound, t.newest_at, t.preview, t.type,
    t.from_me, t.pesan_id, 2, t.asked_at, coalesce(t.turn, 1)
  FROM chats t JOIN owners k ON k.store_id = t.store_id AND k.nohp = t.nohp
  WHERE (SELECT count(*) FROM held) >= 0
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
    assignee_id = CASE WHEN v.status = 3 AND excluded.waiting_since IS NOT NULL AND NOT ${returns(stickyHours)} THEN NULL ELSE v.assignee_id END,
    reopened_at = CASE WHEN v.status = 3 AND excluded.waiting_since IS NOT NULL THEN now() ELSE v.reopened_at END,
    pending_until = CASE WHEN v.status = 2 AND excluded.waiting_since IS NOT NULL THEN NULL ELSE v.pending_until END,
    status = CASE WHEN excluded.waiting_since IS NULL THEN v.status WHEN v.status = 3 THEN ${returns(stickyHours)}::int WHEN v.status = 2 THEN (v.assignee_id IS NOT NULL)::int ELSE v.status END
  RETURNING v.*),
placed AS MATERIALIZED (
  SELECT n.*, c.id AS chat_id, c.status, c.episode, c.turned_from, c.last_seq - n.total + n.n AS seq, c.turned_seq = c.last_seq - n.total + n.n AS turned
  FROM numbered n JOIN chat c ON c.store_id = n.store_id AND c.instance = n.instance AND c.nohp = n.nohp),
written AS (
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, caption, media, detail, status_ack, waktu, ts, raw, to_bot)
  SELECT p.store_id, p.chat_id, p.seq, p.instance, p.pesan_id, p.from_me, CASE WHEN p.from_me THEN 'agent' ELSE 'customer' END, p.type, p.pesan, p.caption, p.media, p.detail,
    2, p.at, p.ts, p.raw, CASE WHEN ${AUTOMATED} THEN ${toBot.undecided} END
  FROM placed p ORDER BY p.store_id, p.chat_id, p.seq
  RETURNING *),
events AS (
  INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type)
  SELECT p.store_id, p.chat_id, uuidv7(), p.episode, CASE p.turned_from WHEN 2 THEN 'resume' WHEN 3 THEN 'reopen' ELSE 'created' END, p.turned_from, p.status,
    CASE WHEN p.from_me THEN 'system' ELSE 'customer' END
  FROM placed p WHERE p.turned
  RETURNING *),
notified AS (${notify(TOLD)}),
-- A wish that is none here may still be news for the shop, whose own may be on its way
contacts AS (
  SELECT k.store_id, k.nohp, w.at AS said FROM (
    SELECT store_id, nohp FROM created UNION SELECT store_id, nohp FROM wishes
    UNION SELECT k.store_id, k.nohp FROM changed k JOIN decided d ON d.store_id = k.store_id AND d.id = k.id WHERE d.pushed) k
  LEFT JOIN wishes w ON w.store_id = k.store_id AND w.nohp = k.nohp WHERE k.nohp !~ '@'),
queued AS MATERIALIZED (
  SELECT (${automation("json_build_object('storeId', p.store_id, 'conversationId', p.chat_id, 'seq', p.seq, '_trace', p.trace)", "p.store_id || '.' || p.chat_id || '.' || p.seq")}).id
  FROM placed p WHERE ${AUTOMATED}
  ${contact ? `UNION ALL SELECT (${contact("json_build_object('storeId', k.store_id, 'nohp', k.nohp, 'said', k.said)", "'contact.' || k.store_id || '.' || k.nohp || CASE WHEN k.said IS NULL THEN '' ELSE '.said' END")}).id FROM contacts k` : ''}
  ${event ? `UNION ALL SELECT (${event(OPENED, "'link.' || p.store_id || '.' || p.pesan_id")}).id FROM placed p WHERE p.link_code IS NOT NULL AND p.nohp !~ '@'` : ''}
  ${members ? `UNION ALL SELECT (${members('t.payload', 't.key')}).id FROM (${toldMembers('notified', 'chat', 'owners')}) t WHERE ${NOT_THE_BOTS}` : ''}
  UNION ALL SELECT (${file("json_build_object('storeId', p.store_id, 'conversationId', p.chat_id, 'seq', p.seq, 'url', p.file_url, 'filename', p.file_name, '_trace', p.trace)", "'file.' || p.store_id || '.' || p.chat_id || '.' || p.seq")}).id
  FROM placed p WHERE p.file_url IS NOT NULL)
SELECT p.ord, CASE WHEN p.n = p.total THEN ${notifiedList('notified', 'c', 's')} END AS notified,
  CASE WHEN p.turned THEN (SELECT ${historyRecord('h', 's')} FROM events h WHERE h.store_id = p.store_id AND h.conversation_id = p.chat_id) END AS event,
  ${storedMessage(historyList('c', 's', '(SELECT * FROM chat_histories UNION ALL SELECT * FROM events) one'), LIST)}, (SELECT count(*) FROM queued) AS jobs
FROM placed p JOIN written m ON m.store_id = p.store_id AND m.conversation_id = p.chat_id AND m.seq = p.seq
JOIN chat c ON c.store_id = p.store_id AND c.id = p.chat_id JOIN owners k ON k.store_id = c.store_id AND k.id = c.customer_id
JOIN stores s ON s.store_id = c.store_id ${storedJoins('c', 's')}`;

/** The answer to a redelivery: what is stored, by our id or by WhatsApp's. */
export const STORED = `
  WITH hit AS (
    SELECT m.* FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3
    UNION ALL SELECT m.* FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.wa_id = $3
    LIMIT 1)
  SELECT ${storedMessage(historyList('c', 's'))}
  FROM hit m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN stores s ON s.store_id = c.store_id`;

/** The team of the chat with who is known by one of these names, or by the number that one hides. $1 store $2 instance $3 names */
export const TEAM_OF = `
  SELECT c.team_id AS team FROM conversations c WHERE c.store_id = $1 AND c.instance = $2 AND c.nohp = ANY ($3::text[] || ARRAY(
    SELECT a.nohp FROM conversation_aliases a WHERE a.store_id = $1 AND a.instance = $2 AND a.alias = ANY ($3::text[]))) LIMIT 1`;
