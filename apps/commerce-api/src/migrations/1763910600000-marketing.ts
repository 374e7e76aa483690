import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const COUNTER = (name: string): string => `${name} bigint NOT NULL DEFAULT 0`;

/** Pages of links, short links, and from where visitors come: commerce-api design section 4, Marketing. */
export class Marketing1763910600000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE biolink (
      ${OF_STORE},
      id uuid NOT NULL,
      slug text NOT NULL,
      title text NOT NULL,
      bio text,
      avatar_media_id uuid,
      avatar_url text,
      theme jsonb NOT NULL DEFAULT '{}',
      published boolean NOT NULL DEFAULT false,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE INDEX biolink_created ON biolink (store_id, created_at, id)`,
    `CREATE TABLE biolink_block (
      ${OF_STORE},
      id uuid NOT NULL,
      biolink_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('link', 'whatsapp', 'product', 'checkout', 'video', 'heading', 'social', 'qr')),
      data jsonb NOT NULL,
      position integer NOT NULL,
      active boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, biolink_id) REFERENCES biolink ON DELETE CASCADE
    )`,
    `CREATE INDEX biolink_block_page ON biolink_block (store_id, biolink_id, position)`,
    `CREATE TABLE biolink_daily (
      ${OF_STORE},
      biolink_id uuid NOT NULL,
      day date NOT NULL,
      block_id uuid NOT NULL,
      ${COUNTER('count')},
      PRIMARY KEY (store_id, biolink_id, day, block_id),
      FOREIGN KEY (store_id, biolink_id) REFERENCES biolink ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN biolink_daily.day IS 'in the time zone of the store'`,
    `COMMENT ON COLUMN biolink_daily.block_id IS 'whose clicks they are, also when it is gone; all zeros: views of the page'`,
    `CREATE TABLE tracker_link (
      ${OF_STORE},
      id uuid NOT NULL,
      code text NOT NULL,
      target text NOT NULL,
      utm jsonb NOT NULL DEFAULT '{}',
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, code)
    )`,
    `CREATE INDEX tracker_link_created ON tracker_link (store_id, created_at, id)`,
    `CREATE TABLE tracker_daily (
      ${OF_STORE},
      tracker_id uuid NOT NULL,
      day date NOT NULL,
      ${COUNTER('clicks')},
      ${COUNTER('chats')},
      PRIMARY KEY (store_id, tracker_id, day),
      FOREIGN KEY (store_id, tracker_id) REFERENCES tracker_link ON DELETE CASCADE
    )`,
    // The row of a message is what keeps a chat from being counted twice
    `CREATE TABLE tracker_chat (
      ${OF_STORE},
      id text NOT NULL,
      tracker_id uuid NOT NULL,
      phone varchar(15) NOT NULL,
      chat_id text NOT NULL,
      utm jsonb NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE INDEX tracker_chat_phone ON tracker_chat (store_id, phone, at)`,
    `CREATE INDEX tracker_chat_at ON tracker_chat (at)`,
    // One row a visitor: the visit that goes on, and the last one that did not come by itself
    `CREATE TABLE visit (
      ${OF_STORE},
      visitor_id text NOT NULL,
      source text NOT NULL,
      visits integer NOT NULL,
      steps integer NOT NULL,
      first_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      touch jsonb,
      touched_at timestamptz,
      PRIMARY KEY (store_id, visitor_id)
    )`,
    `COMMENT ON COLUMN visit.steps IS 'a bit for each event that the visit has had'`,
    `CREATE INDEX visit_last ON visit (last_at)`,
    `CREATE TABLE visit_event (
      ${OF_STORE},
      event_id text NOT NULL,
      visitor_id text NOT NULL,
      event text NOT NULL CHECK (event IN ('page_view', 'view_content', 'add_to_cart', 'checkout', 'purchase')),
      data jsonb,
      at timestamptz NOT NULL,
      PRIMARY KEY (store_id, event_id)
    )`,
    `CREATE INDEX visit_event_at ON visit_event (at)`,
    `CREATE TABLE source_daily (
      ${OF_STORE},
      day date NOT NULL,
      source text NOT NULL,
      ${['visits', 'viewed', 'carted', 'checkouts', 'purchases', 'chats', 'anonymous'].map(COUNTER).join(',\n      ')},
      PRIMARY KEY (store_id, day, source)
    )`,
    `COMMENT ON COLUMN source_daily.anonymous IS 'events of visitors who did not agree: nothing else is kept of them'`,
  ];
}
