// One large store beside many small ones: what is read for one order, one contact or one page does not grow with the store.
import { expectFewRead, fill, useDatabase, vacuumed, type Asking } from '@platform/testing';
import { migrations, schema } from './data-source';
import { CHECK_STOCK } from './features/catalogue/stock/stock.repository';
import { productListing, variantListing } from './features/catalogue/products/product-list.sql';
import { movementListing } from './features/catalogue/products/product-stock';
import { productById } from './features/catalogue/products/product.sql';
import { storefrontListing } from './features/catalogue/storefront/storefront.sql';
import { contactById, contactByPhone, contactListing } from './features/contacts/people/contact.sql';
import { isForgotten, isUnwanted } from './features/contacts/people/unwanted';
import { boughtBy } from './features/sales/buyers/buyers.sql';
import { historyOf, orderById, orderByNumber, orderListing } from './features/sales/orders/orders.sql';
import { LIVE_OF_ORDER } from './features/sales/payments/attempts.sql';
import { paymentListing } from './features/sales/payments/payments.sql';
import { ADD_ATTEMPT, LACKING, LEAVING, LOCK_ORDER } from './features/sales/payments/settle.sql';
import { usageListing } from './features/sales/coupons/coupons.sql';
import { warehouseStockListing } from './features/stock/warehouses/warehouse-stock';
import { lineListing } from './features/wallet/balance/lines';
import { shipmentListing } from './features/shipping/shipments/shipments.sql';
import { BOOK } from './features/stock/levels/bookings.sql';
import { GOODS } from './features/stock/levels/handover';
import { COMMIT, HELD, OPEN_LEVELS, RELEASE, RESERVE } from './features/stock/levels/reservations.sql';

const database = useDatabase({ schema, migrations });

/** Fewer than the contacts, products or orders of the large store, more than the stores. */
const FEW = 1000;
const id = (kind: number, n = 'n'): string =>
  `('00000000-0000-7000-8000-${kind}' || lpad((${n})::text, 11, '0'))::uuid`;
const [CONTACT, ORDER, PRODUCT, VARIANT, WAREHOUSE, COUPON, TXN] = [1, 2, 3, 4, 5, 6, 7];
const the = (kind: number, n = 77): string => `00000000-0000-7000-8000-${kind}${String(n).padStart(11, '0')}`;
const AT = `now() - interval '1 minute' * (20000 - n)`;
const PLACE = `(SELECT w.id FROM warehouse w WHERE w.store_id = store)`;

/** Contact n of the large store, L, has bought product n by order n, which has a payment, a parcel, a line and goods. */
const SCENE = [
  `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
     SELECT s, 'Toko', lower(s), 'IDR', 'Asia/Jakarta', now(), now() FROM (SELECT 'S' || n FROM generate_series(0, 299) n UNION ALL SELECT 'L') AS x(s)`,
  `CREATE TEMPORARY TABLE seeded AS SELECT n, CASE WHEN n <= 2000 THEN 'L' ELSE 'S' || n % 300 END AS store FROM generate_series(1, 20000) n ORDER BY n * 7919 % 20000`,
  `INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at)
     SELECT store_id, ${id(WAREHOUSE, "CASE store_id WHEN 'L' THEN 0 ELSE 1 + ltrim(store_id, 'S')::int END")}, 'Gudang', true, now(), now() FROM store WHERE store_id ~ '^(L|S[0-9]+)$'`,
  `INSERT INTO contact (store_id, id, name, version, search_text, created_at, updated_at) SELECT store, ${id(CONTACT)}, 'Budi', 1, 'budi', ${AT}, now() FROM seeded`,
  `INSERT INTO contact_phone (store_id, phone, contact_id, is_main, created_at) SELECT store, '62' || n, ${id(CONTACT)}, true, now() FROM seeded`,
  `INSERT INTO contact_address (store_id, id, contact_id, address, created_at, updated_at) SELECT store, uuidv7(), ${id(CONTACT)}, '{"city":"Kota"}', now(), now() FROM seeded`,
  `INSERT INTO product (store_id, id, kind, name, slug, status, search_text, created_at, updated_at) SELECT store, ${id(PRODUCT)}, 'physical', 'Tas', 'tas-' || n, 'active', 'tas', ${AT}, now() FROM seeded`,
  `INSERT INTO variant (store_id, id, product_id, sku, price, created_at, updated_at) SELECT store, ${id(VARIANT)}, ${id(PRODUCT)}, 'SKU-' || n, 1000, ${AT}, now() FROM seeded`,
  `INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, reserved, updated_at) SELECT store, ${id(VARIANT)}, ${PLACE}, 9, 1, now() FROM seeded`,
  `INSERT INTO stock_movement (store_id, id, variant_id, warehouse_id, delta_on_hand, reason, actor, created_at) SELECT store, uuidv7(), ${id(VARIANT)}, ${PLACE}, 9, 'adjust', 'seed', ${AT} FROM seeded`,
  `INSERT INTO stock_reservation (store_id, owner_type, owner_id, variant_id, warehouse_id, qty, state, created_at, updated_at)
     SELECT store, 'order', ${id(ORDER)}::text, ${id(VARIANT)}, ${PLACE}, 1, 'held', now(), now() FROM seeded`,
  `INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, fulfillment_status, buyer, payment_method, currency, search_text, contact_id, created_at, updated_at)
     SELECT store, ${id(ORDER)}, 'N-' || n, 'manual', 'completed', 'paid', 'delivered', '{}', 'cash', 'IDR', '', ${id(CONTACT)}, ${AT}, now() FROM seeded`,
  `INSERT INTO order_item (store_id, order_id, id, position, variant_id, name, sku, price, qty, total, weight_g) SELECT store, ${id(ORDER)}, uuidv7(), 1, ${id(VARIANT)}, 'Tas', 'SKU', 1000, 1, 1000, 1 FROM seeded`,
  `INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) SELECT store, ${id(ORDER)}, uuidv7(), now(), 'created', '', 'seed' FROM seeded`,
  `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
     SELECT store, uuidv7(), ${id(ORDER)}, 1, uuidv7(), 'cash', 1000, 'IDR', 'paid', ${AT}, now() FROM seeded`,
  `INSERT INTO shipment (store_id, id, order_id, direction, warehouse_id, status, created_at, updated_at) SELECT store, uuidv7(), ${id(ORDER)}, 'out', ${PLACE}, 'delivered', ${AT}, now() FROM seeded`,
  `INSERT INTO coupon_redemption (store_id, order_id, coupon_id, phone, amount, state, created_at, updated_at)
     SELECT store, ${id(ORDER)}, ${id(COUPON, "CASE store WHEN 'L' THEN 0 ELSE 1 + ltrim(store, 'S')::int END")}, '62' || n, 1, 'used', ${AT}, now() FROM seeded`,
  `INSERT INTO ledger_txn (store_id, id, idempotency_key, kind, ref, note, actor, posted_at) SELECT store, ${id(TXN)}, 'key ' || n, 'order_paid', '', '', 'seed', ${AT} FROM seeded`,
  `INSERT INTO ledger_entry (store_id, txn_id, account, currency, side, amount, balance_after) SELECT store, ${id(TXN)}, 'wallet_available', 'IDR', 'C', 1, n FROM seeded`,
];

const NOW = new Date('2026-11-30T12:00:00Z');
const seen = undefined;
const [variants, places] = [[the(VARIANT)], [the(WAREHOUSE, 0)]];
const prepared =
  (text: string, ...values: readonly unknown[]): Asking =>
  (sql) =>
    sql.prepared('measured', text, ['L', ...values]);
/** A page of it; its total is counted apart, and now and then. */
const page =
  (
    listing: {
      statements(tenant: string, query: never): { rows: { name?: string; text: string; values: readonly unknown[] } };
    },
    query: object,
  ): Asking =>
  (sql) => {
    const { name, text, values } = listing.statements('L', query as never).rows;
    return name === undefined ? sql.query(text, values) : sql.prepared(name, text, values);
  };

beforeAll(async () => {
  await fill(database, SCENE);
  await vacuumed(database);
});

it.each<[string, Asking]>([
  ['an order', (sql) => orderById(sql, 'L', the(ORDER))],
  ['an order by its number', (sql) => orderByNumber(sql, 'L', 'N-77')],
  ['the history of an order', (sql) => historyOf(sql, 'L', the(ORDER))],
  ['a page of orders', page(orderListing, { seen })],
  ['a page of orders of a contact', page(orderListing, { seen, contact_id: the(CONTACT) })],
  ['an order that is sought by number', page(orderListing, { seen, number: 'n-77' })],
  ['what somebody has bought', (sql) => boughtBy(sql, 'L', the(CONTACT))],
  ['to lock an order', prepared(LOCK_ORDER, the(ORDER), NOW)],
  ['what of an order is on its way back', prepared(LEAVING, the(ORDER))],
  ['what an order lacks', prepared(LACKING, the(ORDER))],
  ['to add an attempt', prepared(ADD_ATTEMPT, the(9), the(ORDER), the(9), 'a', 1000, 'IDR', NOW)],
  ['attempts of an order', prepared(LIVE_OF_ORDER, the(ORDER))],
  ['a page of payments', page(paymentListing, { seen })],
  ['a page of parcels', page(shipmentListing, { seen })],
  ['a contact', (sql) => contactById(sql, 'L', the(CONTACT))],
  ['a contact by its number', (sql) => contactByPhone(sql, 'L', '6277')],
  ['a page of contacts', page(contactListing, {})],
  ['whether a number may be written to', (sql) => isUnwanted(sql, 'L', '6277')],
  ['whether a number was forgotten', (sql) => isForgotten(sql, 'L', '6277')],
  ['a product', (sql) => productById(sql, 'L', the(PRODUCT))],
  ['a page of products', page(productListing, {})],
  ['a page of variants', page(variantListing, {})],
  ['a page of the shop', page(storefrontListing, {})],
  ['a page of a category of the shop', page(storefrontListing, { category: 'tas' })],
  ['movements of a product', page(movementListing, { product: the(PRODUCT) })],
  ['a page of what used a coupon', page(usageListing, { seen, coupon_id: the(COUPON, 0) })],
  ['a page of a wallet', page(lineListing, {})],
  ['a page of a warehouse', page(warehouseStockListing, { warehouse: the(WAREHOUSE, 0) })],
  ['to check stock by SKU', prepared(CHECK_STOCK, [null], ['SKU-77'], [null], [1], null)],
  ['to check stock of a product', prepared(CHECK_STOCK, [null], [null], [the(PRODUCT)], [1], null)],
  ['to book stock', prepared(BOOK, variants, places, [1], [null], 'adjust', null, null, 'seed', NOW)],
  ['to open levels', prepared(OPEN_LEVELS, variants, places, NOW)],
  ['to reserve stock', prepared(RESERVE, variants, places, [1], 'cart', 'C', null, 'seed', NOW)],
  ['what is held', prepared(HELD, 'order', the(ORDER))],
  ['goods of an order', prepared(GOODS, 'order', the(ORDER))],
  ['to sell what is held', prepared(COMMIT, 'order', the(ORDER), 'seed', NOW)],
  ['to give back what is held', prepared(RELEASE, 'order', the(ORDER), 'seed', NOW)],
])('%s takes not all that the store has', (_, work) => expectFewRead(database, FEW, work));
