import { bigintNumber, type Sql } from '@platform/data';
import { boughtBySeen, type Seen } from '../../sales/sight/public';
import type { ProductFigures } from './figures.dto';
import { productLines, summedUp } from './product-lines.sql';
import { eachOf, SPAN, type Span } from './span';

const SEEN = `($4::text[] IS NULL OR ${boughtBySeen('o.buyer', '$4')})`;

/** The days in UTC of which the span has something: those that it has whole and that nothing has changed are summed up in `product_daily`. */
const CUT = `
  SELECT d.at::date AS day, greatest(d.begins, s.since) AS since, least(d.ends, s.until) AS until,
    $4::text[] IS NULL AND d.begins >= s.since AND d.ends <= s.until
      AND NOT EXISTS (SELECT FROM product_daily_change c WHERE c.store_id = $1 AND c.day = d.at::date) AS is_summed
  FROM span s CROSS JOIN LATERAL (
    SELECT at, at AT TIME ZONE 'UTC' AS begins, (at + interval '1 day') AT TIME ZONE 'UTC' AS ends
    FROM generate_series(date_trunc('day', s.since AT TIME ZONE 'UTC'), s.until AT TIME ZONE 'UTC' - interval '1 microsecond', interval '1 day') at) d`;

/**
 * What each product has brought: read from the sums of days, and from the orders of all others (docs/adr/0151). $1 store, $2 first day, $3 last
 * day, $4 numbers that the caller sees (null: all), of which no sums are kept, $5 the most rows (null: all).
 */
export const PRODUCTS = `
  WITH ${SPAN}, cut AS MATERIALIZED (${CUT}), piece AS MATERIALIZED (SELECT since, until FROM cut WHERE NOT is_summed),
  ${productLines(SEEN)}, daily AS (
    SELECT d.sold_id, d.is_gone, d.name, d.units, d.revenue, d.refunded, d.cost, d.unknown
    FROM cut ${eachOf('product_daily d', 'd.day = cut.day')} WHERE cut.is_summed
  ), summed AS (
    SELECT CASE WHEN NOT is_gone THEN sold_id END AS product_id, sold_id, name, units::int AS units, revenue::bigint AS revenue,
      refunded::bigint AS refunded, CASE WHEN NOT unknown THEN cost::bigint END AS cost
    FROM (${summedUp('(SELECT * FROM line UNION ALL SELECT * FROM daily) each')}) s ORDER BY revenue DESC, units DESC, 1, 2 LIMIT $5
  )
  SELECT product_id, coalesce((SELECT p.name FROM product p WHERE p.store_id = $1 AND p.id = s.product_id), s.name) AS name,
    units, revenue, refunded, cost, revenue - refunded - cost AS margin
  FROM summed s ORDER BY revenue DESC, units DESC, product_id, sold_id`;

/** What the products of a store have brought, the best sellers first. */
export const productsOf = async (
  sql: Sql,
  storeId: string,
  { from, to, seen, limit }: Span & Seen & { readonly limit?: number },
): Promise<ProductFigures[]> => {
  const values = [storeId, from, to, seen ?? null, limit ?? null];
  // Of a few days planning takes longer than reading; whose sight is limited needs a plan for what they see
  const rows = seen
    ? await sql.query<ProductFigures>(PRODUCTS, values)
    : await sql.prepared<ProductFigures>('report products', PRODUCTS, values);
  return rows.map(({ revenue, refunded, cost, margin, ...row }) => ({
    ...{ ...row, revenue: bigintNumber.from(revenue), refunded: bigintNumber.from(refunded) },
    ...{
      cost: cost === null ? null : bigintNumber.from(cost),
      margin: margin === null ? null : bigintNumber.from(margin),
    },
  }));
};
