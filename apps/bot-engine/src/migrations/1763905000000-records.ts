import { ForwardMigration } from '@platform/data';

/** Design 2.10: what an agent was made from, the sessions in which owners try it, and its evaluations. `store_id` leads every key. */
export class Records1763905000000 extends ForwardMigration {
  readonly steps = [
    // By it a repeated POST is told from another agent under the same id.
    `ALTER TABLE bot_agents ADD COLUMN created_from text`,
    `CREATE TABLE bot_test_sessions (
       store_id text NOT NULL,
       id uuid NOT NULL,
       agent_id text NOT NULL,
       title text NOT NULL,
       prompt text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now(),
       updated_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id))`,
    `CREATE INDEX bot_test_sessions_latest ON bot_test_sessions (store_id, updated_at DESC, id DESC)`,
    `CREATE INDEX bot_test_sessions_age ON bot_test_sessions (updated_at)`,
    `CREATE TABLE bot_test_session_lines (
       store_id text NOT NULL,
       session_id uuid NOT NULL,
       n integer NOT NULL,
       role text NOT NULL CHECK (role IN ('user', 'assistant')),
       content text NOT NULL,
       at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, session_id, n),
       FOREIGN KEY (store_id, session_id) REFERENCES bot_test_sessions (store_id, id) ON DELETE CASCADE)`,
    `CREATE TABLE bot_eval_cases (
       store_id text NOT NULL,
       id uuid NOT NULL,
       agent_id text NOT NULL,
       name text NOT NULL,
       lines jsonb NOT NULL,
       expect jsonb NOT NULL,
       created_from text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id))`,
    `CREATE INDEX bot_eval_cases_of_agent ON bot_eval_cases (store_id, agent_id, created_at, id)`,
    `CREATE TABLE bot_eval_runs (
       store_id text NOT NULL,
       id uuid NOT NULL,
       agent_id text NOT NULL,
       version integer NOT NULL,
       model text NOT NULL,
       status text NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed')),
       wish jsonb NOT NULL,
       result jsonb NOT NULL DEFAULT '[]',
       error text,
       created_at timestamptz NOT NULL DEFAULT now(),
       updated_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id))`,
    `CREATE INDEX bot_eval_runs_age ON bot_eval_runs (created_at)`,
  ];
}
