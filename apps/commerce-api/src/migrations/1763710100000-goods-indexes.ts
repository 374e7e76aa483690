import { ForwardMigration } from '@platform/data';

/** Stock by warehouse, and variants by what a scanner reads. */
export class GoodsIndexes1763710100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS stock_level_warehouse ON stock_level (store_id, warehouse_id, variant_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS variant_barcode ON variant (store_id, barcode) WHERE status = 'active'`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS category_parent ON category (store_id, parent_id)`,
  ];
}
