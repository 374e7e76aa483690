import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store`;

/** Stores, their catalogue and their stock: commerce-api design section 4. The store leads every key. */
export class CreateCatalogue1763600000000 extends ForwardMigration {
  readonly steps = [
    // Whatever must be unique across stores (slugs, order numbers, hosts) is claimed here
    `CREATE TABLE global_key (
      kind text NOT NULL, value text NOT NULL, store_id varchar(36) NOT NULL, ref_id text NOT NULL,
      PRIMARY KEY (kind, value)
    )`,
    `CREATE TABLE store (
      store_id varchar(36) PRIMARY KEY,
      owner_user_id uuid,
      name text NOT NULL,
      slug text NOT NULL,
      currency char(3) NOT NULL,
      timezone text NOT NULL,
      status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed', 'suspended')),
      ${TIMES}
    )`,
    `CREATE TABLE category (
      ${OF_STORE},
      id uuid NOT NULL,
      parent_id uuid,
      name text NOT NULL,
      slug text NOT NULL,
      position integer NOT NULL DEFAULT 0,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, slug),
      FOREIGN KEY (store_id, parent_id) REFERENCES category
    )`,
    `CREATE TABLE product (
      ${OF_STORE},
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('physical', 'digital', 'service')),
      name text NOT NULL,
      slug text NOT NULL,
      status text NOT NULL CHECK (status IN ('draft', 'active', 'archived')),
      category_id uuid,
      description text NOT NULL DEFAULT '',
      options jsonb NOT NULL DEFAULT '[]',
      weight_g integer NOT NULL DEFAULT 0 CHECK (weight_g >= 0),
      seo jsonb,
      search_text text NOT NULL DEFAULT '',
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, slug),
      FOREIGN KEY (store_id, category_id) REFERENCES category
    )`,
    `COMMENT ON COLUMN product.search_text IS 'lower case name, category, SKUs and barcodes; rebuilt by every write to one of them'`,
    `COMMENT ON COLUMN product.updated_at IS 'last change of the product, its variants or its pictures; stock does not count'`,
    `CREATE INDEX product_updated ON product (store_id, updated_at, id)`,
    `CREATE INDEX product_created ON product (store_id, created_at, id)`,
    `CREATE INDEX product_name ON product (store_id, name, id)`,
    `CREATE INDEX product_category ON product (store_id, category_id)`,
    `CREATE INDEX product_search ON product USING gin (store_id, search_text gin_trgm_ops)`,
    `CREATE TABLE product_image (
      ${OF_STORE},
      id uuid NOT NULL,
      product_id uuid NOT NULL,
      position integer NOT NULL,
      url text NOT NULL,
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, product_id, position),
      FOREIGN KEY (store_id, product_id) REFERENCES product
    )`,
    `CREATE TABLE variant (
      ${OF_STORE},
      id uuid NOT NULL,
      product_id uuid NOT NULL,
      sku varchar(64) NOT NULL,
      barcode varchar(64),
      option_values jsonb NOT NULL DEFAULT '{}',
      price bigint NOT NULL CHECK (price >= 0),
      compare_at bigint CHECK (compare_at > price),
      cost bigint CHECK (cost >= 0),
      weight_g integer CHECK (weight_g >= 0),
      track_stock boolean NOT NULL DEFAULT true,
      allow_backorder boolean NOT NULL DEFAULT false,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, product_id) REFERENCES product
    )`,
    `CREATE UNIQUE INDEX variant_sku ON variant (store_id, sku) WHERE status = 'active'`,
    `CREATE UNIQUE INDEX variant_options ON variant (store_id, product_id, option_values) WHERE status = 'active'`,
    `CREATE INDEX variant_price ON variant (store_id, price, id) WHERE status = 'active'`,
    `CREATE TABLE warehouse (
      ${OF_STORE},
      id uuid NOT NULL,
      name text NOT NULL,
      phone text,
      address jsonb,
      is_default boolean NOT NULL DEFAULT false,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'closed')),
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `CREATE UNIQUE INDEX warehouse_default ON warehouse (store_id) WHERE is_default`,
    `CREATE TABLE stock_level (
      ${OF_STORE},
      variant_id uuid NOT NULL,
      warehouse_id uuid NOT NULL,
      on_hand integer NOT NULL,
      reserved integer NOT NULL DEFAULT 0 CHECK (reserved >= 0),
      incoming integer NOT NULL DEFAULT 0 CHECK (incoming >= 0),
      allow_backorder boolean NOT NULL DEFAULT false,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, variant_id, warehouse_id),
      FOREIGN KEY (store_id, variant_id) REFERENCES variant,
      FOREIGN KEY (store_id, warehouse_id) REFERENCES warehouse,
      CONSTRAINT stock_level_no_oversell CHECK (allow_backorder OR reserved <= on_hand)
    )`,
    `CREATE TABLE stock_movement (
      ${OF_STORE},
      id uuid NOT NULL,
      variant_id uuid NOT NULL,
      warehouse_id uuid NOT NULL,
      delta_on_hand integer NOT NULL,
      delta_reserved integer NOT NULL DEFAULT 0,
      reason text NOT NULL CHECK (reason IN
        ('adjust', 'damage', 'found', 'reserve', 'release', 'sale', 'return', 'transfer_out', 'transfer_in', 'count')),
      ref text,
      actor text NOT NULL,
      note text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, variant_id, warehouse_id) REFERENCES stock_level
    )`,
    `CREATE INDEX stock_movement_variant ON stock_movement (store_id, variant_id, created_at, id)`,
    // Append-only: the movements must always explain the stock
    `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$`,
    `CREATE TRIGGER stock_movement_append_only BEFORE UPDATE OR DELETE ON stock_movement
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ];
}
