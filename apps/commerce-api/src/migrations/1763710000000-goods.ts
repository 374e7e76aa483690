import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const OF_LEVEL = `FOREIGN KEY (store_id, variant_id, warehouse_id) REFERENCES stock_level ON DELETE CASCADE`;

/** What a shop needs to keep goods: prices by quantity, reservations, transfers, media (design section 4). */
export class Goods1763710000000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE product ADD COLUMN taxable boolean NOT NULL DEFAULT true`,
    `ALTER TABLE variant ADD COLUMN tiers jsonb NOT NULL DEFAULT '[]'`,
    `ALTER TABLE product_image ADD COLUMN media_id uuid`,
    `COMMENT ON COLUMN product_image.media_id IS 'the file behind the url; null where the url is not ours'`,
    // One row an owner, variant and warehouse: what an order holds of a level's \`reserved\`
    `CREATE TABLE stock_reservation (
      ${OF_STORE},
      owner_type text NOT NULL,
      owner_id text NOT NULL,
      variant_id uuid NOT NULL,
      warehouse_id uuid NOT NULL,
      qty integer NOT NULL CHECK (qty > 0),
      state text NOT NULL CHECK (state IN ('held', 'committed', 'released')),
      expires_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, owner_type, owner_id, variant_id, warehouse_id),
      ${OF_LEVEL}
    )`,
    `CREATE INDEX stock_reservation_level ON stock_reservation (store_id, variant_id, warehouse_id) WHERE state = 'held'`,
    `CREATE TABLE stock_transfer (
      ${OF_STORE},
      id uuid NOT NULL,
      from_id uuid NOT NULL,
      to_id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('draft', 'in_transit', 'received', 'cancelled')),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, from_id) REFERENCES warehouse ON DELETE CASCADE,
      FOREIGN KEY (store_id, to_id) REFERENCES warehouse ON DELETE CASCADE
    )`,
    `CREATE INDEX stock_transfer_created ON stock_transfer (store_id, created_at, id)`,
    `CREATE TABLE stock_transfer_line (
      ${OF_STORE},
      transfer_id uuid NOT NULL,
      variant_id uuid NOT NULL,
      qty integer NOT NULL CHECK (qty > 0),
      received integer CHECK (received BETWEEN 0 AND qty),
      PRIMARY KEY (store_id, transfer_id, variant_id),
      FOREIGN KEY (store_id, transfer_id) REFERENCES stock_transfer ON DELETE CASCADE,
      FOREIGN KEY (store_id, variant_id) REFERENCES variant ON DELETE CASCADE
    )`,
    `CREATE TABLE media (
      ${OF_STORE},
      id uuid NOT NULL,
      key text NOT NULL,
      name text NOT NULL,
      mime text NOT NULL,
      bytes bigint NOT NULL,
      sha256 text NOT NULL,
      width integer,
      height integer,
      purpose text NOT NULL,
      refs integer NOT NULL DEFAULT 0 CHECK (refs >= 0),
      confirmed_at timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, key)
    )`,
    `COMMENT ON COLUMN media.refs IS 'rows that show it; it cannot be deleted before they are gone'`,
    `CREATE INDEX media_created ON media (store_id, created_at, id)`,
  ];
}
