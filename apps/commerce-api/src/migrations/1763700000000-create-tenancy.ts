import { CREATE_AUDIT_LOG, ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const SYSTEM_ROLE = `text CHECK (system_role IN ('owner', 'admin', 'cs', 'warehouse', 'finance', 'advertiser'))`;
/** A role of the code, or one of the store's own. */
const ROLE = `system_role ${SYSTEM_ROLE},
      role_id uuid,
      CHECK (num_nonnulls(system_role, role_id) = 1),
      FOREIGN KEY (store_id, role_id) REFERENCES role`;

/** Who works in which store and what they may do there: commerce-api design section 4, Tenancy. The store leads every key. */
export class CreateTenancy1763700000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE store
      ADD COLUMN description text NOT NULL DEFAULT '',
      ADD COLUMN phone text,
      ADD COLUMN address jsonb,
      ADD COLUMN hours jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN logo_url text,
      ADD COLUMN status_message text,
      ADD COLUMN suspended_reason text,
      ADD COLUMN kyc_status text`,
    `CREATE TABLE person (
      user_id uuid PRIMARY KEY,
      name text NOT NULL,
      email text NOT NULL,
      phone text,
      avatar_url text,
      ${TIMES}
    )`,
    `COMMENT ON TABLE person IS 'read copy of the users of store-auth, refreshed by sign-ins and changes of a profile'`,
    `CREATE TABLE role (
      ${OF_STORE},
      id uuid NOT NULL,
      name text NOT NULL,
      abilities text[] NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX role_name ON role (store_id, lower(name))`,
    `COMMENT ON TABLE role IS 'roles of a store of its own; those that every store has are in the code'`,
    `CREATE TABLE membership (
      ${OF_STORE},
      user_id uuid NOT NULL,
      ${ROLE},
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
      chat_team_ids text[] NOT NULL DEFAULT '{}',
      ${TIMES},
      PRIMARY KEY (store_id, user_id)
    )`,
    `COMMENT ON COLUMN membership.updated_at IS 'only grows: store-auth ignores what is older than what it has'`,
    `CREATE UNIQUE INDEX membership_owner ON membership (store_id) WHERE system_role = 'owner'`,
    `CREATE INDEX membership_role ON membership (store_id, role_id) WHERE role_id IS NOT NULL`,
    // The stores of a user, for people who switch between them
    `CREATE INDEX membership_user ON membership (user_id, store_id)`,
    `CREATE TABLE invitation (
      ${OF_STORE},
      id uuid NOT NULL,
      email text NOT NULL,
      ${ROLE},
      chat_team_ids text[] NOT NULL DEFAULT '{}',
      token_hash text,
      invited_by uuid,
      expires_at timestamptz NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, email)
    )`,
    `CREATE TABLE registration (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      store_id varchar(36) NOT NULL,
      email text NOT NULL,
      wanted jsonb NOT NULL,
      state text NOT NULL DEFAULT 'begun' CHECK (state IN ('begun', 'done', 'dropped')),
      ${TIMES}
    )`,
    `COMMENT ON COLUMN registration.wanted IS 'what the person asked for, never the password'`,
    `CREATE UNIQUE INDEX registration_begun ON registration (email) WHERE state = 'begun'`,
    `CREATE TABLE code_request (
      subject text NOT NULL,
      purpose text NOT NULL,
      code_id text NOT NULL,
      sent_at timestamptz,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (subject, purpose)
    )`,
    `COMMENT ON TABLE code_request IS 'the code itself is at store-auth, and in the message that was sent'`,
    `CREATE TABLE api_token (
      ${OF_STORE},
      id uuid NOT NULL,
      name text NOT NULL,
      last4 char(4) NOT NULL,
      hash char(64) NOT NULL,
      abilities text[] NOT NULL,
      created_by text NOT NULL,
      last_used_at timestamptz,
      expires_at timestamptz,
      revoked_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, hash)
    )`,
    `CREATE TABLE setting (
      ${OF_STORE},
      name text NOT NULL,
      value jsonb NOT NULL,
      version integer NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, name)
    )`,
    ...CREATE_AUDIT_LOG,
    'CREATE INDEX audit_log_actor ON audit_log (tenant_id, actor_id, at, id)',
    // Stores of the release before have an owner, whom nobody has written down as a member
    `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at)
     SELECT store_id, owner_user_id, 'owner', created_at, updated_at FROM store WHERE owner_user_id IS NOT NULL`,
  ];
}
