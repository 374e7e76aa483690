import { ForwardMigration } from '@platform/data';

/** Hints of payments that proved wrong, counted by order. */
export class DoubtedPayments1763903100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_payment_events_doubted ON bot_payment_events (store_id, order_number)
     WHERE outcome = 'unconfirmed'`,
  ];
}
