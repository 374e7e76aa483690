import { ForwardMigration } from '@platform/data';

/** Design 3.9 and 2.10: what a store tells its bot, in pieces that can be found, and the questions that it does not answer. */
export class CreateKnowledge1763904100000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE bot_knowledge_docs (
       store_id text NOT NULL,
       id text NOT NULL,
       agent_id text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('faq', 'policy')),
       title text NOT NULL,
       source text NOT NULL CHECK (source IN ('text', 'file', 'url')),
       source_ref text,
       text text,
       status text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'ready', 'failed')),
       error text,
       digest text NOT NULL,
       gap_id uuid,
       created_at timestamptz NOT NULL DEFAULT now(),
       updated_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id))`,
    `CREATE INDEX bot_knowledge_docs_agent ON bot_knowledge_docs (store_id, agent_id, created_at, id)`,
    // Bytes that wait to be read: gone with the reading
    `CREATE TABLE bot_knowledge_files (
       store_id text NOT NULL,
       doc_id text NOT NULL,
       content bytea NOT NULL,
       PRIMARY KEY (store_id, doc_id),
       FOREIGN KEY (store_id, doc_id) REFERENCES bot_knowledge_docs (store_id, id) ON DELETE CASCADE)`,
    `CREATE TABLE bot_knowledge_chunks (
       store_id text NOT NULL,
       id text NOT NULL,
       doc_id text NOT NULL,
       agent_id text NOT NULL,
       n integer NOT NULL,
       title text NOT NULL,
       body text NOT NULL,
       embedding bytea,
       embedding_model text,
       tsv tsvector GENERATED ALWAYS AS (
         setweight(to_tsvector('indonesian'::regconfig, title), 'B') || setweight(to_tsvector('simple'::regconfig, title), 'B') ||
         setweight(to_tsvector('indonesian'::regconfig, body), 'A') || setweight(to_tsvector('simple'::regconfig, body), 'A')) STORED,
       PRIMARY KEY (store_id, id),
       FOREIGN KEY (store_id, doc_id) REFERENCES bot_knowledge_docs (store_id, id) ON DELETE CASCADE)`,
    `CREATE INDEX bot_knowledge_chunks_words ON bot_knowledge_chunks USING gin (store_id, agent_id, tsv) WITH (fastupdate = off)`,
    `CREATE INDEX bot_knowledge_chunks_doc ON bot_knowledge_chunks (store_id, doc_id, n)`,
    `CREATE INDEX bot_knowledge_chunks_agent ON bot_knowledge_chunks (store_id, agent_id)`,
    `CREATE TABLE bot_gaps (
       store_id text NOT NULL,
       id uuid NOT NULL,
       agent_id text NOT NULL,
       folded text NOT NULL,
       question text NOT NULL,
       count integer NOT NULL DEFAULT 1,
       last_at timestamptz NOT NULL DEFAULT now(),
       run_id text,
       status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'answered', 'dismissed')),
       PRIMARY KEY (store_id, id),
       CONSTRAINT bot_gaps_question UNIQUE (store_id, agent_id, folded))`,
    `CREATE INDEX bot_gaps_newest ON bot_gaps (store_id, last_at DESC, id DESC)`,
    `CREATE INDEX bot_gaps_age ON bot_gaps (last_at)`,
  ];
}
