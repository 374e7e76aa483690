import { ForwardMigration } from '@platform/data';

const OF_STORE = 'store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE';
const TIMES = 'created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL';

/** What a store writes to its buyers, what its members are told, and what they tell each other. */
export class MessagesAndNotices1763910500000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE message_template (
      ${OF_STORE},
      id uuid NOT NULL,
      event text NOT NULL,
      body text NOT NULL,
      active boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX message_template_active ON message_template (store_id, event) WHERE active`,
    `CREATE INDEX message_template_event ON message_template (store_id, event, created_at, id)`,
    `ALTER TABLE shipment ADD COLUMN quiet boolean NOT NULL DEFAULT false`,
    `COMMENT ON COLUMN shipment.quiet IS 'the buyer is not told that it was sent'`,
    `CREATE TABLE notification (
      ${OF_STORE},
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      notice_id text NOT NULL,
      event text NOT NULL,
      title text NOT NULL,
      body text NOT NULL,
      url text NOT NULL,
      in_app boolean NOT NULL,
      read_at timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, notice_id, user_id)
    )`,
    `COMMENT ON COLUMN notification.in_app IS 'false: told by other ways only'`,
    `CREATE INDEX notification_of_user ON notification (store_id, user_id, created_at, id) WHERE in_app`,
    `CREATE INDEX notification_unread ON notification (store_id, user_id, created_at, id) WHERE in_app AND read_at IS NULL`,
    `CREATE INDEX notification_created ON notification (created_at)`,
    `CREATE TABLE notification_preference (
      ${OF_STORE},
      user_id uuid NOT NULL,
      event text NOT NULL,
      in_app boolean NOT NULL,
      email boolean NOT NULL,
      whatsapp boolean NOT NULL,
      PRIMARY KEY (store_id, user_id, event)
    )`,
    `CREATE TABLE low_stock (
      ${OF_STORE},
      variant_id uuid NOT NULL,
      since timestamptz NOT NULL,
      PRIMARY KEY (store_id, variant_id)
    )`,
    `COMMENT ON TABLE low_stock IS 'variants whose fall to the threshold was announced, until they rise above it'`,
    `CREATE TABLE staff_room (
      ${OF_STORE},
      id uuid NOT NULL,
      name text NOT NULL,
      created_by uuid NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE TABLE staff_room_member (
      ${OF_STORE},
      user_id uuid NOT NULL,
      room_id uuid NOT NULL,
      PRIMARY KEY (store_id, user_id, room_id),
      FOREIGN KEY (store_id, room_id) REFERENCES staff_room ON DELETE CASCADE
    )`,
    `CREATE INDEX staff_room_member_room ON staff_room_member (store_id, room_id, user_id)`,
    `CREATE TABLE staff_message (
      ${OF_STORE},
      id uuid NOT NULL,
      room_id uuid NOT NULL,
      user_id uuid NOT NULL,
      text text NOT NULL,
      media_id uuid,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, room_id) REFERENCES staff_room ON DELETE CASCADE
    )`,
    `CREATE INDEX staff_message_room ON staff_message (store_id, room_id, created_at, id)`,
  ];
}
