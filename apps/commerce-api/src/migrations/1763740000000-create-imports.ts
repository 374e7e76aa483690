import { ForwardMigration } from '@platform/data';

const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** Work that a person starts and watches (design section 4, `job_row`), and what an import has still to write. */
export class CreateImports1763740000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE job_row (
      ${OF_STORE},
      id uuid NOT NULL,
      kind text NOT NULL,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'preview', 'done', 'failed', 'cancelled')),
      args jsonb NOT NULL,
      done integer NOT NULL DEFAULT 0,
      total integer NOT NULL DEFAULT 0,
      errors jsonb NOT NULL DEFAULT '[]',
      result jsonb,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE INDEX job_row_kind ON job_row (store_id, kind, created_at)`,
    // Deleted with its effects: what is left is what is still to do
    `CREATE TABLE job_batch (
      ${OF_STORE},
      job_id uuid NOT NULL,
      position integer NOT NULL,
      items jsonb NOT NULL,
      PRIMARY KEY (store_id, job_id, position),
      FOREIGN KEY (store_id, job_id) REFERENCES job_row ON DELETE CASCADE
    )`,
  ];
}
