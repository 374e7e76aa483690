import { listRecord } from '../records/public';

/**
 * The first page of a team on a device as it was read before parts of the records were stored: every record from all its tables.
 * $1 store  $2 team  $3 device  $4 limit
 */
export const COMPUTED_PAGE = `
  WITH shown AS (
    SELECT c.id, c.last_at FROM conversations c WHERE c.store_id = $1 AND c.team_id = $2 AND c.instance = $3
    ORDER BY c.last_at DESC, c.id DESC LIMIT $4::int),
  records AS (
    SELECT p.id, p.last_at, ${listRecord('c', 'k', 's')}::text AS record
    FROM shown p JOIN conversations c ON c.store_id = $1 AND c.id = p.id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
    JOIN stores s ON s.store_id = c.store_id)
  SELECT coalesce(string_agg(record, ',' ORDER BY last_at DESC, id DESC), '') AS records,
    coalesce(array_agg(id ORDER BY last_at DESC, id DESC), '{}')::text[] AS ids
  FROM records`;
