import { ForwardMigration } from '@platform/data';

/** The addresses that a store has given up, the last last. */
export class GivenUpAddressesIndexes1763923000001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS global_key_given_up ON global_key (store_id, kind, given_up_at) WHERE ref_id = ''`,
  ];
}
