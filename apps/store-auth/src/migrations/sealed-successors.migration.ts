import { ForwardMigration } from '@platform/data';

/** Successors of tokens that were exchanged are found to be emptied when nobody can ask for them any more. */
export class SealedSuccessors1795341800000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS refresh_tokens_sealed ON refresh_tokens (used_at) WHERE successor_enc IS NOT NULL`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS auth_sessions_sealed ON auth_sessions (prev_until) WHERE successor_enc IS NOT NULL`,
  ];
}
