import { notificationRecord, notify } from '../notifications/public';
import { homeTeam } from '../tenancy/public';
import { historyRecord, gained, gains, moved } from '../records/public';

/** Whether `jam_tenang` of campaign `b` holds now on the wall clock of store `s`, by the clock of the database; it may span midnight. */
const quiet = (b: string, s: string): string => {
  const [at, from, to] = [
    `(now() AT TIME ZONE ${s}.tz)::time`,
    `(${b}.body->'jam_tenang'->>'from')::time`,
    `(${b}.body->'jam_tenang'->>'to')::time`,
  ];
  return `coalesce(CASE WHEN ${from} <= ${to} THEN ${at} >= ${from} AND ${at} < ${to} ELSE ${at} >= ${from} OR ${at} < ${to} END, false)`;
};

/** Whether store `s` may send campaigns: commerce-api says when its plan has ended, or the platform has suspended it. */
export const sends = (s: string): string => `${s}.settings->'sends' IS DISTINCT FROM 'false'::jsonb`;

/** Whether the device of campaign `b` is still the store's. */
export const hasDevice = (b: string): string =>
  `EXISTS (SELECT 1 FROM devices d WHERE d.store_id = ${b}.store_id AND d.instance = ${b}.instance)`;

/** Why a customer gets nothing, or null. */
export const barred = (k: string): string =>
  `CASE WHEN ${k}.opt_out THEN 'berhenti berlangganan' WHEN ${k}.blokir THEN 'diblokir' END`;

/**
 * Locks the campaign and names its next recipient. No row: it is not sending, has a row that has not left, or keeps quiet, or its
 * store may not send, or its device is gone. All but these two stand in the locked row itself, so it is true of its latest version, and so
 * is the recipient, whom the shop may have erased meanwhile. One who hides the number and is known by it now is written to by it: what they say of
 * messages stands with the number; who has the message by another of their names gets no second one. It waits for the lock: whoever holds it may just be counting an acknowledgement. A row without nohp: nobody is left. $1 store $2 campaign
 */
export const NEXT = `
WITH b AS MATERIALIZED (
  SELECT b.* FROM broadcasts b JOIN stores s ON s.store_id = b.store_id
  WHERE b.store_id = $1 AND b.id = $2 AND b.status = 'sending' AND b.in_flight IS NULL AND NOT ${quiet('b', 's')} AND ${sends('s')} AND ${hasDevice('b')}
  FOR UPDATE OF b)
SELECT b.instance, coalesce(${homeTeam('b.store_id', 'b.team_id')}, b.team_id) AS team, b.body, r.nohp, coalesce(a.nohp, r.nohp) AS number, r.ord, coalesce(r.nama, k.nama) AS nama, r.params,
  coalesce(${barred('k')}, CASE WHEN EXISTS (SELECT 1 FROM broadcast_recipients o WHERE o.store_id = b.store_id AND o.broadcast_id = b.id AND o.nohp = a.nohp)
    OR EXISTS (
      SELECT 1 FROM conversation_aliases w JOIN broadcast_recipients o ON o.store_id = b.store_id AND o.broadcast_id = b.id AND o.nohp = w.alias AND o.status BETWEEN 1 AND 3
      WHERE w.store_id = b.store_id AND w.instance = b.instance AND w.nohp = coalesce(a.nohp, r.nohp)) THEN 'nomor yang sama' END) AS barred,
  (SELECT c.id FROM conversations c WHERE c.store_id = b.store_id AND c.instance = b.instance AND c.nohp = coalesce(a.nohp, r.nohp)) AS "conversationId"
FROM b
LEFT JOIN LATERAL (
  SELECT * FROM broadcast_recipients r WHERE r.store_id = b.store_id AND r.broadcast_id = b.id AND r.ord > b.filled AND r.status = 0 ORDER BY r.ord LIMIT 1 FOR NO KEY UPDATE) r ON true
LEFT JOIN LATERAL (
  SELECT a.nohp FROM conversation_aliases a WHERE r.nohp LIKE ANY ('{%@lid,%@bsuid}') AND a.store_id = b.store_id AND a.instance = b.instance AND a.alias = r.nohp OFFSET 0) a ON true
LEFT JOIN customers k ON k.store_id = b.store_id AND k.nohp = coalesce(a.nohp, r.nohp)`;

/** Notes that the recipient has a message and a row in the outbox now, in the chat's history too; it is known as its chat is. $1 store $2 campaign $3 nohp $4 pesan_id $5 conversation $6 seq $7 row */
export const TAKEN = `
WITH taken AS (
  UPDATE broadcast_recipients SET nohp = (SELECT c.nohp FROM conversations c WHERE c.store_id = $1 AND c.id = $5::uuid), pesan_id = $4, conversation_id = $5::uuid, seq = $6, updated_at = now()
  WHERE store_id = $1 AND broadcast_id = $2 AND nohp = $3 RETURNING ord),
b AS (UPDATE broadcasts b SET filled = t.ord, in_flight = $7::bigint FROM taken t WHERE b.store_id = $1 AND b.id = $2 RETURNING b.*),
told AS (
  INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, actor_type, actor_id, catatan)
  SELECT c.store_id, c.id, uuidv7(), c.episode, 'broadcast', b.actor_type, b.actor_id, b.nama FROM b JOIN conversations c ON c.store_id = b.store_id AND c.id = $5::uuid RETURNING *)
SELECT ${historyRecord('h', 's')} AS history FROM told h JOIN stores s ON s.store_id = h.store_id`;

/** A recipient who opted out or was blocked since the campaign began, or whose message exists already ($5 4). $1 store $2 campaign $3 nohp $4 reason $5 status */
export const PASS_OVER = `
WITH passed AS (
  UPDATE broadcast_recipients SET status = $5::smallint, error = $4, updated_at = now() WHERE store_id = $1 AND broadcast_id = $2 AND nohp = $3 RETURNING ord)
UPDATE broadcasts b SET filled = p.ord, valid = b.valid - ($5 = 5)::int, opt_out = b.opt_out + ($5 = 5)::int, gagal = b.gagal + ($5 = 4)::int
FROM passed p WHERE b.store_id = $1 AND b.id = $2`;

/**
 * A bulk row has ended: its recipient moves, and the campaign may take the next one. A message that failed meanwhile, by a
 * callback that overtook the answer, stays failed. $1 store $2 campaign $3 nohp $4 pesan_id $5 instance $6 status $7 reason or null $8 row
 */
export const ENDED = `
WITH ${moved(`
  SELECT m.store_id, m.broadcast_id::uuid AS broadcast_id, $3::text AS nohp, m.pesan_id, $6::smallint AS status, $7::text AS error FROM messages m
  WHERE m.store_id = $1 AND m.instance = $5 AND m.pesan_id = $4 AND ($6 = 4 OR m.failed_at IS NULL)`)}
UPDATE broadcasts b SET ${gained}, in_flight = nullif(b.in_flight, $8::bigint) FROM (SELECT ${gains} FROM movements) d
WHERE b.store_id = $1 AND b.id = $2`;

/** Tells the maker of the campaigns in `ended` what became of them; the rows that `NotificationAnnouncer` takes. */
const toMaker = (ended: string, type: string, judul: string, isi: string): string => `
notified AS (${notify(`
  SELECT d.store_id, d.actor_id AS user_id, '${type}' AS type, '${judul}' AS judul, d.nama || ': ' || ${isi} AS isi,
    NULL::uuid AS conversation_id, NULL::text AS pesan_id, 1 AS count
  FROM ${ended} d WHERE d.actor_id IS NOT NULL`)})
SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', 'c', 's')})) AS notified, (SELECT count(*)::int FROM ${ended}) AS ended
FROM notified n JOIN stores s ON s.store_id = n.store_id LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id`;

/** No recipient is left: the campaign is done, and its maker is notified. $1 store $2 campaign */
export const DONE = `
WITH done AS (
  UPDATE broadcasts SET status = 'done', finished_at = now() WHERE store_id = $1 AND id = $2 AND status = 'sending' AND in_flight IS NULL RETURNING *),
${toMaker('done', 'broadcast_done', 'Broadcast selesai', "d.terkirim || ' terkirim, ' || d.gagal || ' gagal'")}`;

/** It cannot go on, and its maker is notified; who is left stays. $1 store $2 campaign $3 from $4 to $5 why $6 also with a row that has not left */
export const STOP = `
WITH stopped AS (
  UPDATE broadcasts SET status = $4::text, tries = 0, finished_at = CASE WHEN $4::text = 'failed' THEN now() END
  WHERE store_id = $1 AND id = $2 AND status = $3 AND ($6::boolean OR in_flight IS NULL) RETURNING *),
${toMaker('stopped', 'broadcast_stopped', 'Broadcast berhenti', '$5::text')}`;

/** Counts a try before it is made, so that one that kills the process is counted too. No row: there is nothing to try. $1 store $2 campaign $3 status */
export const TRY = `
UPDATE broadcasts SET tries = tries + 1 WHERE store_id = $1 AND id = $2 AND status = $3 AND in_flight IS NULL RETURNING tries`;

/** The try was none too many. $1 store $2 campaign */
export const TRIED = `UPDATE broadcasts SET tries = 0 WHERE store_id = $1 AND id = $2 AND tries > 0`;

export const IS_SENDING = `SELECT EXISTS (SELECT 1 FROM broadcasts WHERE store_id = $1 AND id = $2 AND status = 'sending') AS sending`;
