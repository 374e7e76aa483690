import { ForwardMigration } from '@platform/data';

/** The replies of a store in a period are counted when their counter is missing (design 3.4). */
export class RepliesOfAStore1763900500000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_said ON bot_runs (store_id, created_at) WHERE status = 'done'`,
  ];
}
