import { listRecord } from '../records/record.sql';
import { asks, visible } from '../tenancy/scope';

/**
 * How a page of conversations is found (design section 4): every shape is a bounded number of ordered index ranges, merged.
 * $1 store  $2 teams or null  $3 statuses  $4 instance or null  $5 groups  $6,$7 keyset  $8 limit  $9 sight  $10 residual filter
 */
export type ListShape = 'byTeam' | 'byDevice' | 'unread' | 'escalated' | 'people' | 'newest';

const ORDER = 'ORDER BY c.last_at DESC, c.id DESC LIMIT $8::int';
const KEYSET = '(c.last_at, c.id) < ($6::timestamptz, $7::uuid)';
const COLUMNS = 'c.id, c.last_at';

/** Filters without an index work on the rows of the chosen range. Absent members of $10 are null and hold for every row. */
const RESIDUAL = `
  ($10::jsonb->>'user_id' IS NULL OR c.assignee_id = $10::jsonb->>'user_id') AND (($10::jsonb->>'unassigned') IS NULL OR c.assignee_id IS NULL)
  AND (($10::jsonb->>'unread') IS NULL OR (c.unread_count > 0) = ($10::jsonb->>'unread')::boolean)
  AND (($10::jsonb->'tag') IS NULL OR c.tags && ARRAY(SELECT jsonb_array_elements_text($10::jsonb->'tag')))
  AND (($10::jsonb->'prioritas') IS NULL OR c.prioritas = ANY (ARRAY(SELECT jsonb_array_elements_text($10::jsonb->'prioritas'))))
  AND (($10::jsonb->>'escalate') IS NULL OR (c.status_escalate = 1) = ($10::jsonb->>'escalate')::boolean)
  AND (($10::jsonb->>'is_group') IS NULL OR c.is_group = ($10::jsonb->>'is_group')::boolean)
  AND (($10::jsonb->>'gudang_id') IS NULL OR c.gudang_id = $10::jsonb->>'gudang_id')
  AND (($10::jsonb->>'date_from') IS NULL OR c.last_at >= ($10::jsonb->>'date_from')::date)
  AND (($10::jsonb->>'date_to') IS NULL OR c.last_at < ($10::jsonb->>'date_to')::date + 1)
  AND (($10::jsonb->>'waiting_min') IS NULL OR c.waiting_since < now() - ($10::jsonb->>'waiting_min')::int * interval '1 minute')
  AND (($10::jsonb->'order_status') IS NULL OR (SELECT o.status FROM chat_orders o WHERE o.store_id = c.store_id AND o.nohp = c.nohp ORDER BY o.created_at DESC LIMIT 1)
       = ANY (ARRAY(SELECT jsonb_array_elements_text($10::jsonb->'order_status'))))`;

const ALLOWED = `${visible('c', '$9', '$5')} AND ($4::text IS NULL OR c.instance = $4) AND (${RESIDUAL})`;
const TEAMS = `unnest(coalesce($2::text[], ARRAY(SELECT t.id FROM teams t WHERE t.store_id = $1))) AS t(team)`;
const IN_TEAMS = '($2::text[] IS NULL OR c.team_id = ANY ($2::text[]))';
const IN_STATUSES = 'c.status = ANY ($3::smallint[])';

/** One range of conversations_team per team and status. */
const byTeam = `
  SELECT ${COLUMNS} FROM ${TEAMS} CROSS JOIN unnest($3::smallint[]) AS st(status) CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM conversations c WHERE c.store_id = $1 AND c.team_id = t.team AND c.status = st.status AND ${KEYSET} AND ${ALLOWED} ${ORDER}) c ${ORDER}`;

/** One range of conversations_device per device: cheaper than teams x statuses when every team is asked for. */
const byDevice = `
  SELECT ${COLUMNS} FROM (SELECT d.instance FROM devices d WHERE d.store_id = $1 AND ($4::text IS NULL OR d.instance = $4)) d CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM conversations c WHERE c.store_id = $1 AND c.instance = d.instance AND ${KEYSET} AND ${IN_TEAMS} AND ${IN_STATUSES} AND ${ALLOWED} ${ORDER}) c ${ORDER}`;

/** The partial index of unread chats holds few rows; the newest of a thousand of them are taken. */
const unread = `
  SELECT ${COLUMNS} FROM (
    SELECT ${COLUMNS} FROM ${TEAMS} CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM conversations c WHERE c.store_id = $1 AND c.team_id = t.team AND c.unread_count > 0 AND ${IN_STATUSES} AND ${ALLOWED} LIMIT 1000) c) c
  WHERE ${KEYSET} ${ORDER}`;

/** Open escalations are few and in a table of their own: those of the teams asked for, and those that ask these teams for help. */
const escalated = `
  SELECT ${COLUMNS} FROM escalations e JOIN conversations c ON c.store_id = e.store_id AND c.id = e.conversation_id
  WHERE e.store_id = $1 AND (${IN_TEAMS} OR e.to_team = ANY ($2::text[]) OR ($9::text[] IS NOT NULL AND ${asks('e', '$9')})) AND ${IN_STATUSES} AND ${KEYSET} AND ${ALLOWED} ${ORDER}`;

/** At most 200 customers by name or number in one table, then their chats by the unique key; never an OR across tables. */
const people = `
  SELECT ${COLUMNS} FROM conversations c
  WHERE c.store_id = $1 AND c.nohp IN (
    SELECT k.nohp FROM customers k WHERE k.store_id = $1 AND (($10::jsonb->>'name') IS NOT NULL AND k.nama ILIKE $10::jsonb->>'name' OR ($10::jsonb->>'number') IS NOT NULL AND k.nohp ILIKE $10::jsonb->>'number') LIMIT 200)
    AND c.instance IN (SELECT d.instance FROM devices d WHERE d.store_id = $1) AND ${KEYSET} AND ${IN_TEAMS} AND ${IN_STATUSES} AND ${ALLOWED} ${ORDER}`;

/** Text of the last message, inside the newest thousand of the store: the row changes too often for a text index. */
const newest = `
  SELECT ${COLUMNS} FROM (
    SELECT c.* FROM devices d CROSS JOIN LATERAL (
      SELECT c.* FROM conversations c WHERE c.store_id = $1 AND c.instance = d.instance ORDER BY c.last_at DESC, c.id DESC LIMIT 1000) c
    WHERE d.store_id = $1 ORDER BY c.last_at DESC, c.id DESC LIMIT 1000) c
  WHERE c.last_text ILIKE $10::jsonb->>'text' AND ${KEYSET} AND ${IN_TEAMS} AND ${IN_STATUSES} AND ${ALLOWED} ${ORDER}`;

const shapes: Record<ListShape, string> = { byTeam, byDevice, unread, escalated, people, newest };

/** One statement for the whole page: ids by the shapes, records for those ids, in order; one row more than asked for tells that there is a next page. */
export const listStatement = (wanted: readonly ListShape[]): string => `
  WITH page AS (
    SELECT ${COLUMNS} FROM (${wanted.map((shape) => `(${shapes[shape]})`).join(' UNION ')}) c ${ORDER})
  SELECT c.id, c.last_at::text AS "lastAt", ${listRecord('c', 'k', 's')}::text AS record
  FROM page p JOIN conversations c ON c.store_id = $1 AND c.id = p.id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
  JOIN stores s ON s.store_id = c.store_id
  ORDER BY p.last_at DESC, p.id DESC`;
