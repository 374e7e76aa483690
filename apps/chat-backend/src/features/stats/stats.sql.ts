/** From the first moment of day $2 to the last of day $3, by the store's clock. */
const SPAN = `span AS (
  SELECT $2::date::timestamp AT TIME ZONE s.tz AS first, ($3::date + 1)::timestamp AT TIME ZONE s.tz AS past FROM stores s WHERE s.store_id = $1)`;
const within = (instant: string): string =>
  `${instant} >= (SELECT first FROM span) AND ${instant} < (SELECT past FROM span)`;

/**
 * What happened in a store on some days, and how busy it is now. Messages and events are found through block ranges of their
 * time (messages_time, chat_histories_time), what is open now through the list's own indexes. The first response to a chat is
 * the first message of a person after it began. $1 store  $2 first day  $3 last day
 */
export const STATS = `
WITH ${SPAN},
events AS MATERIALIZED (SELECT h.* FROM chat_histories h WHERE h.store_id = $1 AND ${within('h.waktu')}),
said AS (
  SELECT count(*) FILTER (WHERE NOT m.from_me)::int AS "in", count(*) FILTER (WHERE m.from_me)::int AS out FROM messages m WHERE m.store_id = $1 AND ${within('m.waktu')}),
begun AS MATERIALIZED (SELECT e.conversation_id, e.waktu FROM events e WHERE e.event IN ('created', 'reopen')),
answered AS (
  SELECT a.user_id, extract(epoch FROM a.waktu - b.waktu) AS seconds FROM begun b CROSS JOIN LATERAL (
    SELECT m.user_id, m.waktu FROM messages m
    WHERE m.store_id = $1 AND m.conversation_id = b.conversation_id AND m.from_me AND m.role = 'agent' AND m.user_id IS NOT NULL AND m.waktu >= b.waktu
    ORDER BY m.seq LIMIT 1) a),
waiting AS (
  SELECT count(*)::int AS n FROM teams t CROSS JOIN LATERAL (
    SELECT 1 FROM conversations c WHERE c.store_id = t.store_id AND c.team_id = t.id AND c.status IN (0, 1) AND c.waiting_since IS NOT NULL) c
  WHERE t.store_id = $1),
taken AS (
  SELECT e.user_to AS user_id, count(DISTINCT (e.conversation_id, e.episode))::int AS n FROM events e WHERE e.event IN ('handle', 'takeover', 'assign') GROUP BY 1),
ended AS (SELECT e.actor_id AS user_id, count(*)::int AS n FROM events e WHERE e.event = 'finish' GROUP BY 1),
speed AS (SELECT a.user_id, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY a.seconds))::int AS median FROM answered a GROUP BY 1),
agents AS (
  SELECT u.user_id, u.nama,
    (SELECT count(*)::int FROM conversations c WHERE c.store_id = $1 AND c.assignee_id = u.user_id AND c.status IN (0, 1)) AS load,
    coalesce(t.n, 0) AS handled, coalesce(e.n, 0) AS finished, s.median
  FROM users u LEFT JOIN taken t USING (user_id) LEFT JOIN ended e USING (user_id) LEFT JOIN speed s USING (user_id) WHERE u.store_id = $1 AND u.aktif)
SELECT json_build_object('chats_opened', (SELECT count(*)::int FROM begun), 'messages_in', said."in", 'messages_out', said.out, 'waiting', waiting.n,
  'agents', coalesce((SELECT json_agg(json_build_object('user_id', a.user_id, 'user_nama', a.nama, 'load', a.load, 'handled', a.handled, 'finished', a.finished,
    'median_first_response', a.median) ORDER BY a.nama, a.user_id) FROM agents a), '[]'::json))::text AS record
FROM said, waiting`;
