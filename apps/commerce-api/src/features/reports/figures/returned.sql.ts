import { eachOf } from './span';

const OF_LINES = (refund: string): string =>
  `EXISTS (SELECT FROM refund_line l WHERE l.store_id = $1 AND l.refund_id = ${refund}.id)`;

/** What of a refund without lines was none of the order's price when it was asked for. */
const beyondOf = (refund: string): string => `coalesce(${refund}.beyond, ${refund}.amount)`;

/** The same of all refunds without lines of the order of `r`, up to `r` itself. */
const SO_FAR = `(SELECT sum(${beyondOf('b')}) FROM refund b WHERE b.store_id = $1 AND b.order_id = r.order_id AND b.status = 'succeeded'
  AND (b.ended_at, b.id) <= (r.ended_at, r.id) AND NOT ${OF_LINES('b')})`;

/**
 * SQL: what of refunds of the moments between `since` and `until` of each row of `moments` counts against sales, of orders `o` that are seen. Money
 * of an order that was never paid whole was no sale, nor was what came in beyond its total and had gone back by then (as refunds themselves take it,
 * `SOLD`): what goes back of a price is no part of what comes too much later.
 */
export const returnsIn = (moments: string, seen: string): string => `
  SELECT r.id, r.order_id, r.ended_at, c.of_lines,
    CASE WHEN c.of_lines THEN r.amount ELSE r.amount - ${beyondOf('r')}
      + greatest(0, least(${beyondOf('r')}, ${SO_FAR} - greatest(0, o.paid_total - o.total))) END AS amount
  FROM ${moments} m
    ${eachOf('refund r', `r.status = 'succeeded' AND r.ended_at >= m.since AND r.ended_at < m.until`)}
    ${eachOf('sales_order o', `o.id = r.order_id AND o.paid_at IS NOT NULL AND ${seen}`)}
    CROSS JOIN LATERAL (SELECT ${OF_LINES('r')} AS of_lines) c`;

/** SQL: what of the line `i` of the order `o` is revenue: its tax is not. */
export const LINE_REVENUE = `i.total - i.discount_share - CASE WHEN o.tax ->> 'mode' = 'included' THEN i.tax ELSE 0 END`;

/** What refunds that name lines have given back of the line `i` of the order of `r`. */
const BACK_OF_LINE = `coalesce((SELECT sum(l.amount - l.tax) FROM refund b
  JOIN refund_line l ON l.store_id = b.store_id AND l.refund_id = b.id
  WHERE b.store_id = $1 AND b.order_id = r.order_id AND b.status = 'succeeded' AND l.order_item_id = i.id), 0)`;

/**
 * SQL: the parts of `returns` that name no lines, by line: as much of each as is left of it after those that name lines, so that an order of
 * which everything went back has no revenue left. Parts are rounded as they add up, so that their sum is exact.
 */
export const SHARES = `
  SELECT i.variant_id, i.name, floor(r.amount * s.upto / s.whole)::bigint - floor(r.amount * (s.upto - s.part) / s.whole)::bigint AS amount
  FROM returns r
    JOIN sales_order o ON o.store_id = $1 AND o.id = r.order_id
    CROSS JOIN LATERAL (
      SELECT p.id, p.part, sum(p.part) OVER (ORDER BY p.position) AS upto,
        o.total - coalesce((SELECT sum(b.amount) FROM refund b
          WHERE b.store_id = $1 AND b.order_id = r.order_id AND b.status = 'succeeded' AND ${OF_LINES('b')}), 0) AS whole
      FROM (SELECT i.id, i.position, (${LINE_REVENUE} - ${BACK_OF_LINE})::numeric AS part
        FROM order_item i WHERE i.store_id = $1 AND i.order_id = r.order_id) p) s
    JOIN order_item i ON i.store_id = $1 AND i.order_id = r.order_id AND i.id = s.id
  WHERE NOT r.of_lines AND r.amount > 0 AND s.whole > 0`;
