import { ForwardMigration } from '@platform/data';

/** What an order that had all of its money has given back of that is no part of what comes too much later. */
export class RefundsOfSurplus1763952000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE refund ADD COLUMN beyond bigint`,
    `COMMENT ON COLUMN refund.beyond IS 'what of the amount was none of the order''s price when it was asked for: too much, or paid before all was there; null: all of it'`,
  ];
}
