import { ForwardMigration } from '@platform/data';

/** Client applications, their keys and bearers, and the social accounts they connected: ads-api design section 4. */
export class CreateApplications1763600000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE applications (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      is_active boolean NOT NULL DEFAULT true,
      topup_policy text NOT NULL DEFAULT 'trusted' CHECK (topup_policy IN ('trusted', 'verified_payment')),
      payment_issuer text,
      return_urls text[] NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL
    )`,
    `CREATE TABLE application_keys (
      application_id uuid NOT NULL REFERENCES applications,
      fingerprint text NOT NULL,
      spki_pem text NOT NULL,
      state text NOT NULL CHECK (state IN ('current', 'previous', 'revoked')),
      valid_until timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (application_id, fingerprint)
    )`,
    `CREATE UNIQUE INDEX application_keys_current ON application_keys (application_id) WHERE state = 'current'`,
    // Found by the bearer alone, which does not name its application: the one table whose key the tenant cannot lead
    `CREATE TABLE access_tokens (
      token_hash bytea PRIMARY KEY,
      application_id uuid NOT NULL REFERENCES applications,
      key_fingerprint text NOT NULL,
      issued_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz
    )`,
    `CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at)`,
    `CREATE TABLE handshake_replays (
      digest bytea PRIMARY KEY,
      nonce bytea NOT NULL,
      application_id uuid NOT NULL REFERENCES applications,
      minted_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX handshake_replays_expires_at ON handshake_replays (expires_at)`,
    `CREATE TABLE social_tokens (
      application_id uuid NOT NULL REFERENCES applications,
      id uuid NOT NULL,
      social_user_id text NOT NULL,
      social_user_name text NOT NULL,
      ciphertext text,
      key_id text,
      scopes text[] NOT NULL DEFAULT '{}',
      expires_at timestamptz,
      is_active boolean NOT NULL DEFAULT true,
      inactive_reason text,
      connected_at timestamptz NOT NULL,
      PRIMARY KEY (application_id, id),
      UNIQUE (application_id, social_user_id)
    )`,
  ];
}
