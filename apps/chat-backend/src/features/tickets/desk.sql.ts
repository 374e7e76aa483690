import { notificationRecord, notify } from '../notifications/public';
import { listRecord, minute, ticketNumber } from '../records/public';
import { answerable, anyDevice, knownBy } from '../tenancy/public';
import { CHAT_OF, ticketHistory, ticketRecord, ticketVisible, workable } from './ticket.sql';

/** Whether the chat may be answered, and the chat locked, so that it stays so until the end of the transaction. $1 store  $2 chat  $3 sight */
export const LOCK_CHAT = `SELECT ${answerable('c', '$3')} AS answerable FROM conversations c WHERE c.store_id = $1 AND c.id = $2::uuid FOR UPDATE OF c`;

/** The number of a hidden id that has no chat of its own on some device of the store. $1 store  $2 hidden id */
export const NUMBER_OF = `
  SELECT k.nohp FROM devices d CROSS JOIN LATERAL (SELECT ${knownBy('$1', 'd.instance', '$2')} AS nohp) k WHERE d.store_id = $1 AND k.nohp <> $2 LIMIT 1`;

/** One reply; `r` is a row of ticket_replies. */
const replyRecord = (r: string, s: string): string => `json_build_object(
  'balasanId', ${r}.id, 'waktu', ${minute(`${r}.waktu`, s)}, 'user_id', ${r}.user_id,
  'user_nama', (SELECT u.nama FROM users u WHERE u.store_id = ${r}.store_id AND u.user_id = ${r}.user_id), 'pesan', ${r}.pesan, 'url', ${r}.url)`;

const notified = (n: string): string => `(
  SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', 'c', 's')}))
  FROM ${n} n LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id)`;

/** Notifies whoever is to work on ticket row `t`. */
const told = (t: string): string =>
  notify(`
    SELECT t.store_id, t.user_id, 'ticket_status' AS type, 'Ticket ' || t.nomor || ' ditugaskan kepada Anda' AS judul, t.judul AS isi, t.conversation_id,
      NULL::text AS pesan_id, 1 AS count
    FROM ${t} t WHERE t.user_id IS NOT NULL`);

/**
 * Opens a ticket about the newest chat of a number, or about the number when it has no chat, and names it on the chat. A
 * ticket that has this id already is left as it is (no row). The number counts up per store; when the id is taken at this
 * moment the whole statement fails (23505), so no number is lost. Somebody with a sight opens it about a chat that they may answer, and about
 * a number without any (no row: it has others).
 * $1 store  $2 ticket  $3 nohp  $4 judul  $5 isi  $6 kategori  $7 prioritas  $8 order  $9 user  $10 sight
 */
export const OPEN = `
WITH present AS (SELECT 1 FROM tickets WHERE store_id = $1 AND id = $2::uuid),
chats AS MATERIALIZED (
  SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.nohp = $3 AND c.instance = ${anyDevice('$1')}),
chat AS MATERIALIZED (SELECT c.* FROM chats c WHERE ${answerable('c', '$10')} ORDER BY c.last_at DESC LIMIT 1),
number AS (
  INSERT INTO ticket_numbers AS n (store_id, last)
  SELECT $1, 1 WHERE NOT EXISTS (SELECT 1 FROM present) AND (EXISTS (SELECT 1 FROM chat) OR NOT EXISTS (SELECT 1 FROM chats))
  ON CONFLICT (store_id) DO UPDATE SET last = n.last + 1 RETURNING last),
made AS (
  INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, instance, team_id, customer_id, order_id, judul, isi, kategori, prioritas, user_id)
  SELECT $1, $2::uuid, ${ticketNumber('n.last')}, c.id, $3, c.instance, c.team_id,
    coalesce(c.customer_id, (SELECT k.id FROM customers k WHERE k.store_id = $1 AND k.nohp = $3)), $8, $4, $5, $6, coalesce($7, 'medium'), $9
  FROM number n LEFT JOIN chat c ON true
  RETURNING *),
noted AS (
  INSERT INTO ticket_histories (store_id, ticket_id, id, event, to_status, actor_type, catatan)
  SELECT t.store_id, t.id, uuidv7(), 'created', t.status, 'system', t.judul FROM made t RETURNING 1),
named AS (
  UPDATE conversations c SET ticket_id = t.id::text, version = c.version + 1 FROM made t WHERE ${CHAT_OF} RETURNING c.*),
told AS (${told('made')})
SELECT (SELECT ${listRecord('c', 'k', 's')} FROM named c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id) AS list,
  ${notified('told')} AS notified, (SELECT count(*) FROM noted)::int AS noted
FROM made t JOIN stores s ON s.store_id = t.store_id`;

/**
 * One range of tickets_newest, newest first. $1 store  $2 time and  $3 id of the last one shown  $4 limit  $5 status  $6 prioritas
 * $7 user  $8 nohp  $9 pattern over number, title, text and customer  $10 sight
 */
export const LIST = `
  SELECT ${ticketRecord('t', 's')}::text AS record, t.id, t.created_at::text AS "lastAt"
  FROM tickets t JOIN stores s ON s.store_id = t.store_id
  WHERE t.store_id = $1 AND (t.created_at, t.id) < ($2::timestamptz, $3::uuid) AND ($5::text IS NULL OR t.status = $5) AND ($6::text IS NULL OR t.prioritas = $6)
    AND ($7::text IS NULL OR t.user_id = $7) AND ($8::text IS NULL OR t.nohp = $8)
    AND ($9::text IS NULL OR t.nomor ILIKE $9 OR t.judul ILIKE $9 OR t.isi ILIKE $9 OR t.nohp ILIKE $9)
    AND ${ticketVisible('t', '$10')}
  ORDER BY t.created_at DESC, t.id DESC LIMIT $4::int`;

/** A ticket that `$sight` sees; a whole one also with its replies and history. $3 whole  $4 sight */
export const TICKET = `
  SELECT CASE WHEN $3::boolean THEN (${ticketRecord('t', 's')})::jsonb || jsonb_build_object(
    'balasan', coalesce((SELECT json_agg(${replyRecord('r', 's')} ORDER BY r.waktu, r.id) FROM ticket_replies r WHERE r.store_id = t.store_id AND r.ticket_id = t.id), '[]'::json),
    'history', ${ticketHistory('t', 's')}) ELSE (${ticketRecord('t', 's')})::jsonb END::text AS record,
    t.status, t.user_id AS "userId", t.rating, t.nohp, t.judul, t.isi, t.conversation_id AS "conversationId", ${workable('t', '$4')} AS workable
  FROM tickets t JOIN stores s ON s.store_id = t.store_id WHERE t.store_id = $1 AND t.id = $2::uuid AND ${ticketVisible('t', '$4')}`;

/** Gives an open ticket to another user, with its history. No row: it is that user's already, closed, or not `$sight`'s to give. $3 user  $4 sight */
export const ASSIGN = `
WITH changed AS (
  UPDATE tickets t SET user_id = $3, updated_at = now() WHERE t.store_id = $1 AND t.id = $2::uuid AND t.status <> 'closed' AND t.user_id IS DISTINCT FROM $3
    AND ${workable('t', '$4')} RETURNING t.*),
noted AS (
  INSERT INTO ticket_histories (store_id, ticket_id, id, event, actor_type, catatan)
  SELECT t.store_id, t.id, uuidv7(), 'assign', 'system', (SELECT u.nama FROM users u WHERE u.store_id = t.store_id AND u.user_id = t.user_id) FROM changed t RETURNING 1),
told AS (${told('changed')})
SELECT ${notified('told')} AS notified, (SELECT count(*) FROM noted)::int AS noted FROM changed t JOIN stores s ON s.store_id = t.store_id`;

/** The customer's mark, once. $3 rating  $4 feedback */
export const RATE = `
WITH changed AS (
  UPDATE tickets t SET rating = $3::smallint, feedback = $4, updated_at = now() WHERE t.store_id = $1 AND t.id = $2::uuid AND t.rating IS NULL RETURNING t.*)
INSERT INTO ticket_histories (store_id, ticket_id, id, event, actor_type, catatan)
SELECT t.store_id, t.id, uuidv7(), 'rating', 'customer', concat_ws(': ', t.rating, t.feedback) FROM changed t RETURNING 1 AS yes`;

/** Keeps a reply of somebody who may work on the ticket; the same id again changes nothing (no row). $3 reply  $4 user  $5 text  $6 url  $7 sight */
export const REPLY = `
WITH made AS (
  INSERT INTO ticket_replies (store_id, ticket_id, id, user_id, pesan, url)
  SELECT t.store_id, t.id, $3::uuid, $4, $5, $6 FROM tickets t WHERE t.store_id = $1 AND t.id = $2::uuid AND t.status <> 'closed' AND ${workable('t', '$7')}
  ON CONFLICT DO NOTHING RETURNING *),
touched AS (UPDATE tickets t SET updated_at = now() FROM made r WHERE t.store_id = r.store_id AND t.id = r.ticket_id RETURNING 1)
INSERT INTO ticket_histories (store_id, ticket_id, id, event, actor_type, actor_id)
SELECT r.store_id, r.ticket_id, uuidv7(), 'reply', CASE WHEN r.user_id IS NULL THEN 'system' ELSE 'user' END, r.user_id FROM made r
WHERE (SELECT count(*) FROM touched) >= 0 RETURNING 1 AS yes`;

/** One reply, and whether it is this. $3 reply  $4 text  $5 url or null */
export const REPLY_RECORD = `
  SELECT ${replyRecord('r', 's')}::text AS record, r.pesan = $4 AND r.url IS NOT DISTINCT FROM $5 AS same FROM ticket_replies r JOIN stores s ON s.store_id = r.store_id
  WHERE r.store_id = $1 AND r.ticket_id = $2::uuid AND r.id = $3::uuid`;
