import { ForwardMigration } from '@platform/data';

/** Verification codes, two-factor set-up, times of removed memberships, and what a login was exchanged for. */
export class CompleteStoreAuth1763726400000 extends ForwardMigration {
  readonly steps = [
    // Without a user: nobody has that e-mail, and the code never matches
    `CREATE TABLE verification_codes (
      id uuid PRIMARY KEY,
      user_id uuid REFERENCES users,
      subject text NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('verify_email', 'reset_password', 'invite', 'phone')),
      code_hash text NOT NULL,
      attempts int NOT NULL DEFAULT 0,
      expires_at timestamptz NOT NULL,
      used_at timestamptz)`,
    `CREATE INDEX verification_codes_subject ON verification_codes (subject, purpose) WHERE used_at IS NULL`,
    `CREATE INDEX verification_codes_expiry ON verification_codes (expires_at)`,
    // Begun, not confirmed
    `ALTER TABLE users ADD COLUMN totp_pending_enc text`,
    // A removed membership stays as a row: an older change that arrives late must not bring it back
    `ALTER TABLE memberships DROP CONSTRAINT memberships_status_check,
      ADD CONSTRAINT memberships_status_check CHECK (status IN ('active', 'disabled', 'removed'))`,
    // Stores the login was in before: tokens for them may still be good
    `ALTER TABLE auth_sessions ADD COLUMN past_stores text[] NOT NULL DEFAULT '{}', ADD COLUMN successor_enc text`,
  ];
}
