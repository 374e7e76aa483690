import { ForwardMigration } from '@platform/data';

/** The campaign lane of every device, what waits in it, and who does not want to hear of it (design 3.6). */
export class CreateCampaigns1762000000010 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE broadcast (
      broadcast_id text COLLATE "C" PRIMARY KEY,
      instance_id  text COLLATE "C" NOT NULL,
      seq          bigint GENERATED ALWAYS AS IDENTITY,
      state        text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'done', 'cancelled')),
      cause        text,
      content      jsonb NOT NULL,
      pace         jsonb NOT NULL,
      daily_limit  integer,
      check_number boolean NOT NULL,
      echo         boolean NOT NULL,
      start_at     timestamptz NOT NULL,
      total        integer NOT NULL,
      sent         integer NOT NULL DEFAULT 0,
      failed       integer NOT NULL DEFAULT 0,
      skipped      integer NOT NULL DEFAULT 0,
      answer       jsonb NOT NULL,
      created_at   timestamptz NOT NULL DEFAULT now(),
      ended_at     timestamptz
    )`,
    `CREATE INDEX broadcast_running ON broadcast (instance_id, start_at, seq) WHERE state = 'running'`,
    `CREATE INDEX broadcast_ended ON broadcast (ended_at) WHERE ended_at IS NOT NULL`,
    // Recipients of broadcasts, and single sends with bulk (broadcast_id null). The id of a message derives from broadcast
    // and number, so the key keeps anybody from being in a broadcast twice.
    `CREATE TABLE campaign_item (
      instance_id  text COLLATE "C" NOT NULL,
      message_id   text COLLATE "C" NOT NULL,
      seq          bigint GENERATED ALWAYS AS IDENTITY,
      broadcast_id text COLLATE "C" REFERENCES broadcast ON DELETE CASCADE,
      chat         text COLLATE "C" NOT NULL,
      fields       jsonb,
      pace         jsonb,
      state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'skipped', 'failed')),
      cause        text,
      PRIMARY KEY (instance_id, message_id)
    )`,
    `CREATE INDEX campaign_item_waiting ON campaign_item (instance_id, broadcast_id, seq) WHERE state = 'waiting'`,
    `CREATE INDEX campaign_item_broadcast ON campaign_item (broadcast_id) WHERE broadcast_id IS NOT NULL`,
    // What a lane must remember over a restart: pauses, the day's count, and whose turn it was
    `CREATE TABLE campaign_lane (
      instance_id text COLLATE "C" PRIMARY KEY,
      next_at     timestamptz NOT NULL DEFAULT 'epoch',
      last_at     timestamptz NOT NULL DEFAULT 'epoch',
      day         text NOT NULL DEFAULT '',
      sent        integer NOT NULL DEFAULT 0,
      batch       integer NOT NULL DEFAULT 0,
      single      boolean NOT NULL DEFAULT false
    )`,
    `CREATE TABLE opt_out (
      instance_id text COLLATE "C" NOT NULL,
      number      text COLLATE "C" NOT NULL,
      at          timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (instance_id, number)
    )`,
    // For the retention
    `CREATE INDEX message_age ON message (created_at)`,
    `CREATE INDEX status_age ON status (at)`,
  ];
}
