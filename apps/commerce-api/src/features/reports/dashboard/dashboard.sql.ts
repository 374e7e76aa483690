import { HAS_GOODS, PAID_FOR, PROOF_WAITS, REVIEW, UNPAID } from '../../sales/orders/public';
import { boughtBySeen } from '../../sales/sight/public';
import { LOW_STOCK } from '../../stock/levels/public';

const SEEN = `($3::text[] IS NULL OR ${boughtBySeen('o.buyer', '$3')})`;

/** SQL: midnight of the day so many days away from that of $2, on the clock of the store. */
const midnight = (days: number): string => `((days.today + ${days})::timestamp AT TIME ZONE days.timezone)`;
const during = (column: string, day: number): string =>
  `o.${column} >= (SELECT ${midnight(day)} FROM days) AND o.${column} < (SELECT ${midnight(day + 1)} FROM days)`;
const figures = (day: number): string => `
  (SELECT json_build_object('day', (SELECT (today + ${day})::text FROM days),
    'paid', count(*)::int, 'sales', coalesce(sum(o.total), 0)::bigint, 'orders', (
      SELECT count(*)::int FROM sales_order o WHERE o.store_id = $1 AND ${during('placed_at', day)} AND ${SEEN}))
   FROM sales_order o WHERE o.store_id = $1 AND ${during('paid_at', day)} AND ${SEEN})`;

/** Most stores sell nothing else than goods. */
const ONLY_GOODS = `NOT EXISTS (SELECT FROM product p WHERE p.store_id = $1 AND p.kind <> 'physical')`;
const orders = (where: string): string =>
  `(SELECT count(*)::int FROM sales_order o WHERE o.store_id = $1 AND ${where} AND ${SEEN})`;

/** The whole of it in one statement: $1 store, $2 now, $3 numbers of the customers that the caller sees (null: all). */
export const SUMMARY = `
  WITH days AS MATERIALIZED (
    SELECT timezone, ($2::timestamptz AT TIME ZONE timezone)::date AS today FROM store WHERE store_id = $1)
  SELECT ${figures(0)} AS today, ${figures(-1)} AS yesterday, ${orders(UNPAID)} AS unpaid, CASE WHEN ${ONLY_GOODS} THEN ${orders(PAID_FOR)} ELSE ${orders(`${PAID_FOR} AND ${HAS_GOODS}`)} END AS to_ship`;

/** Orders with a proof of payment that waits: $1 store, $2 numbers of the customers that the caller sees (null: all). */
export const PROOFS = `
  SELECT count(*)::int AS proofs FROM sales_order o
  WHERE o.store_id = $1 AND ${PROOF_WAITS} AND ($2::text[] IS NULL OR ${boughtBySeen('o.buyer', '$2')})`;

const STUCK = `(SELECT count(*)::int FROM withdrawal w WHERE w.store_id = $1 AND w.status IN ('approved', 'processing')
  AND w.approved_at < $2::timestamptz - interval '2 hours')`;
/** What is not in the shop, such as a product that was archived, is missed by nobody. */
const ON_SALE = `v.store_id = $1 AND v.track_stock AND v.status = 'active' AND EXISTS (
  SELECT FROM product p WHERE p.store_id = $1 AND p.id = v.product_id AND p.status = 'active')`;
/**
 * Variants on sale of which no more than the threshold is left in all warehouses: so one has no more than that, or it was never on a shelf.
 * Shelves are read once, and only such are added up, along their index: in a shop with several warehouses many have one that is nearly empty.
 */
const LOW = `(SELECT count(*)::int FROM (
    SELECT s.variant_id FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = ANY (ARRAY(
      SELECT s.variant_id FROM stock_level s WHERE s.store_id = $1 AND s.on_hand - s.reserved <= ${LOW_STOCK}))
    GROUP BY s.variant_id HAVING sum(s.on_hand - s.reserved) <= ${LOW_STOCK}) low
  JOIN variant v ON v.id = low.variant_id AND ${ON_SALE})`;
/** To be counted, all of them must be looked at. */
const ALL = `(SELECT count(*)::int FROM variant v WHERE ${ON_SALE})`;
const SHELFLESS = `(SELECT count(*)::int FROM variant v WHERE ${ON_SALE}
    AND NOT EXISTS (SELECT FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = v.id))`;
const unlessKnown = (count: string): string => `CASE WHEN $4::int IS NULL THEN ${count} END`;
const PLAN = `(SELECT count(*)::int FROM subscription u WHERE u.store_id = $1 AND u.status = 'past_due')`;

/** What of the goods of the store $1 was never on a shelf, and how many there are. */
export const SHELVES = `SELECT ${SHELFLESS} AS shelfless, ${ALL} AS on_sale`;

/** $1 to $3 as above, $4 how many were never on a shelf, where that is known. */
export const ALERTS = `
  SELECT ${LOW} AS low_stock, ${unlessKnown(SHELFLESS)} AS shelfless,
    ${unlessKnown(ALL)} AS on_sale, ${orders(UNPAID)} AS unpaid, ${orders(REVIEW)} AS review, ${STUCK} AS withdrawal_stuck, ${PLAN} AS plan,
    (SELECT coalesce(json_agg(d.instance_id), '[]') FROM device d WHERE d.store_id = $1) AS devices`;

/** The last days to today on the clock of the store: $1 store, $2 now, $3 how many. */
export const LAST_DAYS = `
  SELECT (today - $3::int + 1)::text AS "from", today::text AS "to"
  FROM (SELECT ($2::timestamptz AT TIME ZONE timezone)::date AS today FROM store WHERE store_id = $1) days`;
