import { ForwardMigration } from '@platform/data';

// Only escalations that are open now; they widen who may see a chat, so every read looks here
const ESCALATIONS = `
  CREATE TABLE escalations (
    store_id text NOT NULL, conversation_id uuid NOT NULL, to_team text, to_user text, requested_by text NOT NULL, ticket_id uuid,
    requested_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, conversation_id),
    CHECK (to_team IS NOT NULL OR to_user IS NOT NULL)
  );
  CREATE INDEX escalations_team ON escalations (store_id, to_team);`;

const TICKETS = `
  CREATE TABLE tickets (
    store_id text NOT NULL, id uuid NOT NULL, nomor text NOT NULL, conversation_id uuid, nohp text NOT NULL, instance text, team_id text, customer_id uuid, order_id text,
    judul text NOT NULL, isi text NOT NULL, kategori text, prioritas text NOT NULL DEFAULT 'medium' CHECK (prioritas IN ('low', 'medium', 'high', 'urgent')),
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'on_progress', 'pending', 'resolved', 'closed')), user_id text, catatan text,
    rating smallint CHECK (rating BETWEEN 1 AND 5), feedback text, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, id),
    UNIQUE (store_id, nomor)
  );
  CREATE INDEX tickets_chat ON tickets (store_id, conversation_id);
  CREATE INDEX tickets_status ON tickets (store_id, status, updated_at DESC);
  -- The last number given out in a store
  CREATE TABLE ticket_numbers (store_id text PRIMARY KEY, last integer NOT NULL);
  CREATE TABLE ticket_histories (
    store_id text NOT NULL, ticket_id uuid NOT NULL, id uuid NOT NULL, event text NOT NULL, from_status text, to_status text, actor_type text NOT NULL, actor_id text,
    catatan text, waktu timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, ticket_id, id)
  );
  CREATE TABLE ticket_replies (
    store_id text NOT NULL, ticket_id uuid NOT NULL, id uuid NOT NULL, user_id text, pesan text NOT NULL, url text, waktu timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, ticket_id, id)
  );`;

/** What the lifecycle of a chat adds to the inbox: open escalations, and the tickets that they open. */
export class Lifecycle1795133100000 extends ForwardMigration {
  readonly steps = [ESCALATIONS, TICKETS];
}
