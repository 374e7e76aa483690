import { ForwardMigration } from '@platform/data';

/** Design section 4: quotes and orders of conversations, what became of payments, and copies of stores that have an age. */
export class Checkouts1763903000000 extends ForwardMigration {
  readonly steps = [
    // No key to the conversation: the quote of a first turn comes before it
    `CREATE TABLE bot_checkouts (
       store_id text NOT NULL,
       id uuid NOT NULL,
       conv_id uuid NOT NULL,
       run_id uuid NOT NULL,
       confirm_token text NOT NULL,
       cart_hash text NOT NULL,
       args jsonb NOT NULL,
       quote jsonb NOT NULL,
       total bigint NOT NULL,
       state text NOT NULL DEFAULT 'quoted'
         CHECK (state IN ('quoted', 'superseded', 'creating', 'pending', 'paid', 'expired', 'cancelled')),
       idempotency_key text,
       order_number text,
       created_at timestamptz NOT NULL DEFAULT now(),
       updated_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id),
       CONSTRAINT bot_checkouts_token UNIQUE (store_id, confirm_token),
       CONSTRAINT bot_checkouts_key UNIQUE (store_id, idempotency_key),
       CONSTRAINT bot_checkouts_order UNIQUE (store_id, order_number))`,
    `COMMENT ON COLUMN bot_checkouts.args IS 'what commerce-api is asked for, without its key'`,
    `CREATE INDEX bot_checkouts_conversation ON bot_checkouts (store_id, conv_id, state)`,
    `CREATE INDEX bot_checkouts_age ON bot_checkouts (created_at)`,
    `CREATE TABLE bot_payment_events (
       store_id text NOT NULL,
       id uuid NOT NULL,
       id_event text NOT NULL,
       event text NOT NULL,
       order_number text NOT NULL,
       status text NOT NULL,
       outcome text NOT NULL CHECK (outcome IN ('applied', 'unconfirmed')),
       notified boolean NOT NULL,
       amount bigint,
       received_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, id))`,
    // What is told of an order's state is told once. A state that commerce did not confirm takes nobody's place.
    `CREATE UNIQUE INDEX bot_payment_events_once ON bot_payment_events (store_id, order_number, status) WHERE outcome = 'applied'`,
    `CREATE INDEX bot_payment_events_age ON bot_payment_events (received_at)`,
  ];
}
