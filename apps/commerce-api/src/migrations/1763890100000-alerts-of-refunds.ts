import { ForwardMigration } from '@platform/data';

/** Refunds that somebody must look at, as there are withdrawals. */
export class AlertsOfRefunds1763890100000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE refund ADD COLUMN alert text`,
    `COMMENT ON COLUMN refund.alert IS 'why an operator must look at it: its provider contradicts itself'`,
  ];
}
