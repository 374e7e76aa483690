import { ForwardMigration } from '@platform/data';

/** Sign-ins of browsers, and what somebody had typed when one of them ended. */
export class WebSessions1763920000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE web_session (
      id_hash text PRIMARY KEY,
      user_id uuid NOT NULL,
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      token_enc text NOT NULL,
      token_expires_at timestamptz NOT NULL,
      locale text NOT NULL CHECK (locale IN ('id', 'en')),
      created_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      ended_at timestamptz
    )`,
    `COMMENT ON COLUMN web_session.id_hash IS 'SHA-256 of what the cookie holds'`,
    `COMMENT ON COLUMN web_session.token_enc IS 'the access token of store-auth in a secret box'`,
    'CREATE INDEX web_session_user ON web_session (user_id)',
    'CREATE INDEX web_session_seen ON web_session (seen_at)',
    'CREATE INDEX web_session_store ON web_session (store_id)',
    `CREATE TABLE form_draft (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      path text NOT NULL,
      fields_enc text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    'CREATE INDEX form_draft_created ON form_draft (created_at)',
  ];
}
