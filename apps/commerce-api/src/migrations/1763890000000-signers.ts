import { ForwardMigration } from '@platform/data';

/** Who has signed a notice: what a store has signed itself never speaks for money of the platform, also when it is done again. */
export class Signers1763890000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE webhook_event ADD COLUMN by_platform boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN webhook_event.by_platform IS 'signed with the platform''s own account; otherwise with that of its store, or by nobody'`,
  ];
}
