import { ForwardMigration } from '@platform/data';

/** The runs of one leader, which a repeated message gets back, and those that a killed process left behind. */
export class FindRuns1763902000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_led ON bot_runs (store_id, conv_id, lead_token)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_running ON bot_runs (store_id, conv_id) WHERE status = 'running'`,
  ];
}
