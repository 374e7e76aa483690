import { CREATE_IDEMPOTENCY_KEYS, ForwardMigration } from '@platform/data';
import { outboxMigration } from '@platform/outbox';

const REFERENCE = `
  CREATE TABLE stores (
    store_id text PRIMARY KEY CHECK (store_id ~ '^[A-Za-z0-9_-]{1,36}$'),
    nama text NOT NULL,
    tz text NOT NULL DEFAULT 'Asia/Jakarta',
    settings jsonb NOT NULL DEFAULT '{}',
    updated_at bigint NOT NULL DEFAULT 0
  );
  -- People as the inbox shows them; who they are and what they may do is store-auth's
  CREATE TABLE users (
    store_id text NOT NULL, user_id text NOT NULL, nama text NOT NULL, email text, role text, aktif boolean NOT NULL DEFAULT true,
    updated_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (store_id, user_id)
  );
  CREATE TABLE teams (
    store_id text NOT NULL, id text NOT NULL, nama text NOT NULL, kind text NOT NULL DEFAULT 'cs' CHECK (kind IN ('cs', 'gudang', 'supervisor')),
    private boolean NOT NULL DEFAULT true, distribution text NOT NULL DEFAULT 'manual', hours jsonb,
    updated_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (store_id, id)
  );
  CREATE TABLE team_members (
    store_id text NOT NULL, team_id text NOT NULL, user_id text NOT NULL, role text NOT NULL DEFAULT 'agent', last_assigned_at timestamptz,
    updated_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (store_id, team_id, user_id)
  );
  CREATE TABLE devices (
    store_id text NOT NULL, instance text NOT NULL, nama text NOT NULL, nohp text, default_team_id text, bot_agent_id text,
    status text NOT NULL DEFAULT 'disconnected' CHECK (status IN ('connected', 'disconnected', 'qr')), last_seen_at timestamptz,
    updated_at bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (store_id, instance)
  );
  -- Whose device it is: the only table that is asked without knowing the tenant
  CREATE TABLE device_route (instance text PRIMARY KEY, store_id text NOT NULL);`;

const CUSTOMERS = `
  CREATE TABLE customers (
    store_id text NOT NULL, id uuid NOT NULL, nohp text NOT NULL, nama text, email text, alamat text, kota text, provinsi text, kodepos text, profilepic text,
    tags text[] NOT NULL DEFAULT '{}', catatan text, custom jsonb NOT NULL DEFAULT '{}', contact_id text, opt_out boolean NOT NULL DEFAULT false,
    opt_out_by_customer boolean NOT NULL DEFAULT false, blokir boolean NOT NULL DEFAULT false, total_order integer NOT NULL DEFAULT 0,
    total_belanja bigint NOT NULL DEFAULT 0, last_order_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, id),
    UNIQUE (store_id, nohp)
  );
  CREATE INDEX customers_words ON customers USING gin (store_id, nama gin_trgm_ops, nohp gin_trgm_ops);`;

// At most these five indexes beside the keys: last_at changes with every message, and every index on the row is then
// written too (design section 4, measured)
const CONVERSATIONS = `
  CREATE TABLE conversations (
    store_id text NOT NULL, id uuid NOT NULL, instance text NOT NULL, nohp text NOT NULL, team_id text NOT NULL, customer_id uuid NOT NULL,
    is_group boolean NOT NULL DEFAULT false,
    status smallint NOT NULL DEFAULT 0,                 -- 0 open, 1 handle, 2 pending, 3 finish
    status_escalate smallint NOT NULL DEFAULT 0,        -- 0 none, 1 requested, 2 finished
    assignee_id text, gudang_id text, prioritas text, tags text[] NOT NULL DEFAULT '{}', ticket_id text,
    last_seq integer NOT NULL, read_seq integer NOT NULL DEFAULT 0, unread_count integer NOT NULL DEFAULT 0,
    last_at timestamptz NOT NULL, last_text text, last_type text, last_from_me boolean NOT NULL DEFAULT false, last_pesan_id text, last_ack smallint NOT NULL DEFAULT 2,
    waiting_since timestamptz, first_response_at timestamptz, pending_until timestamptz, episode integer NOT NULL DEFAULT 1,
    turned_seq integer, turned_from smallint, welcomed_at timestamptz, finished_at timestamptz, reopened_at timestamptz,
    version integer NOT NULL DEFAULT 1, created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, id),
    UNIQUE (store_id, instance, nohp)
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
  CREATE INDEX conversations_team ON conversations (store_id, team_id, status, last_at DESC, id DESC);
  CREATE INDEX conversations_device ON conversations (store_id, instance, last_at DESC, id DESC);
  CREATE INDEX conversations_unread ON conversations (store_id, team_id) WHERE unread_count > 0;
  CREATE INDEX conversations_assignee ON conversations (store_id, assignee_id, status, last_at DESC) WHERE assignee_id IS NOT NULL;
  CREATE INDEX conversations_pending ON conversations (store_id, pending_until) WHERE pending_until IS NOT NULL;`;

// fillfactor 85: each message gets up to four acknowledgements, all of them heap-only then (design section 4, measured)
const MESSAGES = `
  CREATE TABLE messages (
    store_id text NOT NULL, conversation_id uuid NOT NULL, seq integer NOT NULL, instance text NOT NULL, pesan_id text NOT NULL, wa_id text,
    from_me boolean NOT NULL, role text NOT NULL, user_id text, type text NOT NULL, pesan text, caption text, media jsonb, detail jsonb, quote_pesan_id text,
    status_ack smallint NOT NULL, ack_ts bigint, error text, failed_at timestamptz, broadcast_id text, waktu timestamptz NOT NULL, ts bigint, raw text,
    PRIMARY KEY (store_id, conversation_id, seq),
    UNIQUE (store_id, instance, pesan_id)
  ) WITH (fillfactor = 85);
  CREATE UNIQUE INDEX messages_wa_id ON messages (store_id, instance, wa_id) WHERE wa_id IS NOT NULL;
  CREATE INDEX messages_words ON messages USING gin (store_id, to_tsvector('simple', pesan)) WHERE pesan IS NOT NULL;
  CREATE TABLE chat_histories (
    store_id text NOT NULL, conversation_id uuid NOT NULL, id uuid NOT NULL, episode integer NOT NULL, event text NOT NULL, from_status smallint, to_status smallint,
    actor_type text NOT NULL, actor_id text, team_from text, team_to text, user_from text, user_to text, catatan text, lampiran jsonb NOT NULL DEFAULT '[]',
    waktu timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (store_id, conversation_id, id)
  );`;

const ORDERS = `
  CREATE TABLE chat_orders (
    store_id text NOT NULL, id text NOT NULL, nohp text NOT NULL, order_number text NOT NULL, status text NOT NULL, payment_status text, total bigint NOT NULL DEFAULT 0,
    currency text NOT NULL DEFAULT 'IDR', items jsonb NOT NULL DEFAULT '[]', kurir text, resi text, gudang_id text, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
    PRIMARY KEY (store_id, id)
  );
  CREATE INDEX chat_orders_customer ON chat_orders (store_id, nohp, created_at DESC);
  CREATE TABLE handle_gudang (
    store_id text NOT NULL, id text NOT NULL, conversation_id uuid NOT NULL, order_id text, gudang_id text NOT NULL, gudang_nama text, team_id text, user_id text,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'diproses', 'selesai', 'batal')), catatan text, waktu_mulai timestamptz, waktu_selesai timestamptz,
    PRIMARY KEY (store_id, id)
  );
  CREATE UNIQUE INDEX handle_gudang_open ON handle_gudang (store_id, conversation_id) WHERE status IN ('pending', 'diproses');`;

/** The inbox: who has which device, customers, conversations, messages, their history, and the outbox towards the gateway. */
export class Inbox1795132800000 extends ForwardMigration {
  readonly steps = [REFERENCE, CUSTOMERS, CONVERSATIONS, MESSAGES, ORDERS, outboxMigration, CREATE_IDEMPOTENCY_KEYS];
}
