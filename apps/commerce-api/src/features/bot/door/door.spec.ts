import { fixedClock, uuidv7 } from '@platform/runtime';
import { caller, expectNoSeqScan, explain, hostileTexts, until } from '@platform/testing';
import { auditedIn, invalid, refused, succeeded } from '../../../asked.fixture';
import { startCommerce, type Commerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { BotOrder, BotOrderState } from './door.dto';
import { callBot, SECRET, signatureOf, type Signing } from './door.fixture';
import { BY_NUMBER } from './order.state';

let commerce: Commerce;
beforeAll(async () => {
  commerce = await startCommerce({ ENGINE_BOT_SECRET: `next secret,${SECRET}` });
});
afterAll(() => commerce.stop());
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const text = expect.any(String) as string;
const number = expect.stringMatching(/^INV-\d{6}-[0-9A-Z]{6}$/) as string;
const PAY_URL = expect.stringMatching(/^https:\/\/shop\.example\/pay\/[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/) as string;
const FLAT = { kind: 'flat', name: 'Kurir toko', cost: 15_000, areas: ['Bandung', 'Cimahi'] };
const customer = { name: 'Budi', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' };

/** A shop that sells hats for 10,000, sends within Bandung and Cimahi, and takes transfers. */
const botShop = async (...stock: readonly number[]): Promise<OrderShop> => {
  const shop = await orderShop(commerce, ...stock);
  for (const method of [FLAT, { kind: 'pickup', name: 'Ambil sendiri' }, { kind: 'cod', name: 'COD', cost: 1_000 }])
    await shop.ask('POST', '/shipping/methods', method);
  const account = { bank_code: 'BCA', number: '1234567890', holder: 'Sari' };
  await shop.ask('POST', '/payment/bank-transfer', account);
  return shop;
};
const wanted = ({ storeId }: OrderShop, more: object = {}) => ({
  ...{ idStore: storeId, idUser: '0812-3456-7890', instanceID: 'dev1', items: [{ sku: 'HAT-0', quantity: 2 }] },
  ...{ customer, idempotencyKey: uuidv7(), ...more },
});
const checkout = (body: object, signing?: Signing) =>
  callBot<BotOrder>(commerce, 'POST', '/create-checkout', body, signing);
const stateOf = (orderNumber: string, signing?: Signing) =>
  callBot<BotOrderState>(commerce, 'GET', `/check-status/${orderNumber}`, undefined, signing);
const orders = async ({ ask }: OrderShop) => (await ask<Order[]>('GET', '/order')).body.data;
const TOTALS = { subtotal: 20_000, discount: 0, shipping: 15_000, fee: 0, total: 35_000, currency: 'IDR' };
const pending = { ...TOTALS, orderNumber: number, paymentUrl: PAY_URL, expiresAt: text, status: 'pending' };
const UNSIGNED = refused(401, 'invalid_signature', 'The signature is not valid');

describe('a checkout of the bot', () => {
  it('is an order in the channel bot that is sent by the own method of the store, and waits for its payment', async () => {
    const shop = await botShop(5);
    const made = await checkout(wanted(shop));
    expect(made).toEqual(succeeded(201, 'Order created', pending));
    const { orderNumber, expiresAt } = made.body.data;
    const { body } = await shop.ask<Order>('GET', `/order/number/${orderNumber}`);
    expect(body.data).toMatchObject({
      ...{ channel: 'bot', status: 'open', payment_method: 'transfer', total: 35_000, pay_expires_at: expiresAt },
      ...{ buyer: { name: 'Budi', phone: '6281234567890' }, shipping: { kind: 'flat', service: 'Kurir toko' } },
      address: { name: 'Budi', phone: '6281234567890', line: 'Jl. Dago 101', district: 'Coblong', city: 'Bandung' },
    });
    expect(await shop.levels()).toEqual(['5/2']);
    expect(await auditedIn(commerce, shop.storeId)).toContain('order.write order: number, total');
  });

  it('as a dry run tells the same and writes nothing', async () => {
    const shop = await botShop(5);
    const before = await rowsOf(shop);
    const asked = await checkout(wanted(shop, { dryRun: true, idempotencyKey: undefined }));
    const told = { ...TOTALS, orderNumber: null, paymentUrl: null, expiresAt: null, status: 'pending' };
    expect(asked).toEqual(succeeded(200, 'Order created', told));
    expect(await rowsOf(shop)).toEqual(before);
    expect(await shop.levels()).toEqual(['5/0']);
    const short = await checkout(wanted(shop, { dryRun: true, items: [{ sku: 'HAT-0', quantity: 6 }] }));
    expect([short.status, short.body.code]).toEqual([409, 'out_of_stock']);
  });

  it('asked twenty times at once under one key, on two processes, is one order for ever', async () => {
    const shop = await botShop(50);
    const other = await startCommerce({ DATABASE_URL: commerce.database.url, ENGINE_BOT_SECRET: SECRET });
    try {
      const body = wanted(shop);
      const asked = Array.from({ length: 20 }, (_, at) => checkout(body, at % 2 ? { url: other.url } : {}));
      const answers = await Promise.all(asked);
      expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
      expect(new Set(answers.map((answer) => answer.body.data.orderNumber)).size).toBe(1);
    } finally {
      await other.stop();
    }
    expect(await shop.levels()).toEqual(['50/2']);
    expect(await orders(shop)).toHaveLength(1);
  });

  it('is the same order when the shop has changed meanwhile, and another one under its key is refused', async () => {
    const shop = await botShop(5);
    const body = wanted(shop);
    const first = await checkout(body);
    const [method] = (await shop.ask<{ id: string }[]>('GET', '/shipping/methods')).body.data;
    await shop.ask('DELETE', `/shipping/methods/${method?.id}`);
    expect(await checkout(body)).toEqual(first);
    expect(await checkout({ ...body, instanceID: 'dev2' })).toEqual(first);
    const mismatch = refused(409, 'idempotency_mismatch', 'Idempotency-Key was used with a different request');
    expect(await checkout({ ...body, items: [{ sku: 'HAT-0', quantity: 3 }] })).toEqual(mismatch);
    expect(await checkout({ ...body, customer: { ...customer, name: 'Ani' } })).toEqual(mismatch);
  });

  it('asked for again when it is paid or cancelled is shown as it stands, and nobody is sent to pay it', async () => {
    const shop = await botShop(9);
    const [paid, cancelled] = [wanted(shop), wanted(shop)];
    await checkout(paid);
    await checkout(cancelled);
    const [second, first] = await orders(shop);
    await shop.pay(first?.id ?? '', { method: 'transfer' });
    await shop.ask('POST', `/order/${second?.id}/cancel`, { reason: 'x' });
    const again = [await checkout(paid), await checkout(cancelled)].map(({ status, body }) => [status, body.data]);
    const over = { ...pending, paymentUrl: null, expiresAt: null };
    expect(again).toEqual([
      [201, { ...over, status: 'paid' }],
      [201, { ...over, status: 'cancelled' }],
    ]);
  });

  it('that costs nothing is paid at once', async () => {
    const shop = await botShop(9);
    await shop.ask('POST', '/coupon', { code: 'GRATIS', kind: 'percent', value: 100 });
    const { body } = await checkout(wanted(shop, { coupon: 'GRATIS', courier: 'pickup' }));
    expect(body.data).toMatchObject({ total: 0, status: 'paid', paymentUrl: null });
    expect((await stateOf(body.data.orderNumber ?? '')).body.data).toMatchObject({ status: 'paid', total: 0 });
  });

  it('goes by the way that was asked for: fetched, or by its name in any case', async () => {
    const shop = await botShop(9);
    const shipping = async (courier: string) =>
      (await checkout(wanted(shop, { courier, dryRun: true }))).body.data.shipping;
    expect([await shipping('pickup'), await shipping('kurir TOKO'), await shipping('ambil sendiri')]).toEqual([
      0, 15_000, 0,
    ]);
    expect(await checkout(wanted(shop, { courier: 'jne' }))).toEqual(
      invalid('courier', 'courier must be one of Kurir toko'),
    );
    // What is paid on delivery is none of the bot's
    expect((await checkout(wanted(shop, { courier: 'COD' }))).status).toBe(422);
  });

  it('to where the store does not send is refused with places to which it does', async () => {
    const shop = await botShop(9);
    const message = 'customer.destination is no place that this store sends to';
    const answer = await checkout(wanted(shop, { customer: { ...customer, destination: 'Menteng, Jakarta' } }));
    const { status, body } = invalid('customer.destination', message);
    const data = ['Bandung', 'Cimahi'].map((area) => ({ id: area, label: area }));
    expect(answer).toEqual({ status, body: { ...body, data } });
    const byId = { ...customer, destination: ' bandung ' };
    expect((await checkout(wanted(shop, { customer: byId, dryRun: true }))).status).toBe(200);
    expect(await orders(shop)).toEqual([]);
  });

  it('has the discount of a coupon, and is refused for one that does not count', async () => {
    const shop = await botShop(9);
    await shop.ask('POST', '/coupon', { code: 'HEMAT', kind: 'fixed', value: 5_000, usage_limit: 1 });
    const made = await checkout(wanted(shop, { coupon: 'hemat' }));
    expect(made.body.data).toMatchObject({ subtotal: 20_000, discount: 5_000, shipping: 15_000, total: 30_000 });
    const again = await checkout(wanted(shop, { coupon: 'HEMAT' }));
    expect([again.status, again.body.code]).toEqual([409, 'coupon_unavailable']);
  });

  it.each([
    ['without a key', { idempotencyKey: undefined }, 'idempotencyKey', 'is a required field'],
    ['by who is no phone', { idUser: 'budi' }, 'idUser', 'must be a valid E.164 formatted phone number'],
    ['of an unknown SKU', { items: [{ sku: 'CAP', quantity: 1 }] }, 'items[0].sku', 'is not on sale in this store'],
    ['of no pieces', { items: [{ sku: 'HAT-0', quantity: 0 }] }, 'items[0].quantity', 'must be 1 or greater'],
    ['of nothing', { items: [] }, 'items', 'must contain at least 1 items'],
    ['at a price of its own', { price: 1 }, 'price', 'is not a known field'],
    [
      'with U+0000',
      { customer: { ...customer, name: 'a\0' } },
      'customer.name',
      "cannot contain the following 'U+0000'",
    ],
  ])('%s is refused', async (_, more, field, message) => {
    const shop = await botShop(5);
    const { status, body } = await checkout(wanted(shop, more));
    const told = [field.replace(/\[(\d+)\]/, '.$1'), [`${field} ${message}`]] as const;
    expect([status, (body as unknown as { errors: object }).errors]).toEqual([422, Object.fromEntries([told])]);
    expect(await orders(shop)).toEqual([]);
  });

  it('is refused as any other: sold out, of a draft, at a closed, a suspended and an unknown store', async () => {
    const shop = await botShop(1);
    const { status, body } = await checkout(wanted(shop));
    expect([status, body.code]).toEqual([409, 'out_of_stock']);
    const one = { items: [{ sku: 'HAT-0', quantity: 1 }] };
    await shop.ask('PUT', '/store/status', { status: 'closed' });
    expect(await checkout(wanted(shop, one))).toEqual(
      refused(409, 'store_closed', 'The store is closed at the moment'),
    );
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    expect(await checkout(wanted(shop, one))).toEqual(refused(403, 'store_suspended', 'The store is suspended'));
    await commerce.database.query(`UPDATE store SET status = 'open' WHERE store_id = $1`, [shop.storeId]);
    await commerce.database.query(`UPDATE product SET status = 'draft' WHERE store_id = $1`, [shop.storeId]);
    expect(await checkout(wanted(shop, one))).toEqual(
      invalid('items.0.sku', 'items[0].sku is not on sale in this store'),
    );
    const nowhere = await checkout(wanted(shop, { idStore: 'nowhere' }));
    expect(nowhere).toEqual(refused(404, 'not_found', 'Store not found'));
  });

  it.each(Object.entries(hostileTexts))(
    'with %s in any text is an order or refused, and never breaks',
    async (_, hostile) => {
      const shop = await botShop(50);
      const texts = ['idStore', 'idUser', 'instanceID', 'courier', 'coupon', 'idempotencyKey'];
      const bodies = [
        ...texts.map((field) => wanted(shop, { [field]: hostile })),
        ...Object.keys(customer).map((field) => wanted(shop, { customer: { ...customer, [field]: hostile } })),
        wanted(shop, { items: [{ sku: hostile, quantity: 1 }] }),
        ...[[], null, 'x', 1].map((odd) => wanted(shop, { items: odd, customer: odd })),
      ];
      const statuses = (await Promise.all(bodies.map((body) => checkout(body)))).map(({ status }) => status);
      expect(statuses.filter((status) => ![201, 404, 413, 422].includes(status))).toEqual([]);
    },
  );

  it('needs a way to pay before delivery', async () => {
    const shop = await orderShop(commerce, 5);
    await shop.ask('POST', '/shipping/methods', FLAT);
    await shop.ask('PUT', '/payment/methods/transfer', { enabled: false });
    expect(await checkout(wanted(shop))).toEqual(
      refused(409, 'provider_unavailable', 'The store takes no money before delivery for an order of this total'),
    );
  });
});

/** All that a checkout could have written. */
const rowsOf = async ({ storeId }: OrderShop) => {
  const tables = [
    'sales_order',
    'order_item',
    'order_event',
    'contact',
    'stock_movement',
    'stock_reservation',
    'rate_quote',
  ];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE store_id = $1) AS ${table}`);
  const [row] = await commerce.database.query<object>(
    `SELECT ${counts.join(', ')}, (SELECT count(*)::int FROM audit_log WHERE tenant_id = $1) AS audit_log`,
    [storeId],
  );
  return row;
};

describe('how an order of the bot stands', () => {
  it('is pending, then paid with its time, then sent with its waybill', async () => {
    const shop = await botShop(5);
    const { orderNumber } = (await checkout(wanted(shop))).body.data;
    const standing = { orderNumber, status: 'pending', total: 35_000, currency: 'IDR', paidAt: null, waybill: null };
    expect(await stateOf(orderNumber ?? '')).toEqual(succeeded(200, 'OK', standing));
    const [order] = await orders(shop);
    await shop.pay(order?.id ?? '', { method: 'transfer' });
    const paidAt = commerce.clock.now().toISOString();
    expect((await stateOf(orderNumber ?? '')).body.data).toEqual({ ...standing, status: 'paid', paidAt });
    await shop.ask('POST', `/order/${order?.id}/waybill`, { courier: 'jne', waybill: `JNE${Date.now()}` });
    expect((await stateOf(orderNumber ?? '')).body.data.waybill).toMatch(/^JNE\d+$/);
  });

  it('is cancelled, or expired when nobody has paid in time, and 404 for a number that is none', async () => {
    const shop = await botShop(9);
    const numbers = [await checkout(wanted(shop)), await checkout(wanted(shop))].map(
      ({ body }) => body.data.orderNumber ?? '',
    );
    const [second, first] = await orders(shop);
    await shop.ask('POST', `/order/${first?.id}/cancel`, { reason: 'x' });
    await commerce.database.query(
      `UPDATE sales_order SET status = 'cancelled', payment_status = 'expired' WHERE store_id = $1 AND id = $2`,
      [shop.storeId, second?.id],
    );
    expect(await Promise.all(numbers.map(async (each) => (await stateOf(each)).body.data.status))).toEqual([
      'cancelled',
      'expired',
    ]);
    // Only a payment of it has lapsed: it waits for another
    await commerce.database.query(
      `UPDATE sales_order SET status = 'open', payment_status = 'expired' WHERE store_id = $1 AND id = $2`,
      [shop.storeId, second?.id],
    );
    expect((await stateOf(numbers[1] ?? '')).body.data.status).toBe('pending');
    expect(await stateOf('INV-261120-NOSUCH')).toEqual(refused(404, 'not_found', 'Order not found'));
  });

  it('is found by its index', async () =>
    expectNoSeqScan(
      await explain(commerce.database, BY_NUMBER, ['INV-261120-NOSUCH']),
      'global_key',
      'sales_order',
      'shipment',
    ));
});

describe('a call of the bot', () => {
  it('matches the vectors of the design', () => {
    const at = { clock: fixedClock(new Date(1_795_157_100_000)) };
    const vector = (method: string, path: string, body: string) =>
      signatureOf(at, method, `/api/payment/engine-bot${path}`, body, { secret: 'test-secret' })['X-Signature'];
    expect([
      vector('GET', '/check-status/INV-261120-ABC234', ''),
      vector('POST', '/create-checkout', '{"idStore":"7","dryRun":true}'),
    ]).toEqual([
      '756c1590aea6f223c8ac045c439b23fb9877dee6515fe47e0064e841ab0af534',
      'f7d667dac236fe923cc0a8240980efc64678c03c41e68c650271d9e615c81c0d',
    ]);
  });

  it.each([
    ['six minutes old', { age: 360_000 }],
    ['six minutes ahead', { age: -360_000 }],
    ['of an unknown service', { service: 'other' }],
    ['signed with another secret', { secret: 'x' }],
    ['signed with nothing', { secret: '' }],
    ['about another body', { signed: '{}' }],
  ] satisfies [string, Signing][])(
    '%s is refused on both routes, before anything of it is read',
    async (_, signing) => {
      expect(await checkout({ nonsense: true }, signing)).toEqual(UNSIGNED);
      expect(
        await stateOf('INV-261120-NOSUCH', { signed: '', ...signing, ...('signed' in signing && { signed: 'x' }) }),
      ).toEqual(UNSIGNED);
    },
  );

  it('without a signature, or for another query or by HEAD, is refused', async () => {
    const path = '/api/payment/engine-bot/check-status/INV-261120-NOSUCH';
    expect(await commerce.get(path)).toMatchObject(UNSIGNED);
    expect(await commerce.post('/api/payment/engine-bot/create-checkout', {})).toMatchObject(UNSIGNED);
    const headers = signatureOf(commerce, 'GET', path, '');
    expect(await commerce.get(`${path}?a=1`, headers)).toMatchObject(UNSIGNED);
    const head = await fetch(commerce.url + path, { method: 'HEAD', headers: { 'x-signature': 'a'.repeat(64) } });
    expect(head.status).toBe(401);
  });

  it('is good once: repeated at once on two processes without Redis, one is answered', async () => {
    const other = await startCommerce({ DATABASE_URL: commerce.database.url, ENGINE_BOT_SECRET: SECRET });
    try {
      const path = '/api/payment/engine-bot/check-status/INV-261120-NOSUCH';
      const headers = signatureOf(commerce, 'GET', path, '', { age: 70_000 });
      const asked = Array.from({ length: 20 }, (_, at) => caller((at % 2 ? other : commerce).url)(path, { headers }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([...Array.from({ length: 19 }, () => 401), 404].sort());
    } finally {
      await other.stop();
    }
  });

  it('is refused where no secret is set, and the secret stands in no log', async () => {
    const closed = await startCommerce({ DATABASE_URL: commerce.database.url });
    try {
      expect(await checkout({}, { url: closed.url, secret: 'undefined' })).toEqual(UNSIGNED);
    } finally {
      await closed.stop();
    }
    await until(async () => commerce.lines.length > 0);
    expect(commerce.lines.join()).not.toContain(SECRET);
  });
});
