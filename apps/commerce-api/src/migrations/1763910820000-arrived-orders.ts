import { ForwardMigration } from '@platform/data';

/** Orders that have arrived although nobody has worked on them, and places by their ids alone. */
export class ArrivedOrders1763910820000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_delivered ON sales_order (store_id, id)
      WHERE status IN ('open', 'processing') AND fulfillment_status = 'delivered' AND payment_status IN ('paid', 'partially_refunded')`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS area_id ON area (id, told_at)`,
  ];
}
