import { ForwardMigration } from '@platform/data';

/** What a case that was taken from a run began with, and how many cases an evaluation has. One evaluation of an agent at a time. */
export class RecordDetails1763905200000 extends ForwardMigration {
  override readonly contract = { suits: 'CreateBotTables1763640000000' };
  readonly transaction = false;
  readonly steps = [
    `ALTER TABLE bot_eval_cases ADD COLUMN IF NOT EXISTS before jsonb NOT NULL DEFAULT '{}'`,
    `ALTER TABLE bot_eval_runs ADD COLUMN IF NOT EXISTS total integer NOT NULL DEFAULT 0`,
    `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS bot_eval_runs_active ON bot_eval_runs (store_id, agent_id)
     WHERE status IN ('waiting', 'running')`,
    // Texts of customers in runs are forgotten earlier than their numbers
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_inputs ON bot_runs (created_at) WHERE input IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_texts ON bot_runs (created_at) WHERE NOT reply ? 'forgotten'`,
  ];
}
