import { ForwardMigration } from '@platform/data';

/** Hooks whose receivers keep others waiting, and since when an address of a store leads nowhere. */
export class SlowHooksAndGivenUpAddresses1763923000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE webhook_endpoint ADD COLUMN slow boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN webhook_endpoint.slow IS 'its last answer took long'`,
    `ALTER TABLE global_key ADD COLUMN given_up_at timestamptz`,
    `COMMENT ON COLUMN global_key.given_up_at IS 'of an address that leads nowhere (ref_id is empty); null where nobody wrote it down'`,
  ];
}
