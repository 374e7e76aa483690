import { ForwardMigration } from '@platform/data';

/** The orders of a short link are found by what they are attributed to. */
export class OrdersOfTrackers1763910610000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_tracker ON sales_order (store_id, (attribution ->> 'tracker_id'), created_at)
      WHERE attribution ->> 'tracker_id' IS NOT NULL`,
  ];
}
