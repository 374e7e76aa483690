import type { Sql } from '@platform/data';

/** Numbers, and the hidden ids that are theirs on the campaign's device, in campaigns of their store: each found by its whole key. $1 numbers */
const found = (campaigns: string, recipients: string): string => `
  SELECT b.store_id, b.id AS broadcast_id, r.nohp FROM json_to_recordset($1::json) AS i (store_id text, nohp text)
  JOIN broadcasts b ON b.store_id = i.store_id AND ${campaigns}
  CROSS JOIN LATERAL (
    SELECT i.nohp UNION ALL SELECT a.alias FROM conversation_aliases a WHERE a.store_id = b.store_id AND a.instance = b.instance AND a.nohp = i.nohp) k
  CROSS JOIN LATERAL (
    SELECT r.nohp FROM broadcast_recipients r WHERE r.store_id = b.store_id AND r.broadcast_id = b.id AND r.nohp = k.nohp AND ${recipients} LIMIT 1) r
  ORDER BY b.store_id, b.id`;
const SAME = 'r.store_id = f.store_id AND r.broadcast_id = f.broadcast_id AND r.nohp = f.nohp';
const OPEN = `b.status IN ('draft', 'scheduled', 'sending', 'paused')`;
const WAITS = 'r.status = 0 AND r.pesan_id IS NULL';

/** Those that have their message, or never get one. $1 numbers */
export const FORGET = `
WITH found AS MATERIALIZED (${found('true', `(r.nama IS NOT NULL OR r.params <> '{}') AND NOT (${WAITS} AND ${OPEN})`)})
UPDATE broadcast_recipients r SET nama = NULL, params = '{}' FROM found f WHERE ${SAME}`;

/** Those that wait for it, each in a campaign that is locked: whoever takes its next recipient holds that too. $1 numbers */
export const SKIP = `
WITH found AS MATERIALIZED (${found(OPEN, WAITS)} FOR UPDATE OF b),
skipped AS (
  UPDATE broadcast_recipients r SET status = 5, error = 'kontak dihapus', nama = NULL, params = '{}', updated_at = now()
  FROM found f WHERE ${SAME} AND ${WAITS} RETURNING r.store_id, r.broadcast_id)
UPDATE broadcasts b SET valid = b.valid - d.skipped, opt_out = b.opt_out + d.skipped
FROM (SELECT store_id, broadcast_id, count(*)::int AS skipped FROM skipped GROUP BY 1, 2) d WHERE b.store_id = d.store_id AND b.id = d.broadcast_id`;

/**
 * Nothing goes to erased customers any more, and no report says who they were; their numbers stay, as in their chats. Recipients that
 * have ended first, and both before the customers themselves: as a campaign that moves on locks them.
 */
export const forgetRecipients = async (
  sql: Sql,
  customers: readonly { readonly store_id: string; readonly nohp?: unknown }[],
): Promise<void> => {
  const numbers = [JSON.stringify(customers.map(({ store_id, nohp }) => ({ store_id, nohp })))];
  await sql.query(FORGET, numbers);
  await sql.query(SKIP, numbers);
  // Who was given their message between the two has ended, too
  await sql.query(FORGET, numbers);
};
