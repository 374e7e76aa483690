import { ForwardMigration } from '@platform/data';

/** A verification holds until password, state or second factor change. */
export class CredentialVersions1795341600000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE users ADD COLUMN credential_version int NOT NULL DEFAULT 0`,
    `ALTER TABLE challenges ADD COLUMN credential_version int NOT NULL DEFAULT 0`,
  ];
}

/** Challenges and codes are found by their user when they end with the user's credentials. */
export class ProofsByUser1795341700000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS challenges_user ON challenges (user_id)`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS verification_codes_user ON verification_codes (user_id) WHERE used_at IS NULL`,
  ];
}
