import { ForwardMigration } from '@platform/data';

/** Transfers that buyers have shown and nobody has looked at: few, among all that were ever shown. */
export class ProofsToCheck1763950000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS transfer_proof_pending ON transfer_proof (store_id, order_id) WHERE status = 'pending'`,
  ];
}
