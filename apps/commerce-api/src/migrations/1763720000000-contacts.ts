import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const OF_CONTACT = `FOREIGN KEY (store_id, contact_id) REFERENCES contact ON DELETE CASCADE`;

/** People that a shop knows, by their numbers; what of its rows chat-backend has yet to hear (design section 4). */
export class Contacts1763720000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE contact (
      ${OF_STORE},
      id uuid NOT NULL,
      name text,
      email text,
      birthday date,
      source text,
      custom jsonb NOT NULL DEFAULT '{}',
      blocked boolean NOT NULL DEFAULT false,
      block_reason text,
      opted_out_at timestamptz,
      orders_count integer NOT NULL DEFAULT 0,
      spent bigint NOT NULL DEFAULT 0,
      last_order_at timestamptz,
      search_text text NOT NULL DEFAULT '',
      version bigint NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON COLUMN contact.version IS 'epoch milliseconds of the last change, and strictly rising: chat-backend ignores what is not above the last it saw'`,
    `CREATE INDEX contact_created ON contact (store_id, created_at, id)`,
    `CREATE INDEX contact_name ON contact (store_id, coalesce(name, ''), id)`,
    `CREATE INDEX contact_spent ON contact (store_id, spent, id)`,
    `CREATE INDEX contact_search ON contact USING gin (store_id, search_text gin_trgm_ops)`,
    // One person by number. The row is the claim on the number and is written before its contact, so that of many at once one wins
    `CREATE TABLE contact_phone (
      ${OF_STORE},
      phone varchar(15) NOT NULL,
      contact_id uuid NOT NULL,
      is_main boolean NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, phone),
      ${OF_CONTACT} DEFERRABLE INITIALLY DEFERRED
    )`,
    `CREATE INDEX contact_phone_contact ON contact_phone (store_id, contact_id)`,
    `CREATE UNIQUE INDEX contact_phone_main ON contact_phone (store_id, contact_id) WHERE is_main`,
    `CREATE TABLE contact_address (
      ${OF_STORE},
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      address jsonb NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      ${OF_CONTACT}
    )`,
    `CREATE INDEX contact_address_contact ON contact_address (store_id, contact_id, id)`,
    `CREATE TABLE contact_note (
      ${OF_STORE},
      id uuid NOT NULL,
      contact_id uuid NOT NULL,
      text text NOT NULL,
      author text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      ${OF_CONTACT}
    )`,
    `CREATE INDEX contact_note_contact ON contact_note (store_id, contact_id, id)`,
    `CREATE TABLE tag (
      ${OF_STORE},
      id uuid NOT NULL,
      name text NOT NULL,
      color text,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX tag_name ON tag (store_id, lower(name))`,
    `CREATE TABLE contact_tag (
      ${OF_STORE},
      contact_id uuid NOT NULL,
      tag_id uuid NOT NULL,
      PRIMARY KEY (store_id, contact_id, tag_id),
      ${OF_CONTACT},
      FOREIGN KEY (store_id, tag_id) REFERENCES tag ON DELETE CASCADE
    )`,
    `CREATE INDEX contact_tag_tag ON contact_tag (store_id, tag_id, contact_id)`,
    `CREATE TABLE sync_pending (
      ${OF_STORE},
      kind text NOT NULL,
      row_id text NOT NULL,
      version bigint NOT NULL,
      deleted boolean NOT NULL,
      sent_at timestamptz,
      PRIMARY KEY (store_id, kind, row_id)
    )`,
    `COMMENT ON COLUMN sync_pending.sent_at IS 'of deleted rows, which are kept for a day so that a row made anew has a greater version'`,
    `CREATE INDEX sync_pending_unsent ON sync_pending (store_id, kind, version) WHERE sent_at IS NULL`,
  ];
}
