import { KEY_WIDTH } from './inbox-data';
import { keyMarker } from './recorded-sql';
import type { SeedStep } from './seeded-database';

/** The store that all reads and orders concern. */
export const SHOP = 'S2';
/** What its public pages and its visitors' browsers call it. */
export const SHOP_SLUG = 'toko-s2';
/** Its owner, who the tokens of the benches belong to. */
export const OWNER = 'a2b7e0de-5f0e-4f6d-8a55-3c1d3d8a0001';
const OTHERS = 20;
const CATEGORIES = 50;
const TAGS = 20;
const BATCH = 10_000;
export const WAREHOUSES = 2;
/** So many that no run sells out. */
const ON_HAND = 1_000_000;
const DAYS = 730;

/** How much there is of everything in a shop with so many orders. */
export const sizesOf = (orders: number) => ({ orders, products: orders / 4, contacts: orders / 2 });

const padded = (n: string): string => `lpad((${n})::text, ${KEY_WIDTH}, '0')`;
const KINDS = { product: 1, variant: 2, other: 3, contact: 4, order: 5, category: 6, warehouse: 7, tag: 8 } as const;
type Kind = keyof typeof KINDS;

/** The id of the nth row, of which the number is a request's `{key}`; as SQL. */
const id = (kind: Kind, n: string): string => `('00000000-0000-7000-8000-0000${KINDS[kind]}' || ${padded(n)})::uuid`;
/** The same in a request. */
export const keyed = (kind: Kind): string => `00000000-0000-7000-8000-0000${KINDS[kind]}{key}`;

const array = (words: string): string => `ARRAY['${words.split(' ').join("','")}']`;
const GOODS = array('Sepatu Kaos Jaket Celana Tas Topi Kemeja Sandal Dompet Sabuk');
const KINDS_OF_GOODS = array(
  'Lari Polos Kulit Batik Kanvas Denim Rajut Katun Sutra Linen Anak Pria Wanita Kerja Santai',
);
const COLOURS = array('Hitam Putih Merah Biru Hijau Kuning Cokelat Abu Ungu Krem');
const FIRST = array('Budi Siti Agus Dewi Eko Rina Joko Sri Andi Nur Hendra Lestari Yusuf Ayu Rizky Putri');
const LAST = array('Santoso Wulandari Pratama Hidayat Saputra Rahayu Kurniawan Wijaya Utami Nugroho');
const pick = (words: string, seed: string, count: number): string => `(${words})[1 + (${seed}) % ${count}]`;

/** A fifth more than the large store's rows belong to the others. */
const storeOf = (all: number): string => `CASE WHEN n < ${all} THEN '${SHOP}' ELSE 'X' || n % ${OTHERS} END`;

const shops = (): string[] => {
  const all = `(SELECT '${SHOP}' AS store UNION ALL SELECT 'X' || n FROM generate_series(0, ${OTHERS - 1}) AS n) AS s`;
  const times = 'now(), now()';
  return [
    `INSERT INTO store (store_id, owner_user_id, name, slug, currency, timezone, created_at, updated_at)
      SELECT store, '${OWNER}', 'Toko ' || store, lower(store), 'IDR', 'Asia/Jakarta', ${times} FROM ${all}`,
    `INSERT INTO person (user_id, name, email, created_at, updated_at) VALUES ('${OWNER}', 'Sari', 'sari@bench.example', ${times})`,
    `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ('${SHOP}', '${OWNER}', 'owner', ${times})`,
    `INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
      SELECT store, ${id('category', 'n')}, 'Kategori ' || n, 'kategori-' || n, ${times} FROM ${all}, generate_series(0, ${CATEGORIES - 1}) AS n`,
    `INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at)
      SELECT store, ${id('warehouse', 'n')}, 'Gudang ' || n, n = 0, ${times} FROM ${all}, generate_series(0, ${WAREHOUSES - 1}) AS n`,
    `INSERT INTO tag (store_id, id, name, created_at, updated_at)
      SELECT store, ${id('tag', 'n')}, 'tag' || n, ${times} FROM ${all}, generate_series(0, ${TAGS - 1}) AS n`,
  ];
};

const since = (n: string, all: number): string =>
  `now() - interval '${DAYS} days' * greatest(0, 1 - (${n})::float8 / ${all})`;

/** Products of two variants each, all of which are in the first warehouse, with the movement that explains it. */
const products = (from: number, to: number, all: number): string[] => [
  `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT n, ${storeOf(all)} AS store, ${id('product', 'n')} AS id, ${since('n', all)} AS at, 50000 + n::bigint * 7919 % 900000 / 100 * 100 AS price,
      ${pick(GOODS, 'n', 10)} || ' ' || ${pick(KINDS_OF_GOODS, 'n / 10', 15)} || ' ' || ${pick(COLOURS, 'n / 150', 10)} || ' ' || n AS name
    FROM generate_series(${from}, ${to - 1}) AS n`,
  `INSERT INTO product (store_id, id, kind, name, slug, status, category_id, description, weight_g, search_text, price_min, created_at, updated_at)
    SELECT store, id, 'physical', name, 'produk-' || n, 'active', ${id('category', `n % ${CATEGORIES}`)}, 'Bahan pilihan, jahitan rapi.', 500,
      lower(name || ' Kategori ' || n % ${CATEGORIES} || ' sku' || ${padded('n')} || 'a sku' || ${padded('n')} || 'b'), price, at, at FROM filled`,
  `CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
    SELECT store, ${id('variant', 'n')} AS id, id AS product, 'SKU' || ${padded('n')} || 'A' AS sku, price, at, '{"ukuran":"M"}'::jsonb AS options FROM filled
    UNION ALL SELECT store, ${id('other', 'n')}, id, 'SKU' || ${padded('n')} || 'B', price + 10000, at, '{"ukuran":"L"}' FROM filled`,
  `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, weight_g, created_at, updated_at)
    SELECT store, id, product, sku, options, price, 500, at, at FROM sold`,
  `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, updated_at)
    SELECT store, id, ${id('warehouse', '0')}, ${ON_HAND}, at FROM sold`,
  `INSERT INTO stock_movement (store_id, id, variant_id, warehouse_id, delta_on_hand, reason, actor, created_at)
    SELECT store, uuidv7(), id, ${id('warehouse', '0')}, ${ON_HAND}, 'count', 'seed', at FROM sold`,
];

const contacts = (from: number, to: number, all: number): string[] => [
  `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT n, ${storeOf(all)} AS store, ${id('contact', 'n')} AS id, ${since('n', all)} AS at, '62811' || ${padded('n')} AS phone,
      ${pick(FIRST, 'n', 16)} || ' ' || ${pick(LAST, 'n / 16', 10)} || ' ' || n AS name
    FROM generate_series(${from}, ${to - 1}) AS n`,
  `INSERT INTO contact (store_id, id, name, source, orders_count, spent, last_order_at, search_text, version, created_at, updated_at)
    SELECT store, id, name, 'order', 2, 200000 + n % 1000 * 100, at, lower(name || ' ' || phone), 1, at, at FROM filled`,
  `INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at) SELECT store, phone, id, true, at FROM filled`,
  `INSERT INTO contact_tag (store_id, contact_id, tag_id) SELECT store, id, ${id('tag', `n % ${TAGS}`)} FROM filled`,
];

/** Two lines each; the last digit gives the state: 0 open, 1 in work, 9 cancelled, otherwise completed; all but 0 and 9 are paid. */
const orders = (from: number, to: number, all: number): string[] => [
  `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT n, ${storeOf(all)} AS store, ${id('order', 'n')} AS id, ${since('n', all)} AS at, 'ORD-' || ${padded('n')} AS number, n % ${sizesOf(all).contacts} AS buyer,
      n * 31 % ${sizesOf(all).products} AS product, 100000 + n % 5000 * 100 AS price, (ARRAY['open','processing','completed','completed','completed','completed','completed','completed','completed','cancelled'])[1 + n % 10] AS status,
      n % 10 BETWEEN 1 AND 8 AS paid FROM generate_series(${from}, ${to - 1}) AS n`,
  `INSERT INTO sales_order (store_id, id, number, contact_id, channel, status, payment_status, buyer, payment_method, subtotal, total, paid_total, currency,
      warehouse_id, search_text, placed_at, paid_at, completed_at, cancelled_at, created_at, updated_at)
    SELECT store, id, number, ${id('contact', 'buyer')}, 'manual', status, CASE WHEN paid THEN 'paid' ELSE 'unpaid' END,
      jsonb_build_object('name', ${pick(FIRST, 'buyer', 16)} || ' ' || ${pick(LAST, 'buyer / 16', 10)} || ' ' || buyer, 'phone', '62811' || ${padded('buyer')}), 'cash',
      price * 2, price * 2, CASE WHEN paid THEN price * 2 ELSE 0 END, 'IDR', ${id('warehouse', '0')},
      lower(number || ' ' || ${pick(FIRST, 'buyer', 16)} || ' ' || ${pick(LAST, 'buyer / 16', 10)} || ' ' || buyer || ' 62811' || ${padded('buyer')}),
      at, CASE WHEN paid THEN at END, CASE WHEN status = 'completed' THEN at END, CASE WHEN status = 'cancelled' THEN at END, at, at FROM filled`,
  `INSERT INTO order_item (store_id, order_id, id, position, variant_id, name, sku, price, qty, total, weight_g)
    SELECT store, id, uuidv7(), line, ${id('variant', 'product')}, 'Sepatu Lari ' || line, 'SKU' || ${padded('product')} || 'A', price, 1, price, 500
    FROM filled, generate_series(0, 1) AS line`,
  `INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) SELECT store, id, uuidv7(), at, 'placed', 'Order placed', '${OWNER}' FROM filled`,
  `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, paid_at, created_at, updated_at)
    SELECT store, uuidv7(), id, 1, uuidv7(), 'cash', price * 2, 'IDR', 'paid', at, at, at FROM filled WHERE paid`,
];

type Fill = (from: number, to: number, all: number) => string[];

/** A fifth more than `all`, in transactions of some thousand rows: an interrupted run loses at most one. */
const inBatches = (name: string, all: number, fill: Fill): SeedStep[] => {
  const end = Math.ceil(all * 1.2);
  return Array.from({ length: Math.ceil(end / BATCH) }, (_, index) => {
    const to = Math.min(end, (index + 1) * BATCH);
    return { name: `${name} up to ${to.toLocaleString('en-US')}`, statements: fill(index * BATCH, to, all) };
  });
};

/** A step of its own: shops of earlier runs have none that a browser could name. */
const addresses = (): string[] => [
  `UPDATE store SET slug = 'toko-' || lower(store_id)`,
  `INSERT INTO global_key (kind, value, store_id, ref_id) SELECT 'slug', slug, store_id, store_id FROM store ON CONFLICT DO NOTHING`,
];

/** What recorded requests name: they use a fixed key. */
const recorded = (all: ReturnType<typeof sizesOf>): string[] => {
  const marked = Number(keyMarker(KEY_WIDTH));
  const own = (fill: Fill, size: number): string[] =>
    [`DROP TABLE IF EXISTS filled, sold`, ...fill(marked, marked + 1, size)].map((sql) =>
      sql.replace(storeOf(size), `'${SHOP}'`),
    );
  return [...own(products, all.products), ...own(contacts, all.contacts), ...own(orders, all.orders)];
};

/** All steps of the seeding of a shop with so many orders, in order. */
export const shopSteps = (count: number): SeedStep[] => {
  const sizes = sizesOf(count);
  return [
    { name: 'shops', statements: shops() },
    { name: 'addresses of shops', statements: addresses() },
    ...inBatches('products', sizes.products, products),
    ...inBatches('contacts', sizes.contacts, contacts),
    ...inBatches('orders', sizes.orders, orders),
    { name: 'what recorded requests name', statements: recorded(sizes) },
    {
      name: 'statistics',
      statements: [
        ...['product', 'variant', 'stock_level', 'stock_movement', 'contact', 'contact_phone', 'contact_tag'],
        ...['sales_order', 'order_item', 'order_event', 'payment'],
      ].map((table) => `VACUUM ANALYZE commerce_api.${table}`),
      alone: true,
    },
  ];
};
