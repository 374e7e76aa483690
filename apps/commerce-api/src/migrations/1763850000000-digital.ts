import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

/** Downloads and licence keys: commerce-api design section 4, Catalogue. */
export class Digital1763850000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE digital_product (
      ${OF_STORE},
      product_id uuid NOT NULL,
      max_downloads integer NOT NULL CHECK (max_downloads BETWEEN 1 AND 100),
      valid_days integer NOT NULL CHECK (valid_days BETWEEN 1 AND 365),
      needs_key boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, product_id),
      FOREIGN KEY (store_id, product_id) REFERENCES product ON DELETE CASCADE
    )`,
    `CREATE TABLE digital_asset (
      ${OF_STORE},
      id uuid NOT NULL,
      product_id uuid NOT NULL,
      media_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      removed_at timestamptz,
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, product_id) REFERENCES product ON DELETE CASCADE,
      FOREIGN KEY (store_id, media_id) REFERENCES media ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN digital_asset.removed_at IS 'sold no more; whoever has bought it keeps it'`,
    `CREATE INDEX digital_asset_product ON digital_asset (store_id, product_id)`,
    `CREATE INDEX digital_asset_media ON digital_asset (store_id, media_id)`,
    `CREATE TABLE license_key (
      ${OF_STORE},
      id uuid NOT NULL,
      product_id uuid NOT NULL,
      key_enc text NOT NULL,
      key_hash text NOT NULL,
      last4 text NOT NULL,
      state text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'held', 'assigned', 'revoked')),
      order_id uuid,
      order_item_id uuid,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, product_id, key_hash),
      FOREIGN KEY (store_id, product_id) REFERENCES product ON DELETE CASCADE,
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE,
      CHECK ((state = 'free') = (order_id IS NULL) AND (order_id IS NULL) = (order_item_id IS NULL))
    )`,
    `COMMENT ON COLUMN license_key.state IS 'revoked: somebody has seen it who does not own it any more, so nobody gets it again'`,
    `COMMENT ON COLUMN license_key.last4 IS 'all that is shown of it'`,
    `CREATE INDEX license_key_free ON license_key (store_id, product_id, id) WHERE state = 'free'`,
    `CREATE INDEX license_key_created ON license_key (store_id, product_id, created_at, id)`,
    `CREATE INDEX license_key_state ON license_key (store_id, product_id, state, created_at, id)`,
    `CREATE INDEX license_key_order ON license_key (store_id, order_id) WHERE order_id IS NOT NULL`,
    `CREATE TABLE digital_delivery (
      ${OF_STORE},
      id uuid NOT NULL,
      order_id uuid NOT NULL,
      order_item_id uuid NOT NULL,
      asset_id uuid,
      issue uuid NOT NULL,
      token_hash text NOT NULL,
      former_hashes text[] NOT NULL DEFAULT '{}',
      downloads integer NOT NULL DEFAULT 0,
      max_downloads integer NOT NULL,
      valid_days integer NOT NULL,
      expires_at timestamptz NOT NULL,
      sent_at timestamptz,
      revoked_at timestamptz,
      revoked_for text CHECK (revoked_for IN ('reversal', 'return')),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE NULLS NOT DISTINCT (store_id, order_id, order_item_id, asset_id),
      UNIQUE (store_id, token_hash),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE,
      FOREIGN KEY (store_id, asset_id) REFERENCES digital_asset ON DELETE CASCADE,
      CHECK (downloads BETWEEN 0 AND max_downloads),
      CHECK ((revoked_at IS NULL) = (revoked_for IS NULL))
    )`,
    `COMMENT ON COLUMN digital_delivery.asset_id IS 'null: the licence keys of the line'`,
    `COMMENT ON COLUMN digital_delivery.issue IS 'random: with it and a secret of the service its link can be made again, with neither alone'`,
    `COMMENT ON COLUMN digital_delivery.token_hash IS 'SHA-256: the token itself is with the buyer alone'`,
    `COMMENT ON COLUMN digital_delivery.former_hashes IS 'of links that were replaced'`,
    `COMMENT ON COLUMN digital_delivery.revoked_for IS 'reversal: until it is paid again; return: for ever'`,
    `CREATE INDEX digital_delivery_asset ON digital_delivery (store_id, asset_id)`,
  ];
}
