import type { EventExpression } from '../automation/public';
import { notificationRecord, notify } from '../notifications/public';
import { epoch, historyRecord, mayBeAsked, minute } from '../records/public';
import { answerable, isOf, visible } from '../tenancy/public';

/** TicketStruct (design 2.8); `t` is a row of tickets. */
export const ticketRecord = (t: string, s: string): string => `json_build_object(
  'ticketId', ${t}.store_id || '.' || ${t}.id, 'nomor', ${t}.nomor, 'chatId', ${t}.store_id || '.' || ${t}.conversation_id, 'nohp', ${t}.nohp, 'instance', ${t}.instance,
  'team', ${t}.team_id, 'customerId', ${t}.customer_id, 'orderId', ${t}.order_id, 'judul', ${t}.judul, 'isi', ${t}.isi, 'kategori', ${t}.kategori, 'prioritas', ${t}.prioritas,
  'status', ${t}.status, 'user_id', ${t}.user_id, 'catatan', ${t}.catatan, 'rating', ${t}.rating, 'feedback', ${t}.feedback,
  'waktu', ${minute(`${t}.created_at`, s)}, 'updated_at', ${minute(`${t}.updated_at`, s)})`;

/** One event of a ticket; `h` is a row of ticket_histories. */
const ticketHistoryRecord = (h: string, s: string): string => `json_build_object(
  'historyId', ${h}.id, 'ticketId', ${h}.store_id || '.' || ${h}.ticket_id, 'event', ${h}.event, 'from_status', ${h}.from_status, 'to_status', ${h}.to_status,
  'actor_type', ${h}.actor_type, 'user_id', ${h}.actor_id,
  'user_nama', (SELECT u.nama FROM users u WHERE u.store_id = ${h}.store_id AND u.user_id = ${h}.actor_id), 'catatan', ${h}.catatan,
  'waktu', ${minute(`${h}.waktu`, s)}, 'timestamp', ${epoch(`${h}.waktu`)})`;

export const CHAT_OF = 'c.store_id = t.store_id AND c.id = t.conversation_id';

/** SQL condition: `$sight` may work on ticket `t`: it is of no team, of one of its teams, given to it, or of a chat that it may answer. */
export const workable = (t: string, sight: string): string =>
  `(${sight}::text[] IS NULL OR ${t}.team_id IS NULL OR ${t}.team_id = ANY (${sight}::text[]) OR ${isOf(`${t}.user_id`, sight)}
    OR EXISTS (SELECT 1 FROM conversations c WHERE c.store_id = ${t}.store_id AND c.id = ${t}.conversation_id AND ${answerable('c', sight)}))`;

/** SQL condition: ticket `t` is visible to `$sight` (null: all); beyond what it may work on, those of open teams and of chats that it sees. */
export const ticketVisible = (t: string, sight: string): string =>
  `(${workable(t, sight)} OR EXISTS (SELECT 1 FROM teams m WHERE m.store_id = ${t}.store_id AND m.id = ${t}.team_id AND NOT m.private)
    OR EXISTS (SELECT 1 FROM conversations c WHERE c.store_id = ${t}.store_id AND c.id = ${t}.conversation_id AND ${visible('c', sight, 'true')}))`;

/** A ticket that the caller sees, and whether they may work on it. $1 store  $2 ticket  $3 sight  $4 groups */
export const FIND = `
  SELECT t.status, ${workable('t', '$3')} AS answerable FROM tickets t
  WHERE t.store_id = $1 AND t.id = $2 AND ($4::boolean OR NOT EXISTS (SELECT 1 FROM conversations c WHERE ${CHAT_OF} AND c.is_group))
    AND ${ticketVisible('t', '$3')}`;

/** Whoever hears of a solved ticket asks its customer how it was, by a number. */
const MAY_BE_ASKED = `t.nohp !~ '@' AND ${mayBeAsked('t')}`;

/** What commerce-api is told of ticket `t`. */
const SOLVED = `json_build_object('storeId', t.store_id, 'event', json_build_object('id', 'ticket:' || t.store_id || '.' || t.id, 'kind', 'ticket_resolved',
  'ticketId', t.store_id || '.' || t.id, 'nohp', t.nohp, 'orderId', t.order_id))`;

/**
 * Moves a ticket from the status that was decided on, with its history, that of its chat, and a notification to whoever works
 * on it, or does nothing; commerce-api hears of one that is resolved or closed and whose customer may be asked how it was. $1 store  $2 ticket  $3 seen status  $4 new status  $5 note or null  $6 actor type  $7 actor or null
 */
export const changeStatus = (event: EventExpression | undefined): string => `
  WITH changed AS (
    UPDATE tickets t SET status = $4, catatan = coalesce($5, t.catatan), updated_at = now() WHERE t.store_id = $1 AND t.id = $2 AND t.status = $3 RETURNING t.*),
  noted AS (
    INSERT INTO ticket_histories (store_id, ticket_id, id, event, from_status, to_status, actor_type, actor_id, catatan)
    SELECT t.store_id, t.id, uuidv7(), 'status', $3, $4, $6, $7, $5 FROM changed t),
  told AS (
    INSERT INTO chat_histories (store_id, conversation_id, id, episode, event, actor_type, actor_id, catatan)
    SELECT c.store_id, c.id, uuidv7(), c.episode, 'ticket_status', $6, $7, t.nomor || ': ' || $4 || coalesce(', ' || $5, '') FROM changed t JOIN conversations c ON ${CHAT_OF} RETURNING *),
  notified AS (${notify(`
    SELECT t.store_id, t.user_id, 'ticket_status' AS type, 'Status ticket ' || t.nomor AS judul, t.judul || ': ' || $4 AS isi, t.conversation_id, NULL::text AS pesan_id, 1 AS count
    FROM changed t WHERE t.user_id IS NOT NULL AND t.user_id IS DISTINCT FROM $7`)}),
  events AS MATERIALIZED (
    SELECT ${event ? `(${event(SOLVED, `'ticket.' || t.store_id || '.' || t.id`)}).id` : 'NULL'} AS id FROM changed t WHERE $4 IN ('resolved', 'closed') AND ${MAY_BE_ASKED})
  SELECT (SELECT ${historyRecord('h', 's')} FROM told h) AS history,
    (SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', 'c', 's')}))
     FROM notified n LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id) AS notified
  FROM changed t JOIN stores s ON s.store_id = t.store_id WHERE (SELECT count(*) FROM events) >= 0`;

/** The last 50 events of ticket `t`, oldest first. */
export const ticketHistory = (
  t: string,
  s: string,
): string => `coalesce((SELECT json_agg(${ticketHistoryRecord('h', s)} ORDER BY h.id) FROM (
      SELECT * FROM ticket_histories x WHERE x.store_id = ${t}.store_id AND x.ticket_id = ${t}.id ORDER BY x.id DESC LIMIT 50) h), '[]'::json)`;

/** $1 store  $2 ticket */
export const ANSWER = `
  SELECT json_build_object('data', ${ticketRecord('t', 's')}, 'history', ${ticketHistory('t', 's')})::text AS body
  FROM tickets t JOIN stores s ON s.store_id = t.store_id WHERE t.store_id = $1 AND t.id = $2`;
