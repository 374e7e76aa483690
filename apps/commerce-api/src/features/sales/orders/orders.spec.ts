import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Coupon } from '../coupons/coupons.dto';
import { BY_KEY, ROUTE } from './order-place.sql';
import type { Calculated, Order, OrderView } from './orders.dto';
import { BUYER, orderShop, type OrderShop } from './orders.fixture';
import { exportListing, STATISTICS } from './orders.export';
import { orderListing } from './orders.sql';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const NUMBER = /^INV-260301-[0-9A-HJKMNP-TV-Z]{6}$/;
const text = expect.any(String) as string;
const line = (shop: OrderShop, qty: number) => ({
  ...{ variant_id: shop.variants[0], name: 'Hat 0', sku: 'HAT-0', price: 10_000, qty, discount_share: 0, tax: 0 },
  ...{ total: 10_000 * qty, weight_g: 1000, image_url: null },
});
const row = (total: number, more: object = {}) => ({
  ...{ id: text, number: expect.stringMatching(NUMBER) as string, channel: 'manual', status: 'open' },
  ...{ payment_status: 'unpaid', fulfillment_status: 'none', contact_id: text, buyer: BUYER, address: null },
  ...{ shipping: null, payment_method: 'cash', note: null, subtotal: total, discount: 0, coupon: null },
  ...{ shipping_total: 0, fee: 0, tax_total: 0, tax: null, total, paid_total: 0, refunded_total: 0, currency: 'IDR' },
  ...{ assignee_id: null, warehouse_id: text, version: 1, placed_at: NOW, completed_at: null, cancelled_at: null },
  ...{
    receipt_no: null,
    review_reason: null,
    attribution: null,
    paid_at: null,
    pay_expires_at: '2026-03-02T08:00:00.000Z',
  },
  ...more,
});
const place = async (shop: OrderShop, body: object): Promise<Order> =>
  (await shop.ask<Order>('POST', '/order', body)).body.data;
const count = async (shop: OrderShop): Promise<number> =>
  (await commerce.database.query('SELECT 1 FROM sales_order WHERE store_id = $1', [shop.storeId])).length;

describe('an order', () => {
  it('is placed at the prices of the catalogue, reserves its stock, and is found by id, number and list', async () => {
    const shop = await orderShop(commerce, 5);
    const placed = await shop.ask<OrderView>('POST', '/order', { ...shop.cart(2), note: 'Cepat ya' });
    const { id, number } = placed.body.data;
    const items = [{ id: text, ...line(shop, 2), note: null }];
    const order = row(20_000, {
      ...{ note: 'Cepat ya', items },
      ...{ shipments: [], notes: [], payments: [], refunds: [], proofs: [], deliveries: [] },
      pay_url: expect.stringMatching(/^https:\/\/shop\.example\/pay\/[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/) as string,
    });
    expect(placed).toEqual(succeeded(201, 'Order created', order));
    expect(await shop.levels()).toEqual(['5/2']);
    expect(await shop.ask('GET', `/order/${id}`)).toEqual(succeeded(200, 'OK', placed.body.data));
    expect(await shop.ask('GET', `/order/number/${number.toLowerCase()}`)).toEqual(
      succeeded(200, 'OK', placed.body.data),
    );
    const {
      items: _i,
      shipments: _s,
      notes: _n,
      payments: _p,
      refunds: _r,
      proofs: _f,
      deliveries: _d,
      pay_url: _u,
      ...listed
    } = placed.body.data;
    for (const query of ['', '?q=budi', `?q=${number}`, '?q=81234&status=open', `?number=${number}`])
      expect((await shop.ask('GET', `/order${query}`)).body.data).toEqual([listed]);
    expect((await shop.ask('GET', '/order?q=siti')).body.data).toEqual([]);
  });

  it('with a price of its own is refused, and so is one of what is not on sale', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const priced = { ...shop.cart(1), items: [{ variant_id: shop.variants[0], qty: 1, price: 1 }] };
    expect(await shop.ask('POST', '/order', priced)).toEqual(
      invalid('items.0.price', 'items[0].price is not a known field'),
    );
    expect(await shop.ask('POST', '/order', theirs.cart(1))).toEqual(
      notHere('items[0].variant_id', 'is not on sale in this store'),
    );
    for (const [field, what] of [
      ['warehouse_id', 'an open warehouse'],
      ['assignee_id', 'a member'],
    ] as const)
      expect(await shop.ask('POST', '/order', { ...shop.cart(1), [field]: uuidv7() })).toEqual(
        notHere(field, `is not ${what} of this store`),
      );
  });

  it('for which there is not enough is refused with its lines, and reserves nothing', async () => {
    const shop = await orderShop(commerce, 5, 1);
    const { status, body } = await shop.ask('POST', '/order', shop.cart(2, 3));
    const lines = [{ variant_id: shop.variants[1], warehouse_id: text, available: 1 }];
    expect({ status, body }).toEqual(refused(409, 'out_of_stock', 'There is not enough stock', { lines }));
    expect([await shop.levels(), await count(shop)]).toEqual([['5/0', '1/0'], 0]);
  });

  it('that costs something else than the buyer was told is refused with what it costs', async () => {
    const shop = await orderShop(commerce, 5);
    const amounts = { subtotal: 20_000, discount: 0, shipping_total: 0, fee: 0, tax_total: 0, total: 20_000 };
    expect(await shop.ask('POST', '/order', { ...shop.cart(2), expected_total: 19_999 })).toEqual(
      refused(409, 'total_changed', 'The total has changed', amounts),
    );
    expect([await shop.levels(), await count(shop)]).toEqual([['5/0'], 0]);
    expect((await shop.ask('POST', '/order', { ...shop.cart(2), expected_total: 20_000 })).status).toBe(201);
  });

  it('costs what was calculated for it, with tax and coupon, and keeps it', async () => {
    const shop = await orderShop(commerce, 50, 50);
    await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode: 'added' } });
    await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'percent', value: 15 });
    const orders: Order[] = [];
    for (const quantities of [
      [1, 2],
      [3, 0],
      [7, 11],
    ]) {
      const { contact, ...cart } = { ...shop.cart(...quantities), coupon: 'sale' };
      const { warnings, lines, ...terms } = (await shop.ask<Calculated>('POST', '/order/calculate', cart)).body.data;
      const order = await place(shop, { ...cart, contact, expected_total: terms.total });
      expect([warnings, order]).toEqual([[], expect.objectContaining(terms)]);
      expect(order.items.map(({ id: _id, note: _note, ...item }) => item)).toEqual(lines);
      orders.push(order);
    }
    await shop.ask('PUT', '/settings/invoice', { version: 1, tax: { mode: 'added', rate_bp: 2_500 } });
    for (const order of orders)
      expect(await shop.ask('GET', `/order/${order.id}`)).toEqual(succeeded(200, 'OK', order));
  });

  it('of another store is not found', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const { id, number } = await place(shop, shop.cart(1));
    for (const [method, path, body] of [
      ['GET', `/order/${id}`],
      ['GET', `/order/number/${number}`],
      ['GET', `/order/${id}/history`],
      ['POST', `/order/${id}/cancel`, { reason: 'x' }],
      ['POST', `/order/${id}/notes`, { text: 'x' }],
      ['POST', '/order/change_status', { order_id: id, status: 'processing' }],
    ] as const)
      expect(await theirs.ask(method, path, body)).toEqual(refused(404, 'not_found', 'Order not found'));
    expect((await theirs.ask('GET', '/order')).body.data).toEqual([]);
  });
});

describe('a coupon of an order', () => {
  const withCoupon = async (more: object = {}) => {
    const shop = await orderShop(commerce, 100);
    const coupon = { code: 'SALE', kind: 'percent', value: 10, ...more };
    const { id } = (await shop.ask<Coupon>('POST', '/coupon', coupon)).body.data;
    const uses = async () => (await shop.ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count;
    return { ...shop, id, uses, body: { ...shop.cart(1), coupon: 'sale' } };
  };

  it('with one use left counts for one of twenty orders at once, and cancelling gives the use back', async () => {
    const shop = await withCoupon({ usage_limit: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.ask<Order>('POST', '/order', shop.body)));
    const won = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);
    expect(won.map(({ body }) => body.data.coupon)).toEqual([{ code: 'SALE', amount: 1_000 }]);
    expect(others).toEqual(
      Array(19).fill(refused(409, 'coupon_unavailable', 'The coupon cannot be used', { reason: 'usage_limit' })),
    );
    expect([await shop.uses(), await shop.levels(), await count(shop)]).toEqual([1, ['100/1'], 1]);
    await shop.ask('POST', `/order/${won[0]?.body.data.id}/cancel`, { reason: 'Batal' });
    expect([await shop.uses(), await shop.levels()]).toEqual([0, ['100/0']]);
    expect((await shop.ask('GET', `/coupon/${shop.id}/usages`)).body).toMatchObject({
      data: [{ order_id: won[0]?.body.data.id, phone: BUYER.phone, amount: 1_000, state: 'released', at: NOW }],
    });
    expect((await shop.ask('POST', '/order', shop.body)).status).toBe(201);
  });

  it('counts once for two orders of one phone at once when its limit by phone is one', async () => {
    const shop = await withCoupon({ per_contact_limit: 1 });
    const answers = await Promise.all([shop.ask('POST', '/order', shop.body), shop.ask('POST', '/order', shop.body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)).toEqual(
      refused(409, 'coupon_unavailable', 'The coupon cannot be used', { reason: 'contact_limit' }),
    );
  });

  it('that counts by itself is taken when it saves more, and a calculation tells why a code does not count', async () => {
    const shop = await withCoupon({ status: 'paused' });
    await shop.ask('POST', '/coupon', { code: 'AUTO', auto: true, kind: 'fixed', value: 4_000 });
    const { contact: _contact, ...cart } = shop.body;
    expect((await shop.ask('POST', '/order/calculate', cart)).body.data).toMatchObject({
      ...{ discount: 4_000, coupon: { code: null, amount: 4_000 } },
      warnings: [{ code: 'coupon_unavailable', reason: 'paused' }],
    });
  });
});

describe('a key of a request', () => {
  it('makes one order of ten requests at once and of ten later ones; another body is refused', async () => {
    const shop = await orderShop(commerce, 50);
    const twice = async () =>
      (await Promise.all(Array.from({ length: 10 }, () => shop.placed('k1', shop.cart(2))))).map(
        ({ status }) => status,
      );
    const first = await twice();
    expect(first.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(first.every((status) => status === 201 || status === 409)).toBe(true);
    expect(await twice()).toEqual(Array(10).fill(201));
    expect(await shop.placed('k1', shop.cart(3))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect([await count(shop), await shop.levels()]).toEqual([1, ['50/2']]);
  });

  it('finds its order also when the answer is not kept any more; another body is refused then too', async () => {
    const shop = await orderShop(commerce, 50);
    const first = await shop.placed('k1', shop.cart(2));
    await commerce.database.query('DELETE FROM idempotency_keys');
    expect(await shop.placed('k1', shop.cart(2))).toEqual(first);
    await commerce.database.query('DELETE FROM idempotency_keys');
    expect(await shop.placed('k1', shop.cart(1))).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect(await count(shop)).toBe(1);
  });

  it('of a refused order is free for the next try', async () => {
    const shop = await orderShop(commerce, 1);
    expect((await shop.placed('k1', shop.cart(2))).status).toBe(409);
    expect((await shop.placed('k1', shop.cart(1))).status).toBe(201);
  });
});

describe('the status of an order', () => {
  it('goes its way, and every step is in the history and the audit log', async () => {
    const shop = await orderShop(commerce, 5);
    const { id, number } = await place(shop, shop.cart(1));
    const move = (status: string, note?: string) =>
      shop.ask<Order>('POST', '/order/change_status', { order_id: id, status, note });
    expect(await move('completed')).toEqual(
      refused(409, 'invalid_transition', 'It is open: that cannot be done with it now'),
    );
    expect((await move('processing', 'dikemas')).body.data).toMatchObject({ status: 'processing', version: 2 });
    expect((await move('completed')).body.data).toMatchObject({ status: 'completed', completed_at: NOW, version: 3 });
    expect((await shop.ask('POST', `/order/${id}/cancel`, { reason: 'x' })).status).toBe(409);
    const event = (type: string, told: string) => ({ at: NOW, type, text: told, actor: text });
    expect((await shop.ask('GET', `/order/${id}/history`)).body.data).toEqual([
      event('placed', 'Order placed'),
      event('processing', 'dikemas'),
      event('completed', ''),
    ]);
    const entries = await commerce.database.query(
      'SELECT action, diff FROM audit_log WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id',
      [shop.storeId, id],
    );
    expect(entries).toEqual([
      { action: 'order.write', diff: { number: { to: number }, total: { to: 10_000 } } },
      { action: 'order.write', diff: { status: { from: 'open', to: 'processing' } } },
      { action: 'order.write', diff: { status: { from: 'processing', to: 'completed' } } },
    ]);
  });

  it('is cancelled once, however many say so at once, and its stock is free again', async () => {
    const shop = await orderShop(commerce, 5);
    const { id } = await place(shop, shop.cart(3));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => shop.ask('POST', `/order/${id}/cancel`, { reason: 'Batal' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await shop.levels()).toEqual(['5/0']);
  });

  it('cannot be cancelled by whom has paid for it to get the goods and the money', async () => {
    const shop = await orderShop(commerce, 5);
    const { id } = await place(shop, shop.cart(3));
    await commerce.database.query('UPDATE sales_order SET paid_total = total WHERE id = $1', [id]);
    expect(await shop.ask('POST', `/order/${id}/cancel`, { reason: 'Batal' })).toEqual(
      refused(409, 'refund_first', 'Give the money back first'),
    );
  });
});

it('a note of an order is kept with who wrote it', async () => {
  const shop = await orderShop(commerce, 5);
  const { id } = await place(shop, shop.cart(1));
  expect((await shop.ask<Order>('POST', `/order/${id}/notes`, { text: 'Titip di satpam' })).body.data.notes).toEqual([
    { id: text, text: 'Titip di satpam', author: text, created_at: NOW },
  ]);
});

describe('many orders', () => {
  it('are moved at once as far as they can be, and told apart', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9), await orderShop(commerce, 9)];
    const [first, gone, foreign] = [
      await place(shop, shop.cart(1)),
      await place(shop, shop.cart(2)),
      await place(theirs, theirs.cart(1)),
    ];
    await shop.ask('POST', `/order/${gone.id}/cancel`, { reason: 'x' });
    const ids = [first.id.toUpperCase(), first.id, gone.id, foreign.id, 'nothing'];
    expect(await shop.ask('POST', '/order/bulk_status', { ids, status: 'processing' })).toEqual(
      succeeded(200, 'OK', {
        changed: [first.id],
        failed: [
          { id: gone.id, code: 'invalid_transition' },
          { id: foreign.id, code: 'not_found' },
          { id: 'nothing', code: 'not_found' },
        ],
      }),
    );
    expect((await shop.ask('GET', '/order/statistics')).body.data).toEqual([
      { status: 'cancelled', orders: 1, total: 20_000, paid_total: 0 },
      { status: 'processing', orders: 1, total: 10_000, paid_total: 0 },
    ]);
    expect((await shop.ask('GET', '/order/statistics?from=2026-03-02')).body.data).toEqual([]);
  });

  it('are a file with a row for every line, and a name that a spreadsheet would run is quoted', async () => {
    const [shop, theirs] = [await orderShop(commerce, 9, 9), await orderShop(commerce, 9)];
    await place(theirs, theirs.cart(1));
    const { number } = await place(shop, { ...shop.cart(2, 1), contact: { ...BUYER, name: '=1+1' } });
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const file = async (query = '') => {
      const { body } = await commerce.call('GET', `/api/order/export${query}`, token);
      return (body as string).split('\r\n');
    };
    const head =
      'number,placed_at,status,payment_status,buyer,phone,sku,name,qty,price,discount,tax,line_total,order_total,currency';
    const told = `${number},${NOW},open,unpaid,'=1+1,${BUYER.phone}`;
    const [first, ...lines] = await file();
    expect([first, lines.sort()]).toEqual([
      head,
      ['', `${told},HAT-0,Hat 0,2,10000,0,0,20000,30000,IDR`, `${told},HAT-1,Hat 1,1,10000,0,0,10000,30000,IDR`],
    ]);
    expect(await file('?status=cancelled')).toEqual([head, '']);
  });
});

it('events of orders cannot be changed', async () => {
  const shop = await orderShop(commerce, 5);
  await place(shop, shop.cart(1));
  await expect(
    commerce.database.query(`UPDATE order_event SET text = 'x' WHERE store_id = $1`, [shop.storeId]),
  ).rejects.toThrow('order_event is append-only');
});

it('an order is found by the name of its buyer in capitals that other languages write', async () => {
  const shop = await orderShop(commerce, 5);
  const { number } = await shop.place({ ...shop.cart(1), contact: { ...BUYER, name: 'İbrahim ΟΔΟΣ' } });
  for (const q of ['İbrahim', 'ΟΔΟΣ']) {
    const { data } = (await shop.ask<{ number: string }[]>('GET', `/order?q=${encodeURIComponent(q)}`)).body;
    expect([q, data.map((order) => order.number)]).toEqual([q, [number]]);
  }
});

it('lists of orders and what placing asks are served by indexes', async () => {
  const store = uuidv7();
  for (const { text: statement, values } of [
    ...Object.values(orderListing.statements(store, { seen: undefined })),
    ...Object.values(orderListing.statements(store, { q: 'budi', status: 'open', seen: undefined })),
    ...Object.values(orderListing.statements(store, { proof: 'pending', seen: undefined })),
    ...Object.values(orderListing.statements(store, { view: 'unpaid', seen: undefined })),
    exportListing.statements(store, { status: 'open', seen: undefined }).rows,
    { text: STATISTICS, values: [store, NOW, null, null] },
    { text: BY_KEY, values: [store, 'k'] },
    { text: ROUTE, values: [store, [uuidv7()], [1], null, null] },
  ])
    expectNoSeqScan(await explain(commerce.database, statement, values), 'sales_order', 'stock_level', 'variant');
});
