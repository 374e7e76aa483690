import { ForwardMigration } from '@platform/data';

/** Payments that a provider is asked about, by store and time; all others are not in it. */
export class GatewaysIndexes1763830100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_poll ON payment (store_id, poll_at) WHERE poll_at IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_ref ON payment (store_id, provider, provider_ref)
      WHERE provider_ref IS NOT NULL`,
    // A link to pay an order names the order alone
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS global_key_order ON global_key (ref_id) WHERE kind = 'order'`,
  ];
}
