import { ForwardMigration } from '@platform/data';

/** What our own services have signed, and what the bot engine was told of payments (commerce-api design 3.1, 5.7). */
export class BotDoor1763870100000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE internal_call (
      service text NOT NULL,
      signature char(64) NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (service, signature)
    )`,
    `COMMENT ON TABLE internal_call IS 'signatures within their window: each is good once, whichever process it reaches'`,
    'CREATE INDEX internal_call_seen ON internal_call (seen_at)',
    `CREATE TABLE bot_notice (
      store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE,
      payment_id uuid NOT NULL,
      state text NOT NULL CHECK (state IN ('waiting', 'notified', 'silent', 'given_up')),
      tries integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, payment_id),
      FOREIGN KEY (store_id, payment_id) REFERENCES payment ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN bot_notice.state IS 'notified: the bot has told the buyer; silent: it has not, and never will; given_up: nobody knows'`,
  ];
}
