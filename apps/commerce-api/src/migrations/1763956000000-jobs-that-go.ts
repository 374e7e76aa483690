import { ForwardMigration } from '@platform/data';

/** By what the work that nobody watches any more is found. */
export class JobsThatGo1763956000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [`CREATE INDEX CONCURRENTLY IF NOT EXISTS job_row_updated ON job_row (updated_at)`];
}
