import { epoch, minute } from '../records/public';

/** NotifStruct (design 2.8); `n` is a row of notifications, `c` its chat or nothing. */
export const notificationRecord = (n: string, c: string, s: string): string => `json_build_object(
  'notifId', ${n}.store_id || '.' || ${n}.id, 'type', ${n}.type, 'judul', ${n}.judul, 'isi', ${n}.isi, 'chatId', ${n}.store_id || '.' || ${n}.conversation_id,
  'nohp', ${c}.nohp, 'instance', ${c}.instance, 'team', ${c}.team_id, 'pesan_id', ${n}.pesan_id, 'count', ${n}.count, 'is_read', ${n}.read_at IS NOT NULL,
  'waktu', ${minute(`${n}.waktu`, s)}, 'timestamp', ${epoch(`${n}.waktu`)}, 'read_at', ${epoch(`${n}.read_at`)})`;

/**
 * Writes notifications inside the caller's statement. `source` yields store_id, user_id, type, judul, isi, conversation_id,
 * pesan_id, count; at most one row per user, chat and type. Unread ones of a user, chat and type coalesce into one row that
 * counts; rows are locked in one order, so that two statements never wait for each other in a circle.
 */
export const notify = (source: string): string => `
  INSERT INTO notifications AS n (store_id, user_id, type, judul, isi, conversation_id, pesan_id, count)
  SELECT x.store_id, x.user_id, x.type, x.judul, x.isi, x.conversation_id, x.pesan_id, x.count FROM (${source}) x
  ORDER BY x.store_id, x.user_id, x.conversation_id, x.type
  ON CONFLICT (store_id, user_id, conversation_id, type) WHERE read_at IS NULL
  DO UPDATE SET count = n.count + excluded.count, judul = excluded.judul, isi = excluded.isi, pesan_id = excluded.pesan_id, waktu = now()
  RETURNING n.*`;

/** What `NotificationAnnouncer` takes: the rows of `notified` (RETURNING of `notify`) that belong to chat `c`. */
export const notifiedList = (notified: string, c: string, s: string): string => `(
  SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', c, s)}))
  FROM ${notified} n WHERE n.store_id = ${c}.store_id AND n.conversation_id = ${c}.id)`;

/** In the order in which `notify` takes them. */
const LOCKED = 'ORDER BY n.conversation_id, n.type FOR UPDATE OF n';
const OF_USER = 'n.store_id = $1 AND n.user_id = $2';

/**
 * One range of notifications_newest: one that counts on is news again, whenever it began. $3, $4 instant and id of the last one
 * shown  $5 limit  $6 is_read  $7 type  $8 instance  $9 team
 */
export const LIST = `
  SELECT n.id, n.waktu::text AS "lastAt", ${notificationRecord('n', 'c', 's')}::text AS record
  FROM (
    SELECT n.* FROM notifications n
    WHERE ${OF_USER} AND (n.waktu, n.id) < ($3::timestamptz, $4::uuid) AND ($6::boolean IS NULL OR (n.read_at IS NOT NULL) = $6::boolean)
      AND ($7::text IS NULL OR n.type = $7) AND ($8::text IS NULL AND $9::text IS NULL OR EXISTS (
        SELECT 1 FROM conversations c WHERE c.store_id = n.store_id AND c.id = n.conversation_id AND ($8::text IS NULL OR c.instance = $8) AND ($9::text IS NULL OR c.team_id = $9)))
    ORDER BY n.waktu DESC, n.id DESC LIMIT $5::int) n
  JOIN stores s ON s.store_id = n.store_id LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id
  ORDER BY n.waktu DESC, n.id DESC`;

/** Counters of several users in one statement: unread on the partial index, all on the primary key, both capped. $1 pairs */
export const TOTALS = `
  SELECT i.store, i."user",
    (SELECT count(*)::int FROM (SELECT 1 FROM notifications n WHERE n.store_id = i.store AND n.user_id = i."user" AND n.read_at IS NULL LIMIT 1000) few) AS unread,
    (SELECT count(*)::int FROM (SELECT 1 FROM notifications n WHERE n.store_id = i.store AND n.user_id = i."user" LIMIT 10000) many) AS total
  FROM json_to_recordset($1::json) AS i (store text, "user" text)`;

/** `found` counts the ids that are this user's, read or not. $3 ids */
export const MARK_READ = `
  WITH own AS MATERIALIZED (SELECT n.id FROM notifications n WHERE ${OF_USER} AND n.id = ANY ($3::uuid[]) ${LOCKED}),
  marked AS (UPDATE notifications n SET read_at = now() FROM own WHERE ${OF_USER} AND n.id = own.id AND n.read_at IS NULL RETURNING 1)
  SELECT (SELECT count(*)::int FROM own) AS found, (SELECT count(*)::int FROM marked) AS updated`;

/** $3 type or null  $4 team or null */
export const READ_ALL = `
  WITH own AS MATERIALIZED (
    SELECT n.id FROM notifications n
    WHERE ${OF_USER} AND n.read_at IS NULL AND ($3::text IS NULL OR n.type = $3)
      AND ($4::text IS NULL OR EXISTS (SELECT 1 FROM conversations c WHERE c.store_id = n.store_id AND c.id = n.conversation_id AND c.team_id = $4)) ${LOCKED}),
  marked AS (UPDATE notifications n SET read_at = now() FROM own WHERE ${OF_USER} AND n.id = own.id RETURNING 1)
  SELECT count(*)::int AS updated FROM marked`;
