import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** Attempts to pay an order, what was heard of them, and the numbers of receipts: commerce-api design 3.1, 3.7. */
export class Payments1763760000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE sales_order ADD COLUMN pay_expires_at timestamptz`,
    `COMMENT ON COLUMN sales_order.pay_expires_at IS 'until when it waits for its payment, then it is cancelled; null: it does not wait'`,
    `CREATE TABLE payment (
      ${OF_STORE},
      id uuid NOT NULL,
      order_id uuid NOT NULL,
      attempt integer NOT NULL,
      request_id uuid NOT NULL,
      provider text NOT NULL CHECK (provider IN ('a', 'b', 'c', 'transfer', 'cod', 'cash', 'wallet', 'other')),
      invoice_number text,
      provider_ref text,
      channel text,
      amount bigint NOT NULL CHECK (amount > 0),
      fee bigint NOT NULL DEFAULT 0 CHECK (fee >= 0),
      currency char(3) NOT NULL,
      status text NOT NULL CHECK (status IN ('created', 'pending', 'paid', 'failed', 'expired', 'cancelled', 'reversed')),
      url text,
      expires_at timestamptz,
      paid_at timestamptz,
      review_reason text,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, order_id, attempt),
      UNIQUE (store_id, request_id),
      UNIQUE (store_id, provider, invoice_number),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN payment.invoice_number IS 'what the provider was told: <order number>-<attempt>; null where there is none'`,
    `COMMENT ON COLUMN payment.request_id IS 'sent with every repeat of one call to the provider'`,
    `CREATE INDEX payment_created ON payment (store_id, created_at, id)`,
    `CREATE TABLE payment_event (
      store_id varchar(36) NOT NULL,
      payment_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz NOT NULL,
      type text NOT NULL,
      text text NOT NULL,
      actor text NOT NULL,
      PRIMARY KEY (store_id, payment_id, id),
      FOREIGN KEY (store_id, payment_id) REFERENCES payment
    )`,
    `CREATE TRIGGER payment_event_append_only BEFORE UPDATE OR DELETE ON payment_event
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    // Locked last in a transaction: a number that is not used is given back by the rollback
    `CREATE TABLE receipt_counter (
      ${OF_STORE},
      kind text NOT NULL CHECK (kind IN ('receipt', 'credit')),
      year integer NOT NULL,
      last integer NOT NULL,
      PRIMARY KEY (store_id, kind, year)
    )`,
  ];
}
