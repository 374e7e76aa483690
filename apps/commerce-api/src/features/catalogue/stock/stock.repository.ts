import type { Sql } from '@platform/data';
import { freeKeys } from '../../digital/rights/public';
import type { StockLine, StockState } from './stock.dto';

/** What a product has in all: more is told as this, for 32 bits hold no more. */
const MOST_TOLD = 2_147_483_647;

/**
 * Availability of all lines in one statement, in the order they were asked in; every branch is one index look-up of the
 * store, so a foreign id finds nothing. A product with several variants counts as the sum of them. Lines for the same
 * item are added up before the decision: 3 + 3 of a stock of 5 are both unavailable. Drafts are not for sale.
 */
export const CHECK_STOCK = `
  WITH line AS (
    SELECT * FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::int[])
      WITH ORDINALITY AS asked(variant_id, sku, product_id, qty, place)
  ), found AS (
    SELECT line.place, v.product_id, count(v.id) AS variants, (array_agg(v.id))[1] AS variant_id, min(v.sku) AS sku,
      bool_or(v.endless) AS endless, least(coalesce(sum(v.stock), 0), ${MOST_TOLD})::int AS shelved, min(v.free_keys) AS free_keys
    FROM line LEFT JOIN LATERAL (
      SELECT named.id, named.sku, named.product_id, NOT named.track_stock OR named.allow_backorder AS endless,
        ${freeKeys('named.product_id')} AS free_keys,
        (SELECT sum(s.on_hand - s.reserved) FROM stock_level s
         WHERE s.store_id = $1 AND s.variant_id = named.id AND ($6::uuid IS NULL OR s.warehouse_id = $6)) AS stock
      FROM (
        SELECT * FROM variant v WHERE v.store_id = $1 AND v.id = line.variant_id AND v.status = 'active'
        UNION ALL
        SELECT * FROM variant v WHERE v.store_id = $1 AND v.sku = line.sku AND v.status = 'active'
        UNION ALL
        SELECT * FROM variant v WHERE v.store_id = $1 AND v.product_id = line.product_id AND v.status = 'active'
      ) named
    ) v ON true
    GROUP BY line.place, v.product_id
  ), named AS (
    SELECT line.place, line.qty, found.product_id, found.endless AND found.free_keys IS NULL AS endless,
      CASE WHEN found.endless THEN coalesce(found.free_keys, found.shelved) ELSE least(found.free_keys, found.shelved) END AS stock, p.status = 'active' AS for_sale,
      CASE WHEN found.variants = 1 THEN found.variant_id END AS variant_id,
      CASE WHEN found.variants = 1 THEN found.sku END AS sku,
      line.product_id AS asked_product, line.variant_id AS asked_variant, line.sku AS asked_sku
    FROM line JOIN found USING (place) LEFT JOIN product p ON p.store_id = $1 AND p.id = found.product_id
  )
  SELECT coalesce(product_id, asked_product) AS product_id, coalesce(variant_id, asked_variant) AS variant_id,
    coalesce(sku, asked_sku) AS sku, qty, stock,
    coalesce(for_sale AND (endless OR sum(qty) OVER (PARTITION BY product_id, variant_id) <= stock), false) AS available
  FROM named ORDER BY place`;

export class StockRepository {
  constructor(private readonly sql: Sql) {}

  check(storeId: string, lines: readonly StockLine[], warehouseId: string | undefined): Promise<StockState[]> {
    return this.sql.prepared<StockState>('check_stock', CHECK_STOCK, [
      storeId,
      lines.map((line) => line.variant_id ?? null),
      lines.map((line) => line.sku ?? null),
      lines.map((line) => line.product_id ?? null),
      lines.map((line) => line.qty ?? 1),
      warehouseId ?? null,
    ]);
  }
}
