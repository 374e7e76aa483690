import { ForwardMigration } from '@platform/data';
import { outboxMigration } from '@platform/outbox';

/** Design section 4. The gateway knows no stores: `instance_id` is its tenant and leads every key. */
export class CreateGateway1762000000000 extends ForwardMigration {
  readonly steps = [
    outboxMigration,
    `CREATE TABLE device (
      instance_id  text COLLATE "C" PRIMARY KEY,
      name         text NOT NULL DEFAULT '',
      engine       text NOT NULL CHECK (engine IN ('simulator', 'baileys', 'cloud')),
      status       text NOT NULL DEFAULT 'created',
      webhook_url  text NOT NULL,
      secret_enc   text,
      online       boolean NOT NULL DEFAULT true,
      number       text,
      push_name    text,
      platform     text,
      connected_at timestamptz,
      last_seen    timestamptz,
      last_error   text,
      reconnects   integer NOT NULL DEFAULT 0,
      restricted_until timestamptz,
      created_at   timestamptz NOT NULL DEFAULT now()
    )`,
    `CREATE TABLE message (
      instance_id text COLLATE "C" NOT NULL,
      chat        text COLLATE "C" NOT NULL,
      participant text COLLATE "C" NOT NULL DEFAULT '',
      from_me     boolean NOT NULL,
      id          text COLLATE "C" NOT NULL,
      seq         bigint GENERATED ALWAYS AS IDENTITY,
      direction   text NOT NULL CHECK (direction IN ('in', 'out')),
      type        text NOT NULL,
      pesan_id    text COLLATE "C",
      role        text,
      payload     jsonb NOT NULL,
      wa_id       text,
      send_state  text CHECK (send_state IN ('queued', 'sending', 'sent_to_engine', 'acked', 'failed')),
      error_code  text,
      body_hash   text,
      at          timestamptz NOT NULL,
      created_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (instance_id, chat, participant, from_me, id)
    )`,
    `CREATE UNIQUE INDEX message_pesan ON message (instance_id, pesan_id) WHERE pesan_id IS NOT NULL`,
    `CREATE INDEX message_by_id ON message (instance_id, id)`,
    `CREATE INDEX message_unsent ON message (instance_id, seq) WHERE send_state IN ('queued', 'sending', 'sent_to_engine')`,
    `CREATE INDEX message_inbound ON message (instance_id, chat, at) WHERE NOT from_me`,
    // Levels of DeliveryStatus; participant '' for a chat with one person
    `CREATE TABLE status (
      instance_id text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      participant text COLLATE "C" NOT NULL DEFAULT '',
      level       smallint NOT NULL,
      at          timestamptz NOT NULL,
      PRIMARY KEY (instance_id, id, participant)
    )`,
  ];
}
