import { minute, gained, gains, moved } from '../records/public';
import { barred, hasDevice, sends } from './fill.sql';

/** BroadcastStruct (design 2.8); `b` is a row of broadcasts. */
const broadcastRecord = (b: string, s: string): string => `json_build_object(
  'broadcastId', ${b}.store_id || '.' || ${b}.id, 'nama', ${b}.nama, 'instance', ${b}.instance, 'team', ${b}.team_id, 'status', ${b}.status, 'total', ${b}.total,
  'valid', ${b}.valid, 'duplikat', ${b}.duplikat, 'tidak_valid', ${b}.tidak_valid, 'opt_out', ${b}.opt_out, 'terkirim', ${b}.terkirim, 'delivered', ${b}.delivered,
  'viewed', ${b}.viewed, 'gagal', ${b}.gagal, 'jadwal', ${minute(`${b}.jadwal`, s)}, 'meta', ${b}.meta, 'waktu', ${minute(`${b}.created_at`, s)})`;

export const recipientStatuses = ['pending', 'sent', 'delivered', 'viewed', 'failed', 'skipped'] as const;
const statusNames = `ARRAY[${recipientStatuses.map((name) => `'${name}'`).join(',')}]`;

/** $1 store  $2 campaign */
export const FIND = `
  SELECT ${broadcastRecord('b', 's')} AS record FROM broadcasts b JOIN stores s ON s.store_id = b.store_id WHERE b.store_id = $1 AND b.id = $2`;

/** A draft; no row when the id is taken. $1 store $2 id $3 instance $4 team $5 name $6 body $7 meta or null $8 actor type $9 actor or null */
export const CREATE = `
  INSERT INTO broadcasts AS b (store_id, id, instance, team_id, nama, body, meta, actor_type, actor_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (store_id, id) DO NOTHING RETURNING b.id`;

/**
 * The same, or another content for one that has not begun; no row when it has. With $10, its name, status and meta as they were seen, also none
 * when it is otherwise or gone by now: the caller has locked it.
 */
export const SAVE = `
  INSERT INTO broadcasts AS b (store_id, id, instance, team_id, nama, body, meta, actor_type, actor_id)
  SELECT $1, $2::uuid, $3, $4, $5, $6::jsonb, $7::jsonb, $8, $9
  WHERE $10::jsonb IS NULL OR EXISTS (SELECT 1 FROM broadcasts o WHERE o.store_id = $1 AND o.id = $2::uuid)
  ON CONFLICT (store_id, id) DO UPDATE SET instance = excluded.instance, team_id = excluded.team_id, nama = excluded.nama, body = excluded.body, meta = excluded.meta
  WHERE b.status IN ('draft', 'scheduled') AND ($10::jsonb IS NULL OR jsonb_build_object('nama', b.nama, 'status', b.status, 'meta', b.meta) = $10::jsonb) RETURNING b.id`;

/** A number is one recipient however often it comes; who was there already counts nothing, so a repetition is harmless. */
const counted = (occurrences: string, input = ''): string => `
counted AS (
  UPDATE broadcasts b SET total = b.total + d.total, valid = b.valid + d.valid, duplikat = b.duplikat + d.total - d.added, tidak_valid = b.tidak_valid + d.invalid,
    opt_out = b.opt_out + d.added - d.valid - d.invalid
  FROM (SELECT count(*)::int AS added, count(*) FILTER (WHERE a.status = 0)::int AS valid, count(*) FILTER (WHERE a.error = 'nomor tidak valid')::int AS invalid,
          coalesce(sum(${occurrences}), 0)::int AS total FROM added a ${input}) d
  WHERE b.store_id = $1 AND b.id = $2)`;

/**
 * Adds recipients to a campaign that the caller has locked. Each is looked up by its number (OFFSET keeps it from being joined): planned for a
 * store of common size, the join would read every customer of a large one. `times`: how often the number came in this call. $1 store $2 campaign $3 recipients */
export const ADD = `
WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($3::json) AS i (ord int, nohp text, valid boolean, nama text, params jsonb, times int)),
added AS (
  INSERT INTO broadcast_recipients (store_id, broadcast_id, nohp, nama, params, status, error)
  SELECT $1, $2, i.nohp, i.nama, coalesce(i.params, '{}'), CASE WHEN i.valid AND ${barred('k')} IS NULL THEN 0 ELSE 5 END, CASE WHEN i.valid THEN ${barred('k')} ELSE 'nomor tidak valid' END
  FROM input i LEFT JOIN LATERAL (SELECT * FROM customers k WHERE k.store_id = $1 AND k.nohp = i.nohp OFFSET 0) k ON true ORDER BY i.ord
  ON CONFLICT DO NOTHING RETURNING nohp, status, error),
${counted('i.times', 'JOIN input i USING (nohp)')} SELECT 1`;

/** Adds the customers that a filter means, or none when they are too many; `found` says how many. Dates are days of the store's calendar. $1 store $2 campaign $3 filter $4 most */
export const ADD_AUDIENCE = `
WITH f AS MATERIALIZED (
  SELECT s.tz, b.instance, f.*, (SELECT array_agg(lower(kota)) FROM unnest(f.kota) kota) AS cities
  FROM json_to_record($3::json) AS f (tag text[], kota text[], last_order_from date, last_order_to date, total_order_min int, last_chat_from date)
  CROSS JOIN broadcasts b JOIN stores s ON s.store_id = b.store_id WHERE b.store_id = $1 AND b.id = $2),
meant AS MATERIALIZED (
  SELECT k.id, k.nohp, ${barred('k')} AS barred FROM customers k CROSS JOIN f
  WHERE k.store_id = $1 AND k.nohp NOT LIKE '%@g.us' AND (f.tag IS NULL OR k.tags && f.tag) AND (f.cities IS NULL OR lower(k.kota) = ANY (f.cities))
    AND (f.last_order_from IS NULL OR k.last_order_at >= f.last_order_from::timestamp AT TIME ZONE f.tz)
    AND (f.last_order_to IS NULL OR k.last_order_at < (f.last_order_to + 1)::timestamp AT TIME ZONE f.tz)
    AND (f.total_order_min IS NULL OR k.total_order >= f.total_order_min)
    AND (f.last_chat_from IS NULL OR EXISTS (
      SELECT 1 FROM conversations c WHERE c.store_id = k.store_id AND c.instance = f.instance AND c.nohp = k.nohp AND c.last_at >= f.last_chat_from::timestamp AT TIME ZONE f.tz))
  LIMIT $4::int + 1),
added AS (
  INSERT INTO broadcast_recipients (store_id, broadcast_id, nohp, status, error)
  SELECT $1, $2, m.nohp, CASE WHEN m.barred IS NULL THEN 0 ELSE 5 END, m.barred FROM meant m WHERE (SELECT count(*) FROM meant) <= $4::int ORDER BY m.id
  ON CONFLICT DO NOTHING RETURNING nohp, status, error),
${counted('1')} SELECT count(*)::int AS found FROM meant`;

/**
 * From one of the states that were given to another; no row otherwise, nor when another filling has begun. $1 store $2 campaign $3 from $4 to
 * $5 time of the start or null $6 filling or null $7 for its meta or null
 */
export const MOVE = `
  UPDATE broadcasts SET status = $4, jadwal = coalesce($5::timestamptz, jadwal), finished_at = CASE WHEN $4 IN ('cancelled', 'failed') THEN now() END,
    meta = CASE WHEN $7::jsonb IS NULL THEN meta ELSE coalesce(meta, '{}') || $7::jsonb END
  WHERE store_id = $1 AND id = $2 AND status = ANY ($3::text[]) AND ($6::uuid IS NULL OR filling = $6::uuid) RETURNING body->'filter' AS filter`;

/** Its file, and the campaign locked. $1 store $2 campaign */
export const LOCK_MEDIA = `SELECT body->'content'->'media' AS media FROM broadcasts WHERE store_id = $1 AND id = $2 FOR UPDATE`;

/** A draft with its recipients. $1 store $2 campaign */
export const REMOVE = `
WITH gone AS (DELETE FROM broadcasts WHERE store_id = $1 AND id = $2 AND status = 'draft' RETURNING store_id, id),
emptied AS (DELETE FROM broadcast_recipients r USING gone g WHERE r.store_id = g.store_id AND r.broadcast_id = g.id)
SELECT id FROM gone`;

/** Locks a campaign that has not begun until the end of the transaction; no row either when another filling than $3 has begun. */
export const LOCK_DRAFT = `
  SELECT id FROM broadcasts WHERE store_id = $1 AND id = $2 AND status IN ('draft', 'scheduled') AND ($3::uuid IS NULL OR filling = $3::uuid) FOR UPDATE`;

/** Of a campaign that the caller has locked, and that has not begun. $1 store $2 campaign $3 the filling that begins, or null */
export const EMPTY = `
WITH emptied AS (DELETE FROM broadcast_recipients WHERE store_id = $1 AND broadcast_id = $2)
UPDATE broadcasts SET status = 'draft', jadwal = NULL, filling = $3::uuid, total = 0, valid = 0, duplikat = 0, tidak_valid = 0, opt_out = 0
WHERE store_id = $1 AND id = $2`;

/** Newest first, one range of broadcasts_newest. $1 store $2 status or null $3 time and $4 id to go on from $5 limit */
export const LIST = `
  SELECT ${broadcastRecord('b', 's')}::text AS record, b.created_at::text AS "lastAt", b.id
  FROM broadcasts b JOIN stores s ON s.store_id = b.store_id
  WHERE b.store_id = $1 AND ($2::text IS NULL OR b.status = $2) AND (b.created_at, b.id) < ($3::timestamptz, $4::uuid)
  ORDER BY b.created_at DESC, b.id DESC LIMIT $5::int`;

/** In the order of sending. $1 store $2 campaign $3 status or null $4 place to go on from $5 limit */
export const RECIPIENTS = `
  SELECT json_build_object('nohp', r.nohp, 'nama', coalesce(r.nama, (SELECT k.nama FROM customers k WHERE k.store_id = r.store_id AND k.nohp = r.nohp)),
    'status', (${statusNames})[r.status + 1], 'error', r.error,
    'chatInboxId', r.store_id || '.' || r.conversation_id || '.' || r.seq, 'waktu', ${minute('r.updated_at', 's')})::text AS record, r.ord
  FROM broadcast_recipients r JOIN stores s ON s.store_id = r.store_id
  WHERE r.store_id = $1 AND r.broadcast_id = $2 AND ($3::smallint IS NULL OR r.status = $3::smallint) AND r.ord > $4::bigint
  ORDER BY r.ord LIMIT $5::int`;

/** Locks a campaign whose time has come until the end of the transaction; no row when it was postponed since. $1 store $2 campaign */
export const LOCK_DUE = `SELECT id FROM broadcasts WHERE store_id = $1 AND id = $2 AND status = 'scheduled' AND jadwal <= now() FOR UPDATE`;

/**
 * Scheduled ones whose time has come by the clock of the database, which all processes share, and whether their store may send. $1 store or null
 * $2 limit $3 those that are left out
 */
export const DUE = `
  SELECT b.store_id AS "storeId", b.id AS "broadcastId", ${sends('s')} AS sends FROM broadcasts b JOIN stores s ON s.store_id = b.store_id
  WHERE b.status = 'scheduled' AND b.jadwal <= now() AND ($1::text IS NULL OR b.store_id = $1) AND b.id <> ALL ($3::uuid[])
  ORDER BY b.jadwal LIMIT $2::int`;

/** That will never go out, or on: their device is gone. $1 store or null */
export const DEVICELESS = `
  SELECT b.store_id AS "storeId", b.id AS "broadcastId", b.status FROM broadcasts b
  WHERE b.status IN ('scheduled', 'sending') AND ($1::text IS NULL OR b.store_id = $1) AND NOT ${hasDevice('b')}`;

/**
 * The outbox gives up a row unreported when its report could not be written for long. The recipient of such
 * a row fails, and the campaign has nothing in flight; a campaign that has moved on meanwhile is left alone. $1 store or null
 */
export const RELEASE = `
WITH lost AS MATERIALIZED (
  SELECT b.store_id, b.id, b.filled, b.in_flight FROM broadcasts b
  WHERE b.status = 'sending' AND b.in_flight IS NOT NULL AND ($1::text IS NULL OR b.store_id = $1)
    AND NOT EXISTS (SELECT 1 FROM outbox_row r WHERE r.id = b.in_flight AND r.state IN ('queued', 'blocked'))),
${moved(`
  SELECT l.store_id, l.id AS broadcast_id, r.nohp, r.pesan_id, 4 AS status, 'tidak terkirim' AS error
  FROM lost l JOIN broadcast_recipients r ON r.store_id = l.store_id AND r.broadcast_id = l.id AND r.ord = l.filled`)}
UPDATE broadcasts b SET ${gained}, in_flight = NULL FROM (
  SELECT l.store_id, l.id, l.in_flight, ${gains} FROM lost l LEFT JOIN movements m ON m.store_id = l.store_id AND m.broadcast_id = l.id GROUP BY 1, 2, 3) d
WHERE b.store_id = d.store_id AND b.id = d.id AND b.in_flight = d.in_flight`;

/** Sending campaigns that have nothing in flight: after quiet hours, a failure, or because their store may not send. $1 store or null */
export const IDLE = `
  SELECT b.store_id AS "storeId", b.id AS "broadcastId", ${sends('s')} AS sends FROM broadcasts b JOIN stores s ON s.store_id = b.store_id
  WHERE b.status = 'sending' AND b.in_flight IS NULL AND ($1::text IS NULL OR b.store_id = $1)`;
