import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** What guards a wallet, where its money goes, and what leaves it: commerce-api design 3.3, 3.4, 4. The money itself is in the ledger. */
export class Wallet1763840000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE wallet (
      ${OF_STORE},
      pin_hash text,
      pin_attempts integer NOT NULL DEFAULT 0,
      pin_locked_until timestamptz,
      hold_until timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id)
    )`,
    `COMMENT ON TABLE wallet IS 'of a store that has set a PIN'`,
    `COMMENT ON COLUMN wallet.pin_attempts IS 'raised before a PIN is looked at'`,
    `CREATE TABLE pin_code (
      ${OF_STORE},
      user_id uuid NOT NULL,
      code_hash text NOT NULL,
      attempts integer NOT NULL,
      expires_at timestamptz NOT NULL,
      sent_at timestamptz,
      hour_began timestamptz,
      hour_sent integer NOT NULL DEFAULT 0,
      PRIMARY KEY (store_id, user_id)
    )`,
    `CREATE TABLE bank_account (
      ${OF_STORE},
      id uuid NOT NULL,
      bank_code text NOT NULL,
      number_enc text NOT NULL,
      last4 text NOT NULL,
      holder text NOT NULL,
      verified_at timestamptz,
      usable_from timestamptz,
      is_primary boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX bank_account_primary ON bank_account (store_id) WHERE is_primary`,
    `CREATE TABLE withdrawal (
      ${OF_STORE},
      id uuid NOT NULL,
      bank_account_id uuid NOT NULL,
      amount bigint NOT NULL CHECK (amount > 0),
      fee bigint NOT NULL CHECK (fee >= 0),
      currency char(3) NOT NULL,
      bank_code text NOT NULL,
      number_enc text NOT NULL,
      last4 text NOT NULL,
      holder text NOT NULL,
      status text NOT NULL
        CHECK (status IN ('requested', 'approved', 'processing', 'paid', 'cancelled', 'rejected', 'failed', 'reversed')),
      failure text,
      alert text,
      provider_ref text,
      tries integer NOT NULL DEFAULT 0,
      asked boolean NOT NULL DEFAULT false,
      next_try_at timestamptz,
      idempotency_key text NOT NULL,
      requested_by text NOT NULL,
      approved_at timestamptz,
      paid_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, idempotency_key)
    )`,
    `COMMENT ON COLUMN withdrawal.bank_account_id IS 'the account as it was then is in this row; it may be gone since'`,
    `COMMENT ON COLUMN withdrawal.alert IS 'what somebody must look at: the provider contradicts itself'`,
    `COMMENT ON COLUMN withdrawal.asked IS 'the provider may have it: what it refuses now it may have taken before'`,
    `CREATE INDEX withdrawal_created ON withdrawal (store_id, created_at, id)`,
    `CREATE INDEX withdrawal_alert ON withdrawal (store_id) WHERE alert IS NOT NULL`,
    `CREATE INDEX withdrawal_open ON withdrawal (store_id, next_try_at) WHERE status IN ('approved', 'processing')`,
    `CREATE TABLE wallet_charge (
      ${OF_STORE},
      id uuid NOT NULL,
      reference text NOT NULL,
      service text NOT NULL,
      amount bigint NOT NULL CHECK (amount > 0),
      currency char(3) NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('ads_topup')),
      application_id uuid NOT NULL,
      account_id text NOT NULL,
      description text,
      idempotency_key text NOT NULL,
      reversed_at timestamptz,
      reverse_reason text,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, idempotency_key),
      UNIQUE (store_id, reference)
    )`,
    `CREATE TABLE ledger_close (
      ${OF_STORE},
      currency char(3) NOT NULL,
      until timestamptz NOT NULL,
      account text NOT NULL,
      balance bigint NOT NULL,
      PRIMARY KEY (store_id, currency, until, account)
    )`,
    `COMMENT ON TABLE ledger_close IS 'what an account held when a day of its store ended, before the entries of until: a later balance is summed up from here'`,
    `CREATE TABLE ledger_difference (
      ${OF_STORE},
      what text NOT NULL,
      off_by text NOT NULL,
      found_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, what)
    )`,
    `COMMENT ON TABLE ledger_difference IS 'what the nightly audit found last; empty unless something is very wrong'`,
  ];
}
