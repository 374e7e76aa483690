import { ForwardMigration } from '@platform/data';

/** What is read by time: runs of a store and of a chat, and everything that is deleted by its age. */
export class Ages1763905100000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_latest ON bot_runs (store_id, created_at DESC, id DESC)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_of_conversation ON bot_runs (store_id, conv_id, created_at DESC)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_conversations_chat ON bot_conversations (store_id, chat_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_messages_of_run ON bot_messages (store_id, run_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_messages_age ON bot_messages (created_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_runs_age ON bot_runs (created_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS bot_run_steps_age ON bot_run_steps (created_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS llm_requests_default_age ON llm_requests_default (created_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS llm_requests_default_run ON llm_requests_default (store_id, run_id)`,
  ];
}
