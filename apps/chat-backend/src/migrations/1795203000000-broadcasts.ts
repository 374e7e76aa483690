import { ForwardMigration } from '@platform/data';

// `filled` and `in_flight` are the campaign's place: the last recipient that was taken, and the outbox row of it that has not
// left yet. Room on the page, because every outcome and acknowledgement counts up here
const BROADCASTS = `
  CREATE TABLE broadcasts (
    store_id text NOT NULL, id uuid NOT NULL, instance text NOT NULL, team_id text NOT NULL, nama text NOT NULL,
    status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled', 'failed')),
    body jsonb NOT NULL, meta jsonb, jadwal timestamptz, actor_type text NOT NULL, actor_id text,
    total integer NOT NULL DEFAULT 0, valid integer NOT NULL DEFAULT 0, duplikat integer NOT NULL DEFAULT 0, tidak_valid integer NOT NULL DEFAULT 0,
    opt_out integer NOT NULL DEFAULT 0, terkirim integer NOT NULL DEFAULT 0, delivered integer NOT NULL DEFAULT 0, viewed integer NOT NULL DEFAULT 0,
    gagal integer NOT NULL DEFAULT 0,
    filled bigint NOT NULL DEFAULT 0, in_flight bigint, created_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz,
    PRIMARY KEY (store_id, id)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  CREATE INDEX broadcasts_newest ON broadcasts (store_id, created_at DESC, id DESC);
  CREATE INDEX broadcasts_active ON broadcasts (status, jadwal) WHERE status IN ('scheduled', 'sending');`;

// The key makes a number one recipient; the identity is the order of sending
const RECIPIENTS = `
  CREATE TABLE broadcast_recipients (
    store_id text NOT NULL, broadcast_id uuid NOT NULL, nohp text NOT NULL, ord bigint GENERATED ALWAYS AS IDENTITY, nama text, params jsonb NOT NULL DEFAULT '{}',
    status smallint NOT NULL DEFAULT 0,                 -- 0 pending, 1 sent, 2 delivered, 3 viewed, 4 failed, 5 skipped
    pesan_id text, conversation_id uuid, seq integer, error text, updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, broadcast_id, nohp)
  ) WITH (fillfactor = 70);
  CREATE UNIQUE INDEX broadcast_recipients_order ON broadcast_recipients (store_id, broadcast_id, ord);`;

/** Campaigns and to whom they go. */
export class Broadcasts1795203000000 extends ForwardMigration {
  readonly steps = [BROADCASTS, RECIPIENTS];
}
