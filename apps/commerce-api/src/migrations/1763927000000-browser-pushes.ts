import { ForwardMigration } from '@platform/data';

/** Browsers by which members are told of news while they look at no page. */
export class BrowserPushes1763927000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE notification_preference ADD COLUMN push boolean`,
    `COMMENT ON COLUMN notification_preference.push IS 'null: as is usual for the event'`,
    `ALTER TABLE membership ADD COLUMN push_content boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN membership.push_content IS 'whether pushes show what was written; else they say only that something was'`,
    `CREATE TABLE push_subscription (
      store_id varchar(36) NOT NULL,
      id text NOT NULL,
      user_id uuid NOT NULL,
      sid text,
      label text NOT NULL,
      sealed text NOT NULL,
      not_before timestamptz,
      created_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, user_id) REFERENCES membership ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN push_subscription.id IS 'hash of the address by which the browser is reached: one browser is one row of a store'`,
    `COMMENT ON COLUMN push_subscription.sid IS 'the sign-in in which it was given; null: unknown'`,
    `COMMENT ON COLUMN push_subscription.sealed IS 'address and keys'`,
    `COMMENT ON COLUMN push_subscription.not_before IS 'its push service wants to be left alone until then'`,
    `CREATE INDEX push_subscription_member ON push_subscription (store_id, user_id)`,
    // A browser has one member at a time, whatever the store; a person signs out of all of theirs
    `CREATE INDEX push_subscription_browser ON push_subscription (id)`,
    `CREATE INDEX push_subscription_person ON push_subscription (user_id)`,
    `CREATE INDEX push_subscription_seen ON push_subscription (seen_at)`,
    `CREATE TABLE push_event (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      id text NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON TABLE push_event IS 'news of chats that members were pushed: what is told again is known'`,
    `CREATE INDEX push_event_at ON push_event (at)`,
  ];
}
