import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** Links that sell, and the carts of buyers who have no login: commerce-api design section 4, Orders. */
export class Checkout1763790000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE checkout_link (
      ${OF_STORE},
      id uuid NOT NULL,
      code text NOT NULL,
      name text NOT NULL,
      lines jsonb NOT NULL,
      settings jsonb NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'disabled')),
      views integer NOT NULL DEFAULT 0,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, code)
    )`,
    `CREATE INDEX checkout_link_created ON checkout_link (store_id, created_at, id)`,
    `CREATE TABLE checkout_session (
      ${OF_STORE},
      id uuid NOT NULL,
      token_hash text NOT NULL,
      reminder_hash text,
      link_id uuid,
      state text NOT NULL CHECK (state IN ('open', 'placed', 'abandoned')),
      lines jsonb NOT NULL,
      buyer jsonb,
      address jsonb,
      shipping jsonb,
      coupon text,
      utm jsonb,
      visitor_id text,
      total bigint NOT NULL DEFAULT 0,
      order_id uuid,
      abandon_at timestamptz,
      abandoned_at timestamptz,
      reminded_at timestamptz,
      expires_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, order_id),
      FOREIGN KEY (store_id, link_id) REFERENCES checkout_link ON DELETE CASCADE,
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE,
      CHECK ((state = 'placed') = (order_id IS NOT NULL))
    )`,
    `COMMENT ON COLUMN checkout_session.token_hash IS 'SHA-256: the token itself is with the buyer alone'`,
    `COMMENT ON COLUMN checkout_session.reminder_hash IS 'of the token in the last reminder, which opens the same cart'`,
    `COMMENT ON COLUMN checkout_session.abandon_at IS 'when nobody expects it to be finished any more; null while it is empty'`,
    `COMMENT ON COLUMN checkout_session.expires_at IS 'null once it is placed: its order says the rest, and its link counts it'`,
    `CREATE INDEX checkout_session_idle ON checkout_session (abandon_at) WHERE state = 'open' AND abandon_at IS NOT NULL`,
    `CREATE INDEX checkout_session_expired ON checkout_session (expires_at)`,
    `CREATE INDEX checkout_session_abandoned ON checkout_session (store_id, abandoned_at, id) WHERE state = 'abandoned'`,
    `CREATE INDEX checkout_session_link ON checkout_session (store_id, link_id) WHERE state = 'placed'`,
    `CREATE INDEX checkout_session_reminded ON checkout_session (store_id, (buyer ->> 'phone'), reminded_at) WHERE reminded_at IS NOT NULL`,
  ];
}
