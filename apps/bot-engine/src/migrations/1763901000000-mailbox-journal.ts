import { ForwardMigration } from '@platform/data';

/** Design 3.1: what a process without Redis takes up again. `conv_key` is a digest that holds the store. */
export class MailboxJournal1763901000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE bot_mailbox (
       conv_key text NOT NULL,
       id_message text NOT NULL,
       n bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
       role text NOT NULL CHECK (role IN ('leader', 'joined')),
       lead_token uuid NOT NULL,
       payload jsonb NOT NULL,
       tries integer NOT NULL DEFAULT 0,
       done_at timestamptz,
       created_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (conv_key, id_message))`,
    `CREATE INDEX bot_mailbox_waiting ON bot_mailbox (n) WHERE done_at IS NULL`,
    `CREATE INDEX bot_mailbox_done ON bot_mailbox (done_at)`,
  ];
}
