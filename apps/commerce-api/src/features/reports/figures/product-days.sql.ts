import { productLines } from './product-lines.sql';

const midnight = (day: string): string => `((${day})::timestamp AT TIME ZONE 'UTC')`;
const COLUMNS = ['is_gone', 'name', 'units', 'revenue', 'refunded', 'cost', 'unknown'];
const listed = (of = ''): string => COLUMNS.map((column) => of + column).join(', ');

/** Who sums up the days of a store, one after the other: of two with the older sight would come last. $1 store. */
export const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('product days ' || $1, 0))`;

/**
 * One day of a store anew, in its turn: $1 store, $2 day in UTC. One statement: the changes that it forgets are those that its sums have in them.
 */
export const SUM_UP = `
  WITH piece AS MATERIALIZED (SELECT ${midnight('$2::date')} AS since, ${midnight('$2::date + 1')} AS until), ${productLines('true')}, known AS (
    DELETE FROM product_daily_change WHERE store_id = $1 AND day = $2::date
  ), gone AS (
    DELETE FROM product_daily d WHERE d.store_id = $1 AND d.day = $2::date AND NOT EXISTS (SELECT FROM line l WHERE l.sold_id = d.sold_id)
  )
  INSERT INTO product_daily AS d (store_id, day, sold_id, ${listed()})
  SELECT $1, $2::date, sold_id, is_gone, CASE WHEN is_gone THEN name END, units, revenue, refunded, coalesce(cost, 0), unknown FROM line
  ON CONFLICT (store_id, day, sold_id) DO UPDATE SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}
  WHERE (${listed('d.')}) IS DISTINCT FROM (${listed('excluded.')})`;
