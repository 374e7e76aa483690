import { ForwardMigration } from '@platform/data';

/** Payments of bills, which are few among those of orders. */
export class LedgerIndexes1763820100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_invoice_attempt ON payment (store_id, invoice_id, attempt)
      WHERE invoice_id IS NOT NULL`,
  ];
}
