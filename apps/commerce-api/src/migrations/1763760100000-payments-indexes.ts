import { ForwardMigration } from '@platform/data';

/** Orders that wait for their payment, by store and time; the others are not in it. */
export class PaymentsIndexes1763760100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS sales_order_waiting ON sales_order (store_id, pay_expires_at)
      WHERE pay_expires_at IS NOT NULL`,
    `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS sales_order_receipt ON sales_order (store_id, receipt_no)
      WHERE receipt_no IS NOT NULL`,
  ];
}
