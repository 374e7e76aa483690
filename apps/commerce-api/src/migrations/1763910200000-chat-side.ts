import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE`;

/** Who answers chats, over which devices, and what is answered by itself: commerce-api design section 4, Conversation side. */
export class ChatSide1763910200000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE chat_team (
      ${OF_STORE},
      id varchar(36) NOT NULL,
      name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('cs', 'gudang', 'supervisor')),
      private boolean NOT NULL,
      distribution text NOT NULL CHECK (distribution IN ('manual', 'round_robin', 'least_busy')),
      hours jsonb,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON TABLE chat_team IS 'its members are those whose membership.chat_team_ids name it'`,
    `COMMENT ON COLUMN chat_team.hours IS 'null: always'`,
    `CREATE TABLE device (
      ${OF_STORE},
      id uuid NOT NULL,
      instance_id varchar(64) NOT NULL,
      name text NOT NULL,
      number text,
      chat_team_id varchar(36),
      bot_agent_id varchar(36),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, chat_team_id) REFERENCES chat_team ON DELETE SET NULL (chat_team_id)
    )`,
    `COMMENT ON COLUMN device.instance_id IS 'unique platform-wide: claimed in global_key'`,
    `COMMENT ON COLUMN device.number IS 'as the gateway last told it, or as it was announced'`,
    `CREATE UNIQUE INDEX device_instance ON device (store_id, instance_id)`,
    `CREATE INDEX device_team ON device (store_id, chat_team_id)`,
    `CREATE TABLE chatbot_rule (
      ${OF_STORE},
      id uuid NOT NULL,
      position integer NOT NULL,
      match text NOT NULL CHECK (match IN ('exact', 'contains', 'starts')),
      keywords text[] NOT NULL,
      reply_text text,
      media_id uuid,
      device_ids uuid[] NOT NULL,
      active boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      CHECK (reply_text IS NOT NULL OR media_id IS NOT NULL)
    )`,
    `CREATE INDEX chatbot_rule_position ON chatbot_rule (store_id, position, id)`,
    `CREATE TABLE welcome_message (
      ${OF_STORE},
      enabled boolean NOT NULL,
      text text NOT NULL,
      agent_id varchar(36),
      once_per_hours integer NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (store_id)
    )`,
    `CREATE TABLE quick_reply (
      ${OF_STORE},
      id uuid NOT NULL,
      shortcut text NOT NULL,
      body text NOT NULL,
      media_id uuid,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX quick_reply_shortcut ON quick_reply (store_id, lower(shortcut))`,
  ];
}
