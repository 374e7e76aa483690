import { ForwardMigration } from '@platform/data';

/** Files whose messages were told without them: they are fetched later, under the names that were told. */
export class CreateLateFiles1762000000060 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE late_file (
      name        text COLLATE "C" PRIMARY KEY,
      instance_id text COLLATE "C" NOT NULL,
      ref         jsonb NOT NULL,                -- as the engine named it, its key sealed
      tries       integer NOT NULL DEFAULT 0,
      next_at     timestamptz NOT NULL,
      tried_at    timestamptz,
      asked_at    timestamptz,
      created_at  timestamptz NOT NULL DEFAULT now()
    )`,
    `CREATE INDEX late_file_due ON late_file (instance_id, next_at)`,
    `CREATE INDEX late_file_created ON late_file (created_at)`,
  ];
}
