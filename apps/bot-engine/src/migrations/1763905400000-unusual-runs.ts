import { ForwardMigration } from '@platform/data';

/** The newest runs of a store that ended otherwise than with an answer: few, and looked for among all that it has. */
export class UnusualRuns1763905400000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_unusual ON bot_runs (store_id, status, created_at DESC, id DESC) WHERE status <> 'done'`,
  ];
}
