import { ForwardMigration } from '@platform/data';

// What was pushed last of every row, also of rows that were deleted: an older push never undoes a newer one. The version
// lives here for every kind alike, so the tables need none of their own.
const PUSHED = `
  CREATE TABLE sync_versions (
    store_id text NOT NULL, kind text NOT NULL, id text NOT NULL, version bigint NOT NULL,
    PRIMARY KEY (store_id, kind, id)
  );
  ALTER TABLE stores DROP COLUMN updated_at;
  ALTER TABLE users DROP COLUMN updated_at;
  ALTER TABLE teams DROP COLUMN updated_at;
  ALTER TABLE team_members DROP COLUMN updated_at;
  ALTER TABLE devices DROP COLUMN updated_at;`;

const AUTOMATION = `
  CREATE TABLE rules (
    store_id text NOT NULL, id text NOT NULL, position integer NOT NULL, match text NOT NULL CHECK (match IN ('exact', 'starts', 'contains')), keywords text[] NOT NULL,
    reply jsonb NOT NULL, instances text[] NOT NULL DEFAULT '{}', aktif boolean NOT NULL DEFAULT true,
    PRIMARY KEY (store_id, id)
  );
  CREATE TABLE welcomes (store_id text PRIMARY KEY, enabled boolean NOT NULL, text text NOT NULL, once_per_hours integer NOT NULL DEFAULT 0);
  -- The same person under WhatsApp's hidden id: later messages of the alias join the chat of the number
  CREATE TABLE conversation_aliases (
    store_id text NOT NULL, instance text NOT NULL, alias text NOT NULL, nohp text NOT NULL,
    PRIMARY KEY (store_id, instance, alias)
  );`;

// Unread ones coalesce per user, chat and type; fillfactor: a busy chat counts its unread one up with every message
const NOTIFICATIONS = `
  CREATE TABLE notifications (
    store_id text NOT NULL, user_id text NOT NULL, id uuid NOT NULL DEFAULT uuidv7(), type text NOT NULL, judul text NOT NULL, isi text,
    conversation_id uuid, pesan_id text, count integer NOT NULL DEFAULT 1, waktu timestamptz NOT NULL DEFAULT now(), read_at timestamptz,
    PRIMARY KEY (store_id, user_id, id)
  ) WITH (fillfactor = 85);
  CREATE UNIQUE INDEX notifications_unread ON notifications (store_id, user_id, conversation_id, type) WHERE read_at IS NULL;`;

/** What commerce-api pushes, automation's own tables, and notifications. */
export class SyncAutomationNotifications1795136400000 extends ForwardMigration {
  readonly steps = [PUSHED, AUTOMATION, NOTIFICATIONS];
}
