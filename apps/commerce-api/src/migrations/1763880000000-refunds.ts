import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;

/** Money that goes back to buyers: commerce-api design 2.2, 2.3 B, 3.4. */
export class Refunds1763880000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE refund (
      store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE,
      id uuid NOT NULL,
      order_id uuid NOT NULL,
      payment_id uuid NOT NULL,
      idempotency_key text NOT NULL,
      request_hash text NOT NULL,
      credit_no text,
      amount bigint NOT NULL CHECK (amount > 0),
      tax bigint NOT NULL CHECK (tax BETWEEN 0 AND amount),
      currency char(3) NOT NULL,
      fee_share bigint NOT NULL CHECK (fee_share BETWEEN 0 AND amount),
      from_pending bigint NOT NULL DEFAULT 0 CHECK (from_pending BETWEEN 0 AND amount),
      method text NOT NULL CHECK (method IN ('provider', 'payout', 'manual')),
      status text NOT NULL CHECK (status IN ('requested', 'processing', 'succeeded', 'failed')),
      reason text NOT NULL,
      bank_enc text,
      provider_ref text,
      failure text,
      actor text NOT NULL,
      ended_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, idempotency_key),
      UNIQUE (store_id, credit_no),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE,
      FOREIGN KEY (store_id, payment_id) REFERENCES payment ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN refund.fee_share IS 'of the platform''s fee, which it gives back'`,
    `COMMENT ON COLUMN refund.from_pending IS 'what of it was taken from money of the payment that had not settled'`,
    `CREATE INDEX refund_order ON refund (store_id, order_id, id)`,
    `CREATE INDEX refund_open ON refund (store_id, created_at) WHERE status IN ('requested', 'processing')`,
    `CREATE TABLE refund_line (
      store_id varchar(36) NOT NULL,
      refund_id uuid NOT NULL,
      order_id uuid NOT NULL,
      order_item_id uuid NOT NULL,
      qty integer NOT NULL CHECK (qty > 0),
      amount bigint NOT NULL CHECK (amount >= 0),
      tax bigint NOT NULL CHECK (tax >= 0),
      restocked_to uuid,
      PRIMARY KEY (store_id, refund_id, order_item_id),
      FOREIGN KEY (store_id, refund_id) REFERENCES refund ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN refund_line.restocked_to IS 'goods that had not left went back on the shelf there, whatever becomes of the money'`,
    `CREATE INDEX refund_line_order ON refund_line (store_id, order_id)`,
  ];
}
