import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
/** Whatever becomes of the store: what was posted stays. */
const POSTED = `store_id varchar(36) NOT NULL`;

const UNBALANCED = `SELECT FROM ledger_entry e WHERE e.store_id = NEW.store_id AND e.txn_id = NEW.txn_id
  GROUP BY e.currency HAVING sum(CASE e.side WHEN 'D' THEN e.amount ELSE -e.amount END) <> 0`;

/** The ledger, the bills of a store, and payments of both orders and bills: commerce-api design 3.1, 3.4, 4. */
export class Ledger1763820000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE ledger_account (
      ${POSTED},
      code text NOT NULL,
      currency char(3) NOT NULL,
      balance bigint NOT NULL,
      PRIMARY KEY (store_id, code, currency),
      CONSTRAINT ledger_account_covered CHECK (
        balance >= 0 OR code NOT IN ('wallet_pending', 'wallet_available', 'wallet_locked', 'ads_funds'))
    )`,
    `COMMENT ON TABLE ledger_account IS 'every account is of a store, the platform''s own figures are their sums: no two stores wait for one row'`,
    `CREATE TABLE ledger_txn (
      ${POSTED},
      id uuid NOT NULL,
      idempotency_key text NOT NULL,
      kind text NOT NULL,
      ref text NOT NULL,
      note text NOT NULL,
      reverses uuid,
      actor text NOT NULL,
      posted_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, idempotency_key),
      FOREIGN KEY (store_id, reverses) REFERENCES ledger_txn
    )`,
    `CREATE TABLE ledger_entry (
      ${POSTED},
      txn_id uuid NOT NULL,
      account text NOT NULL,
      currency char(3) NOT NULL,
      side char(1) NOT NULL CHECK (side IN ('D', 'C')),
      amount bigint NOT NULL CHECK (amount > 0),
      balance_after bigint NOT NULL,
      seq bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (store_id, txn_id, account),
      FOREIGN KEY (store_id, txn_id) REFERENCES ledger_txn,
      FOREIGN KEY (store_id, account, currency) REFERENCES ledger_account
    )`,
    `COMMENT ON COLUMN ledger_entry.seq IS 'within an account, the order in which its balance moved: given under the lock of the account'`,
    `CREATE UNIQUE INDEX ledger_entry_account ON ledger_entry (store_id, account, currency, seq)`,
    `CREATE INDEX ledger_entry_seq ON ledger_entry (store_id, seq)`,
    `CREATE INDEX ledger_txn_posted ON ledger_txn (store_id, posted_at)`,
    `CREATE FUNCTION refuse_unbalanced() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (${UNBALANCED}) THEN
          RAISE EXCEPTION 'ledger transaction % does not balance', NEW.txn_id USING ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
      END $$`,
    `CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse_unbalanced()`,
    ...['ledger_txn', 'ledger_entry'].flatMap((table) => [
      `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
      `CREATE TRIGGER ${table}_never_emptied BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
    ]),
    `CREATE TABLE invoice (
      ${OF_STORE},
      id uuid NOT NULL,
      number text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('subscription', 'addon', 'topup')),
      ref text NOT NULL,
      lines jsonb NOT NULL,
      amount bigint NOT NULL CHECK (amount >= 0),
      currency char(3) NOT NULL,
      status text NOT NULL CHECK (status IN ('draft', 'open', 'paid', 'expired', 'void')),
      due_at timestamptz,
      paid_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, number),
      UNIQUE (store_id, kind, ref)
    )`,
    `COMMENT ON TABLE invoice IS 'what a store owes the platform or pays in; an order is its own invoice'`,
    `COMMENT ON COLUMN invoice.ref IS 'what it is for; nothing is billed twice'`,
    `CREATE INDEX invoice_created ON invoice (store_id, created_at, id)`,
    `ALTER TABLE payment ALTER COLUMN order_id DROP NOT NULL`,
    `ALTER TABLE payment ADD COLUMN invoice_id uuid,
      ADD COLUMN mode text NOT NULL DEFAULT 'direct',
      ADD COLUMN platform_fee bigint NOT NULL DEFAULT 0`,
    `COMMENT ON COLUMN payment.mode IS 'platform: the money comes to the platform, which owes it to the store; direct: the store has it'`,
    `COMMENT ON COLUMN payment.invoice_id IS 'the bill that it pays; of an order it has order_id instead'`,
    `CREATE TABLE wallet_settlement (
      ${OF_STORE},
      payment_id uuid NOT NULL,
      amount bigint NOT NULL CHECK (amount >= 0),
      currency char(3) NOT NULL,
      due_at timestamptz NOT NULL,
      released_at timestamptz,
      PRIMARY KEY (store_id, payment_id),
      FOREIGN KEY (store_id, payment_id) REFERENCES payment ON DELETE CASCADE
    )`,
    `COMMENT ON TABLE wallet_settlement IS 'what of a payment is in wallet_pending until it is due; a refund takes of it first'`,
    `CREATE INDEX wallet_settlement_due ON wallet_settlement (store_id, due_at) WHERE released_at IS NULL`,
  ];
}
