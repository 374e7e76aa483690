import { ForwardMigration, portions } from '@platform/data';

/** What is to be swept, by store and time; a file's row by its name; what nobody has shown since before there was a sweep. */
export class SweptMediaIndexes1763810320001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS media_swept ON media (store_id, sweep_after)
      WHERE refs = 0 AND sweep_after IS NOT NULL`,
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS media_key ON media (key)',
    portions({
      table: 'media',
      where: `purpose IN ('avatar', 'proof') AND refs = 0 AND sweep_after IS NULL`,
      set: `sweep_after = created_at + interval '1 day'`,
    }),
  ];
}
