import { ForwardMigration } from '@platform/data';

/** What is sought by the address of a person, and what is deleted by its age. */
export class Sought1763810000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS registration_email ON registration (email, created_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS registration_updated ON registration (updated_at)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS code_request_expires ON code_request (expires_at)`,
  ];
}
