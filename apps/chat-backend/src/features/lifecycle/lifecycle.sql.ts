import { notifiedList, notify } from '../notifications/public';
import { customerRecord, historyRecord, listRecord, warehouseRecord } from '../records/public';
import { hearers } from '../tenancy/public';

/**
 * Whether who has the chat sees it only while help is asked: their role and their teams as commerce-api has told them. Whether
 * they still sit where it was asked does not matter: without a seat there they see it even less. Of chat `c` and its escalation `e`.
 */
const IS_HELPED = `
  (e.store_id IS NOT NULL AND EXISTS (SELECT 1 FROM users u WHERE u.store_id = c.store_id AND u.user_id = c.assignee_id AND coalesce(u.role, '') <> ALL (ARRAY['supervisor', 'admin', 'owner'])
    AND NOT EXISTS (SELECT 1 FROM team_members m WHERE m.store_id = u.store_id AND m.team_id = c.team_id AND m.user_id = u.user_id)))`;

/** What a transition decides on. $1 store $2 chat */
export const STATE = `
  SELECT c.status, c.assignee_id AS assignee, (SELECT u.nama FROM users u WHERE u.store_id = c.store_id AND u.user_id = c.assignee_id) AS "assigneeName",
    c.team_id AS team, c.gudang_id AS gudang, c.pending_until::text AS "pendingUntil", c.status_escalate AS escalate, c.episode,
    e.to_team AS "toTeam", e.to_user AS "toUser", e.requested_by AS "requestedBy",
    CASE WHEN e.store_id IS NOT NULL THEN (SELECT h.catatan FROM chat_histories h WHERE h.store_id = c.store_id AND h.conversation_id = c.id AND h.event = 'request_escalate'
      ORDER BY h.id DESC LIMIT 1) END AS reason, ${IS_HELPED} AS "isHelped"
  FROM conversations c LEFT JOIN escalations e ON e.store_id = c.store_id AND e.conversation_id = c.id
  WHERE c.store_id = $1 AND c.id = $2`;

export const HOLD = 'SELECT 1 FROM conversations WHERE store_id = $1 AND id = $2 FOR UPDATE';

/**
 * Writes one decision with its history, or nothing: no row means that the chat no longer is what was decided on, and the caller
 * decides again. The guard names the columns of the decision, not `version`, which every message moves. In the same statement
 * an escalation opens with the request and goes when the chat is no longer escalated.
 * $1 store  $2 chat  $3 seen  $4 next  $5 new episode  $6 events  $7 escalation or null  $8 idle since before this, or null (timers)
 */
export const WRITE = `
WITH seen AS (SELECT * FROM json_to_record($3::json) AS s (status smallint, assignee text, team text, gudang text, "pendingUntil" timestamptz, escalate smallint)),
next AS (SELECT * FROM json_to_record($4::json) AS n (status smallint, assignee text, team text, gudang text, "pendingUntil" timestamptz, escalate smallint, prioritas text)),
changed AS (
  UPDATE conversations c SET
    status = n.status, assignee_id = n.assignee, team_id = n.team, gudang_id = n.gudang, pending_until = n."pendingUntil", status_escalate = n.escalate,
    prioritas = coalesce(n.prioritas, c.prioritas), episode = c.episode + $5::boolean::int, reopened_at = CASE WHEN $5::boolean THEN now() ELSE c.reopened_at END,
    -- A finished chat is read and waits for nobody
    finished_at = CASE WHEN n.status = 3 THEN now() ELSE c.finished_at END, read_seq = CASE WHEN n.status = 3 THEN c.last_seq ELSE c.read_seq END,
    unread_count = CASE WHEN n.status = 3 THEN 0 ELSE c.unread_count END, waiting_since = CASE WHEN n.status <> 3 THEN c.waiting_since END,
    version = c.version + 1, updated_at = now()
  FROM seen s, next n
  WHERE c.store_id = $1 AND c.id = $2 AND c.status = s.status AND c.assignee_id IS NOT DISTINCT FROM s.assignee AND c.team_id = s.team
    AND c.gudang_id IS NOT DISTINCT FROM s.gudang AND c.pending_until IS NOT DISTINCT FROM s."pendingUntil" AND c.status_escalate = s.escalate
    AND ($8::timestamptz IS NULL OR greatest(c.last_at, c.updated_at) <= $8::timestamptz)
  RETURNING c.*),
noted AS (
  INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, from_status, to_status, actor_type, actor_id, team_from, team_to, user_from, user_to, catatan, lampiran)
  -- Made here, behind the lock of the chat and by one clock, ids are in the order of what happened
  SELECT c.store_id, c.id, uuidv7(), c.episode, h.event, h.from_status, h.to_status, h.actor_type, h.actor_id, h.team_from, h.team_to, h.user_from, h.user_to, h.catatan, h.lampiran
  FROM changed c CROSS JOIN json_to_recordset($6::json) AS h (ord int, event text, from_status smallint, to_status smallint, actor_type text, actor_id text, team_from text,
    team_to text, user_from text, user_to text, catatan text, lampiran jsonb)
  ORDER BY h.ord
  RETURNING id),
opened AS (
  INSERT INTO escalations AS e (store_id, conversation_id, to_team, to_user, requested_by)
  SELECT c.store_id, c.id, a."toTeam", a."toUser", a."requestedBy"
  FROM changed c CROSS JOIN json_to_record($7::json) AS a ("toTeam" text, "toUser" text, "requestedBy" text) WHERE $7::json IS NOT NULL
  ON CONFLICT (store_id, conversation_id) DO UPDATE SET to_team = excluded.to_team, to_user = excluded.to_user, requested_by = excluded.requested_by, requested_at = now()
  RETURNING 1),
closed AS (
  DELETE FROM escalations e USING changed c WHERE e.store_id = c.store_id AND e.conversation_id = c.id AND c.status_escalate <> 1 RETURNING 1)
SELECT coalesce((SELECT array_agg(n.id ORDER BY n.id) FROM noted n), '{}')::text[] AS events FROM changed`;

/** The answer of a lifecycle call (design 2.4); $3 = ids of the new history rows. */
export const ANSWER = `
  SELECT json_build_object('data', ${listRecord('c', 'k', 's')},
    'history', coalesce((SELECT json_agg(${historyRecord('h', 's')} ORDER BY h.id) FROM chat_histories h
      WHERE h.store_id = c.store_id AND h.conversation_id = c.id AND h.id = ANY ($3::uuid[])), '[]'::json),
    'handle_gudang', ${warehouseRecord('c', 's')}, 'customer', ${customerRecord('k', 'c', 's')})::text AS body
  FROM conversations c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id JOIN stores s ON s.store_id = c.store_id
  WHERE c.store_id = $1 AND c.id = $2`;

/** One open warehouse record per chat: made by the first move that names a warehouse, changed by the next. $3 id  $4 warehouse  $5 note */
export const KEEP_WAREHOUSE = `
  INSERT INTO handle_gudang AS g (store_id, id, conversation_id, gudang_id, gudang_nama, team_id, user_id, catatan, waktu_mulai)
  SELECT c.store_id, $3, c.id, $4, (SELECT t.nama FROM teams t WHERE t.store_id = c.store_id AND t.id = $4 AND t.kind = 'gudang'), c.team_id, c.assignee_id, $5, now()
  FROM conversations c WHERE c.store_id = $1 AND c.id = $2
  ON CONFLICT (store_id, conversation_id) WHERE status IN ('pending', 'diproses') DO UPDATE SET
    gudang_id = excluded.gudang_id, gudang_nama = excluded.gudang_nama, team_id = excluded.team_id, user_id = excluded.user_id,
    catatan = coalesce(excluded.catatan, g.catatan)`;

/** Notifications of a change, once per user and type; never to $4, who caused it. People only: a bot that asked has no row. $3 notices */
export const NOTIFY = `
WITH notices AS (SELECT * FROM json_to_recordset($3::json) AS i (type text, judul text, isi text, team text, "user" text)),
notified AS (${notify(`
  SELECT DISTINCT ON (u.user_id, i.type) c.store_id, u.user_id, i.type, i.judul, coalesce(i.isi, k.nama, c.nohp) AS isi, c.id AS conversation_id, NULL AS pesan_id, 1 AS count
  FROM conversations c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id CROSS JOIN notices i CROSS JOIN LATERAL (
    SELECT t.user_id FROM (${hearers('c.store_id', 'i.team')}) t WHERE i.team IS NOT NULL
    UNION SELECT p.user_id FROM users p WHERE p.store_id = c.store_id AND p.user_id = i."user") u
  WHERE c.store_id = $1 AND c.id = $2 AND u.user_id IS DISTINCT FROM $4
  ORDER BY u.user_id, i.type`)})
SELECT ${notifiedList('notified', 'c', 's')} AS notified FROM conversations c JOIN stores s ON s.store_id = c.store_id WHERE c.store_id = $1 AND c.id = $2`;

/** Whether a team is the store's, a user is and works there, and who helps with a chat: the supervisors' team, else its own. $2 team or null  $3 user or null  $4 chat or null */
export const KNOWN = `
  SELECT $2::text IS NULL OR EXISTS (SELECT 1 FROM teams WHERE store_id = $1 AND id = $2) AS team,
    $3::text IS NULL OR EXISTS (SELECT 1 FROM users WHERE store_id = $1 AND user_id = $3 AND aktif) AS "user",
    coalesce((SELECT id FROM teams WHERE store_id = $1 AND kind = 'supervisor' ORDER BY id LIMIT 1),
      (SELECT c.team_id FROM conversations c WHERE c.store_id = $1 AND c.id = $4)) AS helpers`;

/** A minute of the store's wall clock as an instant. */
export const INSTANT = `
  SELECT ($2::timestamp AT TIME ZONE s.tz)::text AS at, ($2::timestamp AT TIME ZONE s.tz) > now() AS future,
    ($2::timestamp AT TIME ZONE s.tz) <= now() + interval '90 days' AS near
  FROM stores s WHERE s.store_id = $1`;
