import { ForwardMigration, portions } from '@platform/data';

const LOWEST = `(SELECT min(v.price) FROM variant v WHERE v.store_id = product.store_id AND v.product_id = product.id AND v.status = 'active')`;

/** What a product's list is sorted by: the lowest price of its variants on sale, as `search_text` rebuilt by every write to one of them. */
export class PricesOfProducts1763810100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `ALTER TABLE product ADD COLUMN IF NOT EXISTS price_min bigint`,
    `COMMENT ON COLUMN product.price_min IS 'lowest price of its active variants; what lists are sorted by, never shown'`,
    portions({
      table: 'product',
      where: `price_min IS DISTINCT FROM ${LOWEST}`,
      set: `price_min = ${LOWEST}`,
    }),
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS product_price ON product (store_id, coalesce(price_min, 0), id)`,
  ];
}
