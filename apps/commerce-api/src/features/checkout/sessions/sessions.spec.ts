import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { basketOf, buyerOf, CONTACT, orderShop, useCheckout } from '../checkout.fixture';
import type { CheckoutLink } from '../links/links.dto';
import { SHELF } from './cart';
import type { CartView } from './sessions.dto';
import { SESSION_STATEMENTS } from './sessions.sql';

const commerce = useCheckout();
const ask = buyerOf(commerce);
const EXPIRES = '2026-03-08T08:00:00.000Z';
const NOBODY = { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] };

const hat = (shop: { readonly variants: readonly string[] }, at: number, qty: number, more: object = {}) => ({
  ...{ variant_id: shop.variants[at], name: `Hat ${at}`, options: {}, price: 10_000, qty, total: 10_000 * qty },
  ...{ available: true, editable: true, image_url: null },
  ...more,
});
const view = (slug: string, lines: readonly object[], total: number, more: object = {}) => ({
  state: 'open',
  store: { name: 'Toko Nusa', slug, logo_url: null, description: '', city: null, hours: [], status: 'open' },
  ...{
    settings: NOBODY,
    lines,
    buyer: null,
    address: null,
    shipping: null,
    payment_methods: [],
    coupon: null,
    subtotal: total,
    discount: 0,
  },
  ...{ shipping_total: 0, fee: 0, tax_total: 0, total, currency: 'IDR', expires_at: EXPIRES },
  ...more,
});
const missing = refused(404, 'not_found', 'Checkout session not found');
const shopWithLink = async (lines: (variants: readonly string[]) => readonly object[], settings: object = {}) => {
  const shop = await orderShop(commerce, 5, 5);
  const body = { name: 'Promo', lines: lines(shop.variants), settings };
  const link = (await shop.ask<CheckoutLink>('POST', '/checkout/links', body)).body.data;
  return { shop, link, start: { link_code: link.code } };
};

describe('a cart', () => {
  it('of a store begins with what is asked for, at the prices of the catalogue, and its token opens it', async () => {
    const shop = await orderShop(commerce, 5, 5);
    const utm = { source: 'instagram' };
    const start = { store_slug: shop.storeId, ...shop.cart(2, 1), utm, visitor_id: 'v1' };
    const { contact: _contact, payment_method: _method, ...given } = start;
    const begun = await ask<{ token: string }>('POST', '/checkout/session', given);
    const { token } = begun.body.data;
    const cart = view(shop.storeId, [hat(shop, 0, 2), hat(shop, 1, 1)], 30_000);
    expect(begun).toEqual(succeeded(201, 'Cart created', { token, ...cart }));
    expect(await ask('GET', `/checkout/session/${token}`)).toEqual(succeeded(200, 'OK', cart));
    expect(await ask('GET', `/checkout/session/${token}/status`)).toEqual(
      succeeded(200, 'OK', { order_number: null, payment_status: null, paid_at: null }),
    );
    const [row] = await commerce.database.query(
      'SELECT utm, visitor_id, total, state FROM checkout_session WHERE store_id = $1',
      [shop.storeId],
    );
    expect(row).toEqual({ utm, visitor_id: 'v1', total: '30000', state: 'open' });
  });

  it('may begin empty, and takes other lines, a whole list at a time', async () => {
    const shop = await orderShop(commerce, 5, 1);
    const { path } = await basketOf(commerce, shop, []);
    const { items } = shop.cart(1, 2);
    const put = (given: unknown) => ask<CartView>('PUT', `${path}/items`, { items: given });
    const lines = [hat(shop, 0, 1), hat(shop, 1, 2, { available: false })];
    expect(await put(items)).toEqual(succeeded(200, 'OK', view(shop.storeId, lines, 30_000)));
    expect(await put([])).toEqual(succeeded(200, 'OK', view(shop.storeId, [], 0)));
    expect(await put([...items, ...items])).toEqual(invalid('items.2.variant_id', 'items[2].variant_id stands twice'));
    expect(await put([{ ...items[0], price: 1 }])).toEqual(
      invalid('items.0.price', 'items[0].price is not a known field'),
    );
    expect(await put([{ ...items[0], qty: 0 }])).toEqual(invalid('items.0.qty', 'items[0].qty must be 1 or greater'));
    expect(await ask('GET', path)).toEqual(succeeded(200, 'OK', view(shop.storeId, [], 0)));
  });

  it('holds nothing of another store, neither at its beginning nor later', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const { path } = await basketOf(commerce, shop, [1]);
    const { items } = theirs.cart(1);
    const foreign = notHere('items[0].variant_id', 'is not on sale in this store');
    expect(await ask('POST', '/checkout/session', { store_slug: shop.storeId, items })).toEqual(foreign);
    expect(await ask('PUT', `${path}/items`, { items })).toEqual(foreign);
  });

  it('begins with a store or a link, not with both or neither, and with none that nobody has', async () => {
    const { shop, start } = await shopWithLink((ids) => [{ variant_id: ids[0], qty: 1 }]);
    const post = (body: object) => ask('POST', '/checkout/session', body);
    expect(await post({})).toEqual(invalid('store_slug', 'store_slug is a required field'));
    expect(await post({ store_slug: shop.storeId, ...start })).toEqual(
      invalid('link_code', 'link_code cannot be given with store_slug'),
    );
    expect(await post({ store_slug: 'nobody' })).toEqual(refused(404, 'not_found', 'Store not found'));
    expect(await post({ link_code: 'nobody' })).toEqual(refused(404, 'not_found', 'Checkout link not found'));
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    expect(await post({ store_slug: shop.storeId })).toEqual(refused(404, 'not_found', 'Store not found'));
    expect(await post(start)).toEqual(refused(404, 'not_found', 'Checkout link not found'));
  });

  it('of a link has its lines, of which the buyer may change those that it leaves open', async () => {
    const { shop, link, start } = await shopWithLink(
      (ids) => [
        { variant_id: ids[0], qty: 2 },
        { variant_id: ids[1], qty: 1, editable: true },
      ],
      { show_coupon: false },
    );
    const { path, cart } = await basketOf(commerce, shop, [], start);
    const settings = { ...NOBODY, show_coupon: false };
    const fixed = hat(shop, 0, 2, { editable: false });
    const { token: _token, ...shown } = cart;
    expect(shown).toEqual(view(shop.storeId, [fixed, hat(shop, 1, 1)], 30_000, { settings }));
    const put = (given: readonly object[]) => ask<CartView>('PUT', `${path}/items`, { items: given });
    const [one, other] = [
      { variant_id: shop.variants[0], qty: 2 },
      { variant_id: shop.variants[1], qty: 4 },
    ];
    expect(await put([one, other])).toEqual(
      succeeded(200, 'OK', view(shop.storeId, [fixed, hat(shop, 1, 4)], 60_000, { settings })),
    );
    expect((await put([one])).status).toBe(200);
    expect(await put([{ ...one, qty: 1 }])).toEqual(invalid('items.0.qty', 'items[0].qty is fixed by this link'));
    expect(await put([other])).toEqual(invalid('items', 'items must have everything that this link sells together'));
    expect(await put([one, { variant_id: uuidv7(), qty: 1 }])).toEqual(
      invalid('items.1.variant_id', 'items[1].variant_id is not sold by this link'),
    );
    await shop.ask('DELETE', `/checkout/links/${link.id}`);
    expect(await ask('POST', '/checkout/session', start)).toEqual(refused(404, 'not_found', 'Checkout link not found'));
    expect((await ask('GET', path)).status).toBe(200);
  });

  it('shows what is not sold any more as gone, and counts the rest', async () => {
    const shop = await orderShop(commerce, 5, 5);
    const { path } = await basketOf(commerce, shop, [1, 1]);
    await commerce.database.query(`UPDATE variant SET status = 'archived' WHERE store_id = $1 AND id = $2`, [
      shop.storeId,
      shop.variants[0],
    ]);
    const gone = hat(shop, 0, 1, { price: 0, total: 0, available: false });
    expect(await ask('GET', path)).toEqual(succeeded(200, 'OK', view(shop.storeId, [gone, hat(shop, 1, 1)], 10_000)));
  });

  it('counts prices by quantity, but none of a tag, and the tax of the store', async () => {
    const shop = await orderShop(commerce, 50);
    const tiers = [
      { min_qty: 3, price: 9_000 },
      { min_qty: 2, price: 1, tag_id: uuidv7() },
    ];
    await commerce.database.query('UPDATE variant SET tiers = $2 WHERE store_id = $1', [
      shop.storeId,
      JSON.stringify(tiers),
    ]);
    await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode: 'added' } });
    const { path } = await basketOf(commerce, shop, [3]);
    expect((await ask<CartView>('GET', path)).body.data).toMatchObject({
      ...{ subtotal: 27_000, tax_total: 2_970, total: 29_970 },
      lines: [{ price: 9_000, total: 27_000 }],
    });
  });

  it('keeps who buys and where it goes, with the number in one form', async () => {
    const shop = await orderShop(commerce, 5);
    const { path } = await basketOf(commerce, shop, [1]);
    const address = { line: 'Jl. Braga 1', city: 'Bandung' };
    const put = (body: object) => ask<CartView>('PUT', `${path}/address`, body);
    const lines = [hat(shop, 0, 1)];
    const buyer = { ...CONTACT, phone: '+62 812-3456-7890' };
    expect(await put({ buyer, address })).toEqual(
      succeeded(200, 'OK', view(shop.storeId, lines, 10_000, { buyer: CONTACT, address })),
    );
    expect(await put({ buyer: { ...buyer, name: 'Sari' } })).toEqual(
      succeeded(200, 'OK', view(shop.storeId, lines, 10_000, { buyer: { ...CONTACT, name: 'Sari' }, address })),
    );
    expect(await put({ buyer: { name: 'Budi', phone: 'x' } })).toMatchObject({ status: 422 });
    expect(await put({ address })).toEqual(invalid('buyer', 'buyer is a required field'));
  });

  it('wants an address for mail where something is sent by it, or the store does', async () => {
    const [downloads, strict] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    await commerce.database.query(`UPDATE product SET kind = 'digital' WHERE store_id = $1`, [downloads.storeId]);
    await strict.ask('PUT', '/settings/checkout', { version: 0, require_email: true });
    for (const shop of [downloads, strict]) {
      const { path } = await basketOf(commerce, shop, [1]);
      expect(await ask('PUT', `${path}/address`, { buyer: CONTACT })).toEqual(
        invalid('buyer.email', 'buyer.email is a required field'),
      );
      const buyer = { ...CONTACT, email: 'budi@toko-nusa.example' };
      expect((await ask<CartView>('PUT', `${path}/address`, { buyer })).body.data.buyer).toEqual(buyer);
    }
  });
});

describe('the coupon of a cart', () => {
  const withCoupon = async (more: object = {}) => {
    const shop = await orderShop(commerce, 50);
    await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'percent', value: 10, ...more });
    return basketOf(commerce, shop, [2]);
  };

  it('takes its part off until it is taken away', async () => {
    const { shop, path } = await withCoupon();
    const lines = [hat(shop, 0, 2)];
    const coupon = { code: 'SALE', amount: 2_000, reason: null };
    const reduced = view(shop.storeId, lines, 20_000, { coupon, discount: 2_000, total: 18_000 });
    expect(await ask('POST', `${path}/coupon`, { code: 'sale' })).toEqual(succeeded(200, 'OK', reduced));
    expect(await ask('GET', path)).toEqual(succeeded(200, 'OK', reduced));
    const whole = view(shop.storeId, lines, 20_000);
    expect(await ask('DELETE', `${path}/coupon`)).toEqual(succeeded(200, 'OK', whole));
    expect(await ask('GET', path)).toEqual(succeeded(200, 'OK', whole));
  });

  it('that does not count is refused, as is one of another store, and the cart keeps what it had', async () => {
    const { shop, path } = await withCoupon({ min_subtotal: 30_000 });
    const theirs = await orderShop(commerce, 5);
    await theirs.ask('POST', '/coupon', { code: 'THEIRS', kind: 'percent', value: 10 });
    for (const [code, reason] of [
      ['SALE', 'min_subtotal'],
      ['THEIRS', 'unknown'],
      ['NOTHING', 'unknown'],
    ])
      expect(await ask('POST', `${path}/coupon`, { code })).toEqual(
        refused(409, 'coupon_unavailable', 'The coupon cannot be used', { reason }),
      );
    expect(await ask('GET', path)).toEqual(succeeded(200, 'OK', view(shop.storeId, [hat(shop, 0, 2)], 20_000)));
  });

  it('that counts no longer stays, and says why it takes nothing off', async () => {
    const { shop, path } = await withCoupon();
    await ask('POST', `${path}/coupon`, { code: 'SALE' });
    await commerce.database.query(`UPDATE coupon SET status = 'paused' WHERE store_id = $1`, [shop.storeId]);
    const coupon = { code: 'SALE', amount: 0, reason: 'paused' };
    expect((await ask<CartView>('GET', path)).body.data).toMatchObject({ coupon, discount: 0, total: 20_000 });
  });
});

describe('the token of a cart', () => {
  it('of another cart or another store opens nothing, and neither does any other text', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const [mine, other] = [await basketOf(commerce, shop, [1]), await basketOf(commerce, theirs, [1])];
    const [store = '', id = '', secret = ''] = mine.cart.token.split('.');
    const [theirStore = '', theirId = '', theirSecret = ''] = other.cart.token.split('.');
    const wrong = [
      ...[
        [store, id, theirSecret],
        [theirStore, id, secret],
        [store, theirId, secret],
        [theirStore, theirId, secret],
      ],
      ...[
        [store, id, ''],
        ['', '', secret],
        [store, id, `${secret.slice(0, -1)}_`],
        [store, id],
      ],
    ].map((parts) => parts.join('.'));
    for (const token of [...wrong, uuidv7(), secret, '%00', 'x'.repeat(200)]) {
      const path = `/checkout/session/${token}`;
      for (const [method, below, body] of [
        ['GET', ''],
        ['GET', '/status'],
        ['PUT', '/items', { items: [] }],
        ['PUT', '/address', { buyer: CONTACT }],
        ['POST', '/coupon', { code: 'SALE' }],
        ['DELETE', '/coupon'],
        ['POST', '/place', { payment_method: 'transfer', expected_total: 1 }],
      ] as const)
        expect([token, below, await ask(method, path + below, body)]).toEqual([token, below, missing]);
    }
  });

  it('is neither stored nor logged, and its answers are kept by nobody', async () => {
    const shop = await orderShop(commerce, 5);
    const { path, cart } = await basketOf(commerce, shop, [1]);
    const { headers } = await commerce.get(`/api${path}`);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    await commerce.get(`/api${path}x`);
    const secret = cart.token.split('.')[2] ?? 'none';
    const rows = await commerce.database.query('SELECT s::text AS row FROM checkout_session s WHERE store_id = $1', [
      shop.storeId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(commerce.lines.filter((line) => line.includes('/checkout/session'))).not.toEqual([]);
    expect(commerce.lines.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('shows an expired cart and changes nothing of it, and is nothing while the store is suspended', async () => {
    const shop = await orderShop(commerce, 5);
    const { path } = await basketOf(commerce, shop, [1]);
    await commerce.database.query(`UPDATE checkout_session SET expires_at = $2 WHERE store_id = $1`, [
      shop.storeId,
      '2026-03-01T08:00:00Z',
    ]);
    expect((await ask<CartView>('GET', path)).body.data.state).toBe('expired');
    const expired = refused(410, 'expired', 'The cart has expired: begin another');
    for (const [method, below, body] of [
      ['PUT', '/items', { items: [] }],
      ['DELETE', '/coupon'],
      ['POST', '/place', { payment_method: 'transfer', expected_total: 10_000 }],
    ] as const)
      expect(await ask(method, path + below, body)).toEqual(expired);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    expect(await ask('GET', path)).toEqual(missing);
  });
});

it('nobody begins more than twenty carts a minute, or asks for one more than sixty times', async () => {
  const shop = await orderShop(commerce, 5);
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const { path } = await basketOf(commerce, shop, [1]);
  const statuses = async (times: number, call: () => Promise<{ readonly status: number }>) => {
    const answers = await Promise.all(Array.from({ length: times }, call));
    return [...new Set(answers.map(({ status }) => status))].map(
      (status) => `${status}: ${answers.filter((answer) => answer.status === status).length}`,
    );
  };
  const start = () => ask('POST', '/checkout/session', { store_slug: shop.storeId }, from);
  expect((await statuses(25, start)).sort()).toEqual(['201: 20', '429: 5']);
  expect((await statuses(65, () => ask('GET', path, undefined, from))).sort()).toEqual(['200: 60', '429: 5']);
});

it('carts are read by index', async () => {
  const { storeId, variants } = await orderShop(commerce, 1);
  for (const [text, values] of [
    [SESSION_STATEMENTS.read, [storeId, uuidv7(), 'x']],
    [SESSION_STATEMENTS.status, [storeId, uuidv7(), 'x']],
    [SESSION_STATEMENTS.begins, ['slug', storeId]],
    [SHELF, [storeId, variants]],
  ] as const)
    expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
