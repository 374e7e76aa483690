import { LINE_REVENUE, returnsIn, SHARES } from './returned.sql';
import { eachOf } from './span';

/** Goods of a cancelled order were never sent. */
const COST = `CASE WHEN o.status = 'cancelled' THEN 0 ELSE i.cost END`;
const SUMS = [
  ...['max(name) AS name', 'sum(units) AS units', 'sum(revenue) AS revenue', 'sum(refunded) AS refunded'],
  ...['sum(cost) AS cost', 'bool_or(unknown) AS unknown'],
].join(', ');

/** SQL: figures of the same product added up. */
export const summedUp = (rows: string): string =>
  `SELECT sold_id, is_gone, ${SUMS} FROM ${rows} GROUP BY sold_id, is_gone`;

/**
 * SQL: `line`, what lines of orders that were paid between `since` and `until` of each row of `piece` brought, less what went back then, summed by
 * product. Revenue is without tax; the cost of a line is the one that it was sold at, and goods that went back on the shelf cost nothing. Lines
 * are summed by variant before it is looked up whose each is: joined, all variants of the store would be read for the sales of one day.
 * $1 store; `seen` is a condition on orders `o`.
 */
export const productLines = (seen: string): string => `
  sold AS (
    SELECT i.variant_id, max(i.name) AS name, sum(i.qty) AS units, sum(${LINE_REVENUE}) AS revenue, 0::bigint AS refunded,
      sum(${COST} * i.qty) AS cost, bool_or(${COST} IS NULL) AS unknown
    FROM piece m
      ${eachOf('sales_order o', `o.paid_at >= m.since AND o.paid_at < m.until AND ${seen}`)}
      ${eachOf('order_item i', 'i.order_id = o.id')}
    GROUP BY 1
  ), returns AS MATERIALIZED (${returnsIn('piece', seen)}), returned AS (
    SELECT i.variant_id, max(i.name), 0, 0, sum(l.amount - l.tax), sum(CASE WHEN l.restocked_to IS NULL THEN 0 ELSE -${COST} * l.qty END),
      bool_or(l.restocked_to IS NOT NULL AND ${COST} IS NULL)
    FROM returns r
      JOIN refund_line l ON l.store_id = $1 AND l.refund_id = r.id
      JOIN order_item i ON i.store_id = l.store_id AND i.order_id = l.order_id AND i.id = l.order_item_id
      JOIN sales_order o ON o.store_id = $1 AND o.id = r.order_id
    GROUP BY 1
    UNION ALL SELECT s.variant_id, max(s.name), 0, 0, sum(s.amount), 0, false FROM (${SHARES}) s GROUP BY 1
  ), of_variant AS MATERIALIZED (
    SELECT *, (SELECT v.product_id FROM variant v WHERE v.store_id = $1 AND v.id = variant_id) AS product_id
    FROM (SELECT * FROM sold UNION ALL SELECT * FROM returned) each
  ), line AS MATERIALIZED (${summedUp(`(
    SELECT *, coalesce(product_id, variant_id) AS sold_id, product_id IS NULL AS is_gone FROM of_variant) each`)})`;
