import { CREATE_IDEMPOTENCY_KEYS, ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;
const OF_ORDER = `FOREIGN KEY (store_id, order_id) REFERENCES sales_order ON DELETE CASCADE`;
const AMOUNT = (name: string): string => `${name} bigint NOT NULL DEFAULT 0 CHECK (${name} >= 0)`;

/** Coupons and orders: commerce-api design section 4. The store leads every key. */
export class Sales1763730000000 extends ForwardMigration {
  readonly steps = [
    CREATE_IDEMPOTENCY_KEYS,
    `CREATE TABLE coupon (
      ${OF_STORE},
      id uuid NOT NULL,
      code text NOT NULL CHECK (code = upper(code)),
      auto boolean NOT NULL,
      kind text NOT NULL CHECK (kind IN ('percent', 'fixed', 'free_shipping', 'buy_get')),
      value bigint NOT NULL CHECK (value >= 0),
      buy_qty integer NOT NULL DEFAULT 0,
      get_qty integer NOT NULL DEFAULT 0,
      max_discount bigint,
      ${AMOUNT('min_subtotal')},
      starts_at timestamptz,
      ends_at timestamptz CHECK (ends_at > starts_at),
      usage_limit integer,
      used_count integer NOT NULL DEFAULT 0 CHECK (used_count >= 0),
      per_contact_limit integer,
      product_ids uuid[] NOT NULL DEFAULT '{}',
      category_ids uuid[] NOT NULL DEFAULT '{}',
      status text NOT NULL CHECK (status IN ('active', 'paused', 'archived')),
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, code),
      CONSTRAINT coupon_not_overused CHECK (used_count <= usage_limit)
    )`,
    `CREATE INDEX coupon_created ON coupon (store_id, created_at, id)`,
    `CREATE INDEX coupon_auto ON coupon (store_id) WHERE auto AND status = 'active'`,
    // One discount an order
    `CREATE TABLE coupon_redemption (
      ${OF_STORE},
      order_id uuid NOT NULL,
      coupon_id uuid NOT NULL,
      phone text NOT NULL,
      amount bigint NOT NULL,
      state text NOT NULL CHECK (state IN ('held', 'used', 'released')),
      ${TIMES},
      PRIMARY KEY (store_id, order_id),
      FOREIGN KEY (store_id, coupon_id) REFERENCES coupon ON DELETE CASCADE
    )`,
    `CREATE INDEX coupon_redemption_created ON coupon_redemption (store_id, coupon_id, created_at, order_id)`,
    `CREATE INDEX coupon_redemption_phone ON coupon_redemption (store_id, coupon_id, phone) WHERE state <> 'released'`,
    `CREATE TABLE sales_order (
      ${OF_STORE},
      id uuid NOT NULL,
      number text NOT NULL,
      idempotency_key text,
      request_hash text,
      contact_id uuid,
      channel text NOT NULL CHECK (channel IN ('chat', 'bot', 'storefront', 'link', 'manual')),
      status text NOT NULL CHECK (status IN ('draft', 'open', 'processing', 'completed', 'cancelled')),
      payment_status text NOT NULL CHECK (payment_status IN
        ('unpaid', 'pending', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'expired', 'failed', 'review')),
      fulfillment_status text NOT NULL DEFAULT 'none' CHECK (fulfillment_status IN
        ('none', 'partially_packed', 'packed', 'partially_shipped', 'shipped', 'partially_delivered', 'delivered',
         'partially_returned', 'returned')),
      buyer jsonb NOT NULL,
      address jsonb,
      shipping jsonb,
      payment_method text NOT NULL,
      note text,
      coupon jsonb,
      tax jsonb,
      ${['subtotal', 'discount', 'shipping_total', 'fee', 'tax_total', 'total', 'paid_total', 'refunded_total'].map(AMOUNT).join(',\n      ')},
      currency char(3) NOT NULL,
      receipt_no text,
      assignee_id uuid,
      warehouse_id uuid,
      attribution jsonb,
      review_reason text,
      version integer NOT NULL DEFAULT 1,
      search_text text NOT NULL,
      placed_at timestamptz,
      paid_at timestamptz,
      completed_at timestamptz,
      cancelled_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      UNIQUE (store_id, number),
      UNIQUE (store_id, idempotency_key)
    )`,
    `COMMENT ON COLUMN sales_order.search_text IS 'lower case number, name and phone'`,
    `CREATE INDEX sales_order_created ON sales_order (store_id, created_at, id)`,
    `CREATE INDEX sales_order_total ON sales_order (store_id, total, id)`,
    `CREATE INDEX sales_order_status ON sales_order (store_id, status, created_at, id)`,
    `CREATE INDEX sales_order_contact ON sales_order (store_id, contact_id, created_at, id) WHERE contact_id IS NOT NULL`,
    `CREATE INDEX sales_order_search ON sales_order USING gin (store_id, search_text gin_trgm_ops)`,
    `CREATE TABLE order_item (
      ${OF_STORE},
      order_id uuid NOT NULL,
      id uuid NOT NULL,
      position integer NOT NULL,
      variant_id uuid NOT NULL,
      name text NOT NULL,
      sku text NOT NULL,
      price bigint NOT NULL,
      cost bigint,
      qty integer NOT NULL CHECK (qty > 0),
      ${AMOUNT('discount_share')},
      ${AMOUNT('tax')},
      total bigint NOT NULL,
      weight_g integer NOT NULL,
      image_url text,
      note text,
      PRIMARY KEY (store_id, order_id, id),
      ${OF_ORDER}
    )`,
    `CREATE INDEX order_item_variant ON order_item (store_id, variant_id)`,
    `CREATE TABLE order_event (
      store_id varchar(36) NOT NULL,
      order_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz NOT NULL,
      type text NOT NULL,
      text text NOT NULL,
      actor text NOT NULL,
      PRIMARY KEY (store_id, order_id, id),
      FOREIGN KEY (store_id, order_id) REFERENCES sales_order
    )`,
    `CREATE TRIGGER order_event_append_only BEFORE UPDATE OR DELETE ON order_event
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `CREATE TABLE order_note (
      ${OF_STORE},
      order_id uuid NOT NULL,
      id uuid NOT NULL,
      text text NOT NULL,
      author text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, order_id, id),
      ${OF_ORDER}
    )`,
  ];
}
