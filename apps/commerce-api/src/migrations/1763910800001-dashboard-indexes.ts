import { ForwardMigration } from '@platform/data';

/** What waits for somebody, among all that a store ever sold: few orders, which the dashboard counts from these alone. */
export class DashboardIndexes1763910800001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_unpaid ON sales_order (store_id)
      WHERE status = 'open' AND payment_status IN ('unpaid', 'pending', 'partially_paid')`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_to_ship ON sales_order (store_id, id)
      WHERE status IN ('open', 'processing') AND (payment_status IN ('paid', 'partially_refunded') OR payment_method = 'cod')
        AND fulfillment_status IN ('none', 'partially_packed', 'packed', 'partially_shipped')`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_review ON sales_order (store_id)
      WHERE status IN ('open', 'processing', 'cancelled') AND (payment_status = 'review' OR review_reason IS NOT NULL)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS product_not_goods ON product (store_id) WHERE kind <> 'physical'`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS variant_tracked ON variant (store_id, id) WHERE track_stock AND status = 'active'`,
  ];
}
