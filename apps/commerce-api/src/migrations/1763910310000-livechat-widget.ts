import { ForwardMigration } from '@platform/data';

/** How the chat of a shop's website looks, and which device answers it. */
export class LivechatWidget1763910310000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE livechat_widget (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      enabled boolean NOT NULL,
      title text NOT NULL,
      greeting text NOT NULL,
      color text NOT NULL,
      position text NOT NULL CHECK (position IN ('left', 'right')),
      device_id uuid,
      allowed_hosts text[] NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (store_id),
      FOREIGN KEY (store_id, device_id) REFERENCES device (store_id, id) ON DELETE SET NULL (device_id)
    )`,
    `COMMENT ON COLUMN livechat_widget.allowed_hosts IS 'none: every page may show it'`,
  ];
}
