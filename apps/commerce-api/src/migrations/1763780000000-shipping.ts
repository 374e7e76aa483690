import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const OF_SHIPMENT = `FOREIGN KEY (store_id, shipment_id) REFERENCES shipment`;

/** Own shipping methods, what was quoted, and what was sent and came back: commerce-api design section 4. The store leads every key. */
export class Shipping1763780000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE shipping_method (
      ${OF_STORE},
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('flat', 'pickup', 'cod')),
      name text NOT NULL,
      cost bigint NOT NULL CHECK (cost >= 0),
      free_over bigint CHECK (free_over >= 0),
      areas text[] NOT NULL DEFAULT '{}',
      max_weight_g integer CHECK (max_weight_g > 0),
      active boolean NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON COLUMN shipping_method.areas IS 'ids or names of places; empty: everywhere'`,
    `CREATE INDEX shipping_method_name ON shipping_method (store_id, name, id)`,
    // Never changed: what somebody was told stays what it was until it expires
    `CREATE TABLE rate_quote (
      ${OF_STORE},
      id uuid NOT NULL,
      goods text NOT NULL,
      place jsonb NOT NULL,
      options jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON COLUMN rate_quote.goods IS 'hash of what was to be sent, and from where'`,
    `CREATE INDEX rate_quote_expiry ON rate_quote (expires_at)`,
    `CREATE TABLE shipment (
      ${OF_STORE},
      id uuid NOT NULL,
      order_id uuid NOT NULL,
      direction text NOT NULL CHECK (direction IN ('out', 'return')),
      warehouse_id uuid NOT NULL,
      courier text,
      service text,
      cost bigint CHECK (cost >= 0),
      waybill text,
      status text NOT NULL CHECK (status IN ('pending', 'packed', 'in_transit', 'delivered', 'returned', 'cancelled')),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE,
      FOREIGN KEY (store_id, warehouse_id) REFERENCES warehouse ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN shipment.cost IS 'what the courier takes, where somebody has told'`,
    `CREATE INDEX shipment_created ON shipment (store_id, created_at, id)`,
    `CREATE INDEX shipment_order ON shipment (store_id, order_id, id)`,
    `CREATE UNIQUE INDEX shipment_waybill ON shipment (store_id, waybill) WHERE status <> 'cancelled'`,
    `CREATE TABLE shipment_line (
      ${OF_STORE},
      shipment_id uuid NOT NULL,
      position integer NOT NULL,
      order_id uuid NOT NULL,
      order_item_id uuid NOT NULL,
      qty integer NOT NULL CHECK (qty > 0),
      condition text CHECK (condition IN ('good', 'damaged')),
      PRIMARY KEY (store_id, shipment_id, position),
      ${OF_SHIPMENT} ON DELETE CASCADE,
      FOREIGN KEY (store_id, order_id, order_item_id) REFERENCES order_item ON DELETE CASCADE
    )`,
    `COMMENT ON COLUMN shipment_line.condition IS 'of goods that came back'`,
    `CREATE INDEX shipment_line_item ON shipment_line (store_id, order_id, order_item_id)`,
    `CREATE TABLE shipment_event (
      store_id varchar(36) NOT NULL,
      shipment_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz NOT NULL,
      code text NOT NULL,
      text text NOT NULL,
      place text,
      PRIMARY KEY (store_id, shipment_id, id),
      ${OF_SHIPMENT}
    )`,
    `CREATE TRIGGER shipment_event_append_only BEFORE UPDATE OR DELETE ON shipment_event
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
  ];
}
