import { ForwardMigration } from '@platform/data';

/**
 * Few among many, which lists looked for from the newest to the oldest: orders that somebody was given or that wait for something, payments and
 * shipments that have not come to their end, contacts of a city, all variants of a product; and what a category has, which is counted. The states that most rows are in for good are
 * not held, and none of this changes with what is most often written to a row.
 */
export class FewAmongMany1763955000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_assignee ON sales_order (store_id, assignee_id, created_at, id)
      WHERE assignee_id IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_not_paid ON sales_order (store_id, payment_status, created_at, id)
      WHERE payment_status <> 'paid'`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_under_way ON sales_order (store_id, fulfillment_status, created_at, id)
      WHERE fulfillment_status NOT IN ('none', 'delivered')`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_not_paid ON payment (store_id, status, created_at, id) WHERE status <> 'paid'`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS shipment_under_way ON shipment (store_id, status, created_at, id) WHERE status <> 'delivered'`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS contact_address_city ON contact_address (store_id, lower(address ->> 'city'), contact_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS variant_product ON variant (store_id, product_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS product_category_kept ON product (store_id, category_id) WHERE status <> 'archived'`,
    // What an index of an expression holds is not known before
    'ANALYZE contact_address',
  ];
}
