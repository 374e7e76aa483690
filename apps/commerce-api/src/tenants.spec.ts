import { examplesOf, registrationsOf, type Endpoint } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { forServicesOnly, type Need } from './abilities';
import { askOf, type Ask } from './asked.fixture';
import { newStore, startCommerce, type Commerce } from './commerce.fixture';
import { pathWith, wholeShop, type RowName, type Rows } from './whole-shop.fixture';

/** A chat-backend that nobody answers for: without an address a reminder would be refused before its cart is looked for. */
const commerce = useRunning(() => startCommerce({ CHAT_URL: 'http://127.0.0.1:1' }));
let mine: Rows;
let ask: Ask;
let other: { readonly storeId: string; readonly rows: Rows };
/** Names of rows that nobody has. */
let nobodys: Rows;

beforeAll(async () => {
  const own = await wholeShop(commerce);
  [mine, ask] = [own.rows, askOf(commerce)(own.storeId)];
  other = await wholeShop(commerce);
  const unknown = Object.fromEntries(Object.keys(mine).map((name) => [name, uuidv7()]));
  nobodys = { ...(unknown as Rows), sku: 'NOBODY', phone: '6281100000000', orderNumber: 'INV-260301-ZZZZZZ' };
});

/** Everything that a store has, as one text. */
const allOf = async ({ database }: Commerce, storeId: string): Promise<string> => {
  const tables = await database.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'commerce_api' AND c.column_name = 'store_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const all = tables.map(async ({ name }) => {
    const text = `SELECT '${name} ' || coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS told FROM ${name} t WHERE store_id = $1`;
    return (await database.query<{ told: string }>(text, [storeId]))[0]?.told;
  });
  return (await Promise.all(all)).join('\n');
};

const goodBody = (endpoint: Endpoint): unknown =>
  examplesOf(commerce.app, endpoint).find(({ status, request }) => status < 300 && request !== undefined)?.request;

/** The tags that the documentation names are nobody's, which is found out first. */
const OWN_TAG: Readonly<Record<string, object>> = {
  '/api/contact/{id}/tags': { tag_ids: [] },
  '/api/verification/{id}/document': { kind: 'selfie' },
};

it("another store's row in a path is 404 at every route, as if nobody had it, and is left as it is", async () => {
  const before = await allOf(commerce, other.storeId);
  const answers: Record<string, unknown> = {};
  const tried: string[] = [];
  for (const { path, guard, endpoint } of registrationsOf(commerce.app)) {
    // What is for services alone asks nobody else for a row
    if (guard.label !== 'token' || !path.startsWith('/api/') || forServicesOnly.has(endpoint.guard as Need)) continue;
    // A SKU is what its store calls it: the same one is in every shop
    const rows = { ...other.rows, sku: 'NOT-MINE' };
    const [theirs, unknown] = [pathWith(path, rows), pathWith(path, nobodys)];
    if (theirs === undefined || unknown === undefined) continue;
    const method = endpoint.method.toUpperCase();
    const body = method === 'GET' ? undefined : (OWN_TAG[path] ?? goodBody(endpoint));
    const key = endpoint.idempotency === 'required' ? uuidv7() : undefined;
    const asked = await ask<unknown>(method, theirs.slice(4), body, key);
    tried.push(`${method} ${path}`);
    const same = await ask<unknown>(method, unknown.slice(4), body, key && uuidv7());
    // With a field it would be an id of the body that was not found
    const isOfPath = asked.status === 404 && !('field' in asked.body);
    if (!isOfPath || JSON.stringify(asked) !== JSON.stringify(same)) answers[`${method} ${path}`] = asked;
  }
  expect(answers).toEqual({});
  expect(tried.length).toBeGreaterThan(60);
  expect(await allOf(commerce, other.storeId)).toBe(before);
});

it('every parameter of a path that names a row of a store is among those tried', () => {
  const named = registrationsOf(commerce.app).filter(
    ({ path, guard }) => guard.label === 'token' && path.startsWith('/api/') && path.includes('{'),
  );
  expect(named.map(({ path }) => path).filter((path) => pathWith(path, mine) === undefined)).toEqual([
    '/api/payment/methods/{code}',
    '/api/settings/{group}',
    '/api/settings/{group}',
    // Plans and add-ons are the platform's own
    '/api/package/{id}',
    '/api/addon/{id}/buy',
  ]);
});

/** One row of another store among my own. */
type Case = readonly [
  status: number,
  what: string,
  method: string,
  path: (my: Rows) => string,
  body?: (my: Rows, r: Rows) => unknown,
];
const line = (variant_id: string, more: object = {}) => ({ variant_id, qty: 1, ...more });
const order = (my: Rows, more: object = {}) => ({
  ...{ items: [line(my.variant)], contact: { name: 'Budi', phone: '6281234567890' }, payment_method: 'cash', ...more },
});
const at = (path: string) => () => path;
const BODIES: readonly Case[] = [
  [404, 'category', 'POST', at('/products'), (_, r) => ({ name: 'T', price: 1, weight_g: 1, category_id: r.category })],
  [404, 'category', 'PUT', (my) => `/products/${my.product}`, (_, r) => ({ category_id: r.category })],
  [404, 'category', 'POST', at('/category_product'), (_, r) => ({ name: 'T2', parent_id: r.category })],
  [404, 'category', 'PUT', at('/category_product/order'), (_, r) => ({ items: [{ id: r.category, position: 0 }] })],
  [404, 'product', 'POST', at('/variant_product'), (_, r) => ({ product_id: r.product, price: 1, option_values: {} })],
  [
    404,
    'product',
    'POST',
    at('/variant_product/generate'),
    (_, r) => ({ product_id: r.product, options: [{ name: 'U', values: ['1'] }], base: { price: 1 } }),
  ],
  [
    404,
    'tag',
    'POST',
    at('/products'),
    (_, r) => ({ name: 'T', weight_g: 1, variants: [{ price: 9, tiers: [{ min_qty: 2, price: 1, tag_id: r.tag }] }] }),
  ],
  [
    404,
    'tag',
    'PUT',
    (my) => `/variant_product/${my.variant}`,
    (_, r) => ({ tiers: [{ min_qty: 2, price: 1, tag_id: r.tag }] }),
  ],
  [
    404,
    'variant',
    'POST',
    (my) => `/products/${my.product}/stock-adjustment`,
    (my, r) => ({ variant_id: r.variant, warehouse_id: my.warehouse, delta: 1, reason: 'found' }),
  ],
  [
    404,
    'warehouse',
    'POST',
    (my) => `/products/${my.product}/stock-adjustment`,
    (my, r) => ({ variant_id: my.variant, warehouse_id: r.warehouse, delta: 1, reason: 'found' }),
  ],
  [404, 'media', 'POST', (my) => `/products/${my.product}/images`, (_, r) => ({ media_ids: [r.upload] })],
  [404, 'variant', 'POST', at('/order'), (my, r) => order(my, { items: [line(r.variant)] })],
  [404, 'contact', 'POST', at('/order'), (my, r) => ({ ...order(my), contact: undefined, contact_id: r.contact })],
  [404, 'warehouse', 'POST', at('/order'), (my, r) => order(my, { warehouse_id: r.warehouse })],
  [404, 'member', 'POST', at('/order'), (my, r) => order(my, { assignee_id: r.member })],
  [404, 'shipping method', 'POST', at('/order'), (my, r) => order(my, { shipping: { method_id: r.method } })],
  [409, 'quote', 'POST', at('/order'), (my, r) => order(my, { shipping: { quote_id: r.method, option: 'x' } })],
  [404, 'variant', 'POST', at('/order/calculate'), (_, r) => ({ items: [line(r.variant)], payment_method: 'cash' })],
  [404, 'order', 'POST', at('/order/change_status'), (_, r) => ({ order_id: r.order, status: 'processing' })],
  [
    404,
    'order',
    'POST',
    at('/order/change_payment_status'),
    (_, r) => ({ order_id: r.order, status: 'paid', method: 'cash' }),
  ],
  [404, 'member', 'POST', (my) => `/order/${my.order}/assign`, (_, r) => ({ user_id: r.member })],
  [404, 'warehouse', 'POST', (my) => `/order/${my.order}/assign`, (_, r) => ({ warehouse_id: r.warehouse })],
  [
    404,
    'proof',
    'POST',
    (my) => `/order/${my.order}/payment_proof/review`,
    (_, r) => ({ proof_id: r.proof, decision: 'approve' }),
  ],
  [404, 'contact to keep', 'POST', at('/contact/merge'), (my, r) => ({ keep_id: r.contact, merge_ids: [my.spare] })],
  [404, 'contact to merge', 'POST', at('/contact/merge'), (my, r) => ({ keep_id: my.contact, merge_ids: [r.contact] })],
  [404, 'tag', 'PUT', (my) => `/contact/${my.contact}/tags`, (_, r) => ({ tag_ids: [r.tag] })],
  [404, 'tag', 'POST', at('/contact/bulk-tag'), (my, r) => ({ ids: [my.contact], add: [r.tag] })],
  [
    404,
    'product',
    'POST',
    at('/coupon'),
    (_, r) => ({ code: 'HEMAT1', kind: 'fixed', value: 1, scope: { product_ids: [r.product] } }),
  ],
  [
    404,
    'category',
    'POST',
    at('/coupon'),
    (_, r) => ({ code: 'HEMAT2', kind: 'fixed', value: 1, scope: { category_ids: [r.category] } }),
  ],
  [404, 'variant', 'POST', at('/coupon/validate'), (_, r) => ({ code: 'SALE', items: [line(r.variant)] })],
  [404, 'variant', 'POST', at('/checkout/links'), (_, r) => ({ name: 'P', lines: [line(r.variant)] })],
  [404, 'variant', 'PUT', (my) => `/checkout/session/${my.cartToken}/items`, (_, r) => ({ items: [line(r.variant)] })],
  [
    404,
    'order',
    'POST',
    at('/shipping/shipments'),
    (my, r) => ({ order_id: r.order, warehouse_id: my.warehouse, lines: [{ order_item_id: my.orderItem, qty: 1 }] }),
  ],
  [
    404,
    'warehouse',
    'POST',
    at('/shipping/shipments'),
    (my, r) => ({ order_id: my.order, warehouse_id: r.warehouse, lines: [{ order_item_id: my.orderItem, qty: 1 }] }),
  ],
  [
    404,
    'line',
    'POST',
    at('/shipping/shipments'),
    (my, r) => ({ order_id: my.order, warehouse_id: my.warehouse, lines: [{ order_item_id: r.orderItem, qty: 1 }] }),
  ],
  [404, 'variant', 'POST', at('/shipping/rates'), (_, r) => ({ items: [line(r.variant)], destination: 'Bandung' })],
  [
    404,
    'warehouse',
    'POST',
    at('/shipping/rates'),
    (my, r) => ({ items: [line(my.variant)], destination: 'Bandung', warehouse_id: r.warehouse }),
  ],
  [
    404,
    'warehouse',
    'POST',
    (my) => `/order/${my.order}/waybill`,
    (_, r) => ({ courier: 'jne', waybill: 'JP12345', warehouse_id: r.warehouse }),
  ],
  [
    404,
    'variant',
    'PUT',
    (my) => `/warehouse/${my.warehouse}/stock`,
    (_, r) => ({ lines: [{ variant_id: r.variant, counted: 1 }] }),
  ],
  [
    404,
    'warehouse',
    'POST',
    at('/warehouse/transfer'),
    (my, r) => ({ from_id: my.warehouse, to_id: r.warehouse, lines: [line(my.variant)] }),
  ],
  [
    404,
    'variant',
    'POST',
    at('/warehouse/transfer'),
    (my, r) => ({ from_id: my.warehouse, to_id: my.second, lines: [line(r.variant)] }),
  ],
  [
    404,
    'payout account',
    'POST',
    at('/wallet/withdraw/inquiry'),
    (_, r) => ({ amount: 50_000, bank_account_id: r.payout }),
  ],
  [404, 'role', 'PUT', (my) => `/team/${my.member}`, (_, r) => ({ role_id: r.role })],
  [404, 'role', 'POST', at('/team/invite'), (_, r) => ({ email: 'baru@x.example', role_id: r.role })],
  [404, 'import', 'POST', at('/products/import'), (_, r) => ({ job_id: r.productImport, commit: true })],
  [404, 'import', 'POST', at('/contact/import'), (_, r) => ({ job_id: r.contactImport, commit: true })],
  [200, 'product', 'POST', at('/products/bulk-update'), (_, r) => ({ ids: [r.product], set: { status: 'archived' } })],
  [200, 'order', 'POST', at('/order/bulk_status'), (_, r) => ({ ids: [r.order], status: 'processing' })],
  [404, 'contact', 'POST', at('/contact/bulk-tag'), (my, r) => ({ ids: [r.contact], add: [my.tag] })],
  [200, 'variant', 'POST', at('/products/check-stock'), (_, r) => ({ items: [{ variant_id: r.variant }] })],
  [
    200,
    'warehouse',
    'POST',
    at('/products/check-stock'),
    (my, r) => ({ items: [{ variant_id: my.variant }], warehouse_id: r.warehouse }),
  ],
];
const QUERIES: readonly (readonly [path: string, RowName])[] = [
  ['/order?contact_id=', 'contact'],
  ['/order?warehouse_id=', 'warehouse'],
  ['/payment?order_id=', 'order'],
  ['/shipping/shipments?order_id=', 'order'],
  ['/products?category_id=', 'category'],
  ['/variant_product?product_id=', 'product'],
  ['/contact?tag_ids=', 'tag'],
  ['/products?warehouse_id=', 'warehouse'],
];

/** The same text for both, so that answers can be compared. */
const nameless = (answer: unknown, rows: Rows): string =>
  Object.entries({ ...rows, sku: '<sku>' }).reduce(
    (text, [name, id]) => text.replaceAll(id, `<${name}>`),
    JSON.stringify(answer),
  );

describe("another store's row in a body is answered as one that nobody has, and left as it is:", () => {
  let before: string;
  beforeAll(async () => {
    before = await allOf(commerce, other.storeId);
  });
  afterAll(async () => expect(await allOf(commerce, other.storeId)).toBe(before));

  it.each(
    BODIES.map(
      ([status, what, method, path, body]) =>
        [method, path({} as Rows).replaceAll('undefined', '{id}'), what, status, path, body] as const,
    ),
  )('%s %s with a %s: %i', async (method, _path, _what, status, path, body) => {
    const theirs = await ask<unknown>(method, path(mine), body?.(mine, other.rows));
    const unknown = await ask<unknown>(method, path(mine), body?.(mine, nobodys));
    expect([theirs.status, nameless(theirs, other.rows)]).toEqual([status, nameless(unknown, nobodys)]);
  });
});

it.each(QUERIES)("another store's row in a query is 404, as if nobody had it: GET %s<%s>", async (path, row) => {
  const theirs = await ask<unknown>('GET', path + other.rows[row]);
  expect([theirs.status, nameless(theirs, other.rows)]).toEqual([
    404,
    nameless(await ask<unknown>('GET', path + nobodys[row]), nobodys),
  ]);
});

/** Whoever worked here once is still found by what they did; who works elsewhere did nothing here. */
it.each(['/order?assignee_id=', '/logs?actor_id='])(
  'a member of another store in a query finds nothing: GET %s',
  async (path) => {
    const theirs = await ask<unknown>('GET', path + other.rows.member);
    expect([theirs.status, theirs.body.data]).toEqual([200, []]);
  },
);

it('a store without rows sees none of the others in any list', async () => {
  const fresh = askOf(commerce)(await newStore(commerce));
  const lists = [
    '/order',
    '/payment',
    '/coupon',
    '/contact',
    '/tag',
    '/upload',
    '/shipping/shipments',
    '/checkout/links',
  ];
  for (const path of [...lists, '/checkout/abandoned', '/warehouse/transfer', '/products', '/category_product'])
    expect([path, (await fresh<unknown>('GET', path)).body.data]).toEqual([path, []]);
});
