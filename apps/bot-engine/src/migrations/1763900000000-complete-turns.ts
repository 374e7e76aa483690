import { ForwardMigration } from '@platform/data';
import { outboxMigration } from '@platform/outbox';

/** Design section 4: what agents, conversations and runs need for tools, merged bursts, hand-over and repeats. */
export class CompleteTurns1763900000000 extends ForwardMigration {
  /** Two CHECKs are taken away, which a build before only kept. */
  override readonly contract = { suits: 'CreateBotTables1763640000000' };
  readonly steps = [
    `ALTER TABLE bot_stores
       ADD COLUMN reply_limit integer,
       ADD COLUMN period_start timestamptz,
       ADD COLUMN period_end timestamptz,
       ADD COLUMN day_cap_micros bigint,
       ADD COLUMN month_cap_micros bigint`,
    `ALTER TABLE bot_agents
       ADD COLUMN provider text NOT NULL DEFAULT 'openai',
       ADD COLUMN fallback_provider text,
       ADD COLUMN tools text[] NOT NULL DEFAULT '{search_products,check_stock,get_shipping_cost,create_checkout,check_payment_status,track_waybill,get_store_policy,handover_to_human}',
       ADD COLUMN window_ms integer,
       ADD COLUMN max_wait_ms integer,
       ADD COLUMN max_steps integer,
       ADD COLUMN turn_cost_cap_micros bigint,
       ADD COLUMN handover_text text NOT NULL DEFAULT 'Baik kak, kami sambungkan ke tim kami ya.',
       ADD COLUMN welcome_text text NOT NULL DEFAULT 'Halo kak, ada yang bisa kami bantu?',
       ADD COLUMN resume_after_min integer NOT NULL DEFAULT 720,
       ADD COLUMN failure_resume_min integer NOT NULL DEFAULT 15,
       ADD COLUMN vision boolean NOT NULL DEFAULT false,
       ADD COLUMN updated_by text,
       ADD COLUMN deleted_at timestamptz`,
    `ALTER TABLE bot_conversations
       ADD COLUMN facts jsonb NOT NULL DEFAULT '{}',
       ADD COLUMN handover_at timestamptz,
       ADD COLUMN handover_reason text,
       ADD COLUMN handover_run_id uuid,
       ADD COLUMN handover_episode integer,
       ADD COLUMN resume_at timestamptz,
       ADD COLUMN context_from timestamptz,
       ADD COLUMN since_seq bigint`,
    `ALTER TABLE bot_runs DROP CONSTRAINT bot_runs_status_check`,
    `ALTER TABLE bot_runs
       ADD COLUMN lead_token uuid,
       ADD COLUMN purpose text NOT NULL DEFAULT 'chat',
       ADD COLUMN merged_ids text[] NOT NULL DEFAULT '{}',
       ADD COLUMN steps integer NOT NULL DEFAULT 0,
       ADD COLUMN input jsonb,
       ADD COLUMN sources jsonb NOT NULL DEFAULT '[]'`,
    `CREATE TABLE bot_run_steps (
       store_id text NOT NULL,
       run_id uuid NOT NULL,
       n integer NOT NULL,
       assistant jsonb NOT NULL,
       results jsonb NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, run_id, n),
       FOREIGN KEY (store_id, run_id) REFERENCES bot_runs (store_id, id) ON DELETE CASCADE)`,
    `ALTER TABLE llm_requests DROP CONSTRAINT llm_requests_purpose_check`,
    `ALTER TABLE llm_requests ADD COLUMN provider text NOT NULL DEFAULT 'openai'`,
    outboxMigration,
  ];
}
