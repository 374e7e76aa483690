import { ForwardMigration } from '@platform/data';

/** What reports and the dashboard read: they cover the sums, so that a year of a busy store is read without its orders. */
export class ReportsIndexes1763910800000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_paid ON sales_order (store_id, paid_at)
      INCLUDE (id, total, channel, assignee_id) WHERE paid_at IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_placed ON sales_order (store_id, placed_at) WHERE placed_at IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_paid ON payment (store_id, paid_at) WHERE status = 'paid' AND order_id IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS refund_succeeded ON refund (store_id, ended_at) WHERE status = 'succeeded'`,
  ];
}
