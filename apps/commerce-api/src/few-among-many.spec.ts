// A large shop asks for few of its rows: the plans that PostgreSQL makes for what is asked.
import { uuidv7 } from '@platform/runtime';
import type { Sql } from '@platform/data';
import { fill, useDatabase, vacuumed } from '@platform/testing';
import { migrations, schema } from './data-source';
import { categoryTree } from './features/catalogue/categories/categories.sql';
import { movementListing } from './features/catalogue/products/product-stock';
import { SegmentQuery } from './features/contacts/people/contact.dto';
import { contactListing } from './features/contacts/people/contact.sql';
import { orderListing } from './features/sales/orders/orders.sql';
import { paymentListing } from './features/sales/payments/payments.sql';
import { shipmentListing } from './features/shipping/shipments/shipments.sql';
import { lineListing } from './features/wallet/balance/lines';

const STORE = 'S1';
const database = useDatabase({ schema, migrations });

const id = (kind: number, n = 'n'): string =>
  `('00000000-0000-7000-8000-${kind}' || lpad((${n})::text, 11, '0'))::uuid`;
/** One a minute, the last one now. */
const AT = `now() - interval '1 minute' * (20000 - n)`;
const ROWS = 'FROM generate_series(1, 20000) AS n';
const [CONTACT, ORDER, PRODUCT, VARIANT] = [1, 2, 3, 4];

const SHOP = [
  `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
   VALUES ('${STORE}', 'Toko', 's1', 'IDR', 'Asia/Jakarta', now(), now())`,
  `INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at) VALUES ('${STORE}', ${id(5, '0')}, 'Gudang', true, now(), now())`,
  `INSERT INTO contact (store_id, id, name, version, search_text, created_at, updated_at)
   SELECT '${STORE}', ${id(CONTACT)}, 'Budi', 1, 'budi', ${AT}, now() ${ROWS}`,
  `INSERT INTO contact_address (store_id, id, contact_id, address, created_at, updated_at)
   SELECT '${STORE}', uuidv7(), ${id(CONTACT)}, jsonb_build_object('city', 'Kota ' || n % 200), ${AT}, now() ${ROWS}`,
  `INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
   SELECT '${STORE}', ${id(7)}, 'Tas ' || n, 'tas-' || n, now(), now() FROM generate_series(0, 9) AS n`,
  `INSERT INTO product (store_id, id, kind, name, slug, status, category_id, search_text, created_at, updated_at)
   SELECT '${STORE}', ${id(PRODUCT)}, 'physical', 'Tas', 'tas-' || n, 'active', ${id(7, 'n % 10')}, 'tas', ${AT}, now() ${ROWS}`,
  `INSERT INTO variant (store_id, id, product_id, sku, price, created_at, updated_at)
   SELECT '${STORE}', ${id(VARIANT)}, ${id(PRODUCT)}, 'SKU-' || n, 1000, ${AT}, now() ${ROWS}`,
  `INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, fulfillment_status, buyer, payment_method, currency, search_text, created_at, updated_at)
   SELECT '${STORE}', ${id(ORDER)}, 'N-' || n, 'manual', 'completed', 'paid', 'delivered', '{}', 'cash', 'IDR', '', ${AT}, now() ${ROWS}`,
  `UPDATE sales_order SET payment_status = 'review', fulfillment_status = 'shipped' WHERE number IN ('N-1', 'N-2', 'N-3')`,
  `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
   SELECT '${STORE}', uuidv7(), ${id(ORDER)}, 1, uuidv7(), 'cash', 1000, 'IDR', CASE WHEN n < 4 THEN 'pending' ELSE 'paid' END, ${AT}, now() ${ROWS}`,
  `INSERT INTO shipment (store_id, id, order_id, direction, warehouse_id, status, created_at, updated_at)
   SELECT '${STORE}', uuidv7(), ${id(ORDER)}, 'out', ${id(5, '0')}, CASE WHEN n < 4 THEN 'returned' ELSE 'delivered' END, ${AT}, now() ${ROWS}`,
  `INSERT INTO ledger_txn (store_id, id, idempotency_key, kind, ref, note, actor, posted_at)
   SELECT '${STORE}', ${id(6)}, 'key ' || n, 'order_paid', '', '', 'seed', ${AT} ${ROWS}`,
  `INSERT INTO ledger_entry (store_id, txn_id, account, currency, side, amount, balance_after)
   SELECT '${STORE}', ${id(6)}, 'wallet_available', 'IDR', 'C', 1, n ${ROWS}`,
];

beforeAll(async () => {
  await fill(database, SHOP);
  await vacuumed(database);
});

/** Which indexes a statement with these values is planned with. */
const indexesOf = async ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) => {
  const [row] = await database.query<object>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return [...JSON.stringify(row).matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name);
};

const seen = undefined;
const LATELY = new Date(Date.now() - 3_600_000).toISOString();
/** So much later than the last row that no clock shows it before. */
const SINCE = new Date(Date.now() + 3 * 86_400_000).toISOString();
const PRODUCT_ID = '00000000-0000-7000-8000-300000000007';

it.each([
  ['orders of somebody who was given few', 'sales_order_assignee', orderListing, { assignee_id: uuidv7(), seen }],
  ['orders whose payment is in a rare state', 'sales_order_not_paid', orderListing, { payment_status: 'review', seen }],
  ['orders that are on their way', 'sales_order_under_way', orderListing, { fulfillment_status: 'shipped', seen }],
  ['paid orders of the last hour', 'sales_order_created', orderListing, { payment_status: 'paid', from: LATELY, seen }],
  ['payments in a rare state', 'payment_not_paid', paymentListing, { status: 'pending', seen }],
  ['paid payments of the last hour', 'payment_created', paymentListing, { status: 'paid', from: LATELY, seen }],
  ['shipments in a rare state', 'shipment_under_way', shipmentListing, { status: 'returned', seen }],
  ['contacts of a city', 'contact_address_city', contactListing, Object.assign(new SegmentQuery(), { city: 'kota 7' })],
  ['movements of a product', 'variant_product', movementListing, { product: PRODUCT_ID }],
  ['what moved in a wallet since it stood still', 'ledger_txn_posted', lineListing, { from: SINCE }],
] as const)('%s are found, and counted, by index %s', async (_, index, listing, query) => {
  const { rows, count } = listing.statements(STORE, query as never);
  expect([await indexesOf(rows), await indexesOf(count)]).toEqual(Array(2).fill(expect.arrayContaining([index])));
});

it('what categories have is counted in an index that knows what was archived', async () => {
  const plans: unknown[] = [];
  const prepared = async (_: string, text: string, values: readonly unknown[]) => {
    plans.push(await database.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]));
    return [];
  };
  await categoryTree({ prepared } as unknown as Sql, STORE);
  expect(JSON.stringify(plans)).toContain('"product_category_kept"');
});
