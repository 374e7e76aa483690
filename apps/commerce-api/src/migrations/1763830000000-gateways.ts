import { ForwardMigration } from '@platform/data';

/** What is asked of payment providers, and what they tell: commerce-api design 3.1, 3.5, 4. */
export class Gateways1763830000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE payment ADD COLUMN channels text[] NOT NULL DEFAULT '{}',
      ADD COLUMN notify_path text,
      ADD COLUMN calls integer NOT NULL DEFAULT 0,
      ADD COLUMN polls integer NOT NULL DEFAULT 0,
      ADD COLUMN poll_at timestamptz,
      ADD COLUMN asking_until timestamptz,
      ADD COLUMN asked_at timestamptz,
      ADD COLUMN bot_told boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN payment.calls IS 'how often the provider was asked to make it, always with the same request_id'`,
    `COMMENT ON COLUMN payment.poll_at IS 'when its provider is asked next; null: never'`,
    `COMMENT ON COLUMN payment.asking_until IS 'so long one process has for itself to make it at its provider'`,
    `COMMENT ON COLUMN payment.asked_at IS 'when somebody last had its provider asked'`,
    `ALTER TABLE payment_method ADD COLUMN account_key text`,
    `COMMENT ON COLUMN payment_method.account_key IS 'the kind in global_key by which notices of its account find the store'`,
    `CREATE TABLE webhook_event (
      store_id varchar(36) NOT NULL,
      id uuid NOT NULL,
      provider text NOT NULL CHECK (provider IN ('a', 'b', 'c')),
      route text NOT NULL,
      dedupe_key text NOT NULL,
      headers jsonb NOT NULL,
      raw bytea NOT NULL,
      signature_ok boolean NOT NULL,
      outcome text NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      error text,
      duration_ms integer,
      received_at timestamptz NOT NULL,
      processed_at timestamptz,
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON TABLE webhook_event IS 'what came to the routes of providers; store_id is empty where it names no store, and no store is shown it'`,
    `COMMENT ON COLUMN webhook_event.raw IS 'byte for byte where the signature is good, the beginning of it otherwise'`,
    // A forged one takes the place of no genuine one
    `CREATE UNIQUE INDEX webhook_event_once ON webhook_event (store_id, provider, dedupe_key) WHERE signature_ok`,
    `CREATE INDEX webhook_event_listed ON webhook_event (store_id, received_at, id)`,
    `CREATE INDEX webhook_event_received ON webhook_event (received_at)`,
  ];
}
