import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** How a store is paid by hand (commerce-api design section 4). */
export class Paying1763770000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE payment_method (
      ${OF_STORE},
      code text NOT NULL,
      enabled boolean NOT NULL,
      fee_bearer text NOT NULL CHECK (fee_bearer IN ('merchant', 'buyer')),
      fee_fixed bigint NOT NULL CHECK (fee_fixed >= 0),
      fee_percent_bp integer NOT NULL CHECK (fee_percent_bp BETWEEN 0 AND 10000),
      min_total bigint CHECK (min_total >= 0),
      max_total bigint CHECK (max_total >= min_total),
      channels text[] NOT NULL,
      credentials_enc text,
      ${TIMES},
      PRIMARY KEY (store_id, code)
    )`,
    `COMMENT ON TABLE payment_method IS 'only what a store has set; what nobody has set is in the code'`,
    `CREATE TABLE transfer_account (
      ${OF_STORE},
      id uuid NOT NULL,
      bank_code text NOT NULL,
      number text NOT NULL,
      holder text NOT NULL,
      active boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON TABLE transfer_account IS 'shown to whoever is to pay by transfer, hence not sealed'`,
    `CREATE TABLE transfer_proof (
      ${OF_STORE},
      id uuid NOT NULL,
      order_id uuid NOT NULL,
      media_id uuid NOT NULL,
      amount bigint CHECK (amount > 0),
      bank text,
      status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
      reviewer text,
      note text,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE
    )`,
    `CREATE INDEX transfer_proof_order ON transfer_proof (store_id, order_id, created_at, id)`,
  ];
}
