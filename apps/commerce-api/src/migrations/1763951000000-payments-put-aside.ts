import { ForwardMigration } from '@platform/data';

/** Payments of another sum than was asked for, on which nobody has decided: few, among all that were ever made. */
export class PaymentsPutAside1763951000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_put_aside ON payment (store_id, order_id) WHERE review_reason = 'amount'`,
  ];
}
