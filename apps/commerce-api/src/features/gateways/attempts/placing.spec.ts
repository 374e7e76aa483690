import { bearer } from '../../../commerce.fixture';
import { invalid, refused } from '../../../asked.fixture';
import { ownStore } from '../../../asked.fixture';
import type { MethodView } from '../../paying/methods/methods.dto';
import { payToken } from '../../sales/payments/public';
import type { OrderView } from '../../sales/orders/orders.dto';
import { gatewayShop, useDesks } from '../gateways.fixture';

const commerce = useDesks();
beforeEach(() => {
  for (const code of ['a', 'b', 'c'] as const) commerce.desks[code].mood = 'good';
});

describe('a gateway', () => {
  it('costs its buyer what it does today, whatever it did when it was set: nothing with an account of the store’s own', async () => {
    const shop = await gatewayShop(commerce);
    await shop.ask('PUT', '/payment/methods/b', { fee_bearer: 'buyer' });
    const feeNow = async () => {
      const order = { ...shop.cart(2), payment_method: 'b' };
      const { items, payment_method } = order;
      const asked = await shop.ask<OrderView>('POST', '/order/calculate', { items, payment_method });
      const { fee, total } = asked.body.data;
      const placed = await shop.ask<OrderView>('POST', '/order', { ...order, expected_total: total });
      return [fee, placed.status, placed.body.data.fee, placed.body.data.payments[0]?.amount];
    };
    await commerce.database.query(
      `UPDATE payment_method SET fee_percent_bp = 300, fee_fixed = 900 WHERE store_id = $1 AND code = 'b'`,
      [shop.storeId],
    );
    expect(await feeNow()).toEqual([700, 201, 700, 20_700]);
    await shop.ask('PUT', '/payment/methods/b', { credentials: { key: 'k', callback_token: 'own' } });
    expect(await feeNow()).toEqual([0, 201, 0, 20_000]);
  });

  it('is switched on where the platform has an account, with its fee, and then offered to buyers', async () => {
    const { ask } = await ownStore(commerce);
    const changed = (await ask<MethodView>('PUT', '/payment/methods/b', { enabled: true, fee_bearer: 'buyer' })).body
      .data;
    expect(changed).toEqual({
      ...{ code: 'b', kind: 'gateway', provider: 'b', enabled: true, configured: true, mode: 'platform' },
      ...{ fee_bearer: 'buyer', fee: { percent_bp: 100, fixed: 500 }, min: null, max: null, channels: [] },
    });
  });

  it('of a store with an account of its own is direct, and costs the platform’s fee no more', async () => {
    const { ask } = await ownStore(commerce);
    const credentials = { client_id: 'MCH-OWN', secret: 's' };
    const changed = (await ask<MethodView>('PUT', '/payment/methods/a', { enabled: true, credentials })).body.data;
    expect(changed).toMatchObject({
      enabled: true,
      configured: true,
      mode: 'direct',
      fee: { percent_bp: 0, fixed: 0 },
    });
  });
});

describe('an order by a gateway', () => {
  it.each(['a', 'b', 'c'] as const)(
    'of provider %s begins to be paid when it is placed, and its buyer comes back to its page',
    async (code) => {
      const shop = await gatewayShop(commerce);
      const order = await shop.sell(code);
      expect(order.payments).toMatchObject([
        { provider: code, invoice_number: `${order.number}-1`, status: 'created', amount: 20_000, url: null },
      ]);
      expect(order.pay_expires_at).toBe('2026-03-01T09:10:00.000Z');
      const url = `https://desk.example/${order.number}-1`;
      expect(await shop.now(order)).toMatchObject({
        payment_status: 'pending',
        payments: [
          { status: 'pending', url, provider_ref: `ref-${order.number}-1`, expires_at: '2026-03-01T09:00:00.000Z' },
        ],
      });
      const { secret } = { secret: 'x' };
      expect(order.pay_url).toMatch(/^https:\/\/shop\.example\/pay\/[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/);
      expect(payToken({ secret, publicUrl: undefined }, order)).toContain(order.id);
      expect(commerce.desks[code].payments.get(`${order.number}-1`)?.returnUrl).toBe(`${order.pay_url}/finish`);
      expect(await shop.levels()).toEqual(['10/2']);
    },
  );

  it.each([
    ['is away', 'down', 'created'],
    ['loses its answer', 'lost', 'created'],
    ['refuses', 'refuses', 'failed'],
  ] as const)('whose provider %s stands without an address to pay it', async (_, mood, status) => {
    const shop = await gatewayShop(commerce);
    commerce.desks.a.mood = mood;
    const order = await shop.sell('a');
    expect(await shop.payment(order)).toMatchObject({ status, url: null });
    expect((await shop.now(order)).status).toBe('open');
  });

  it('by one that its store has not switched on is refused', async () => {
    const { ask, ...shop } = await gatewayShop(commerce);
    await ask('PUT', '/payment/methods/a', { enabled: false });
    expect(await ask('POST', '/order', { ...shop.cart(1), payment_method: 'a' })).toEqual(
      invalid('payment_method', 'payment_method is switched off in this store'),
    );
    expect(await shop.levels()).toEqual(['10/0']);
  });
});

describe('a checkout of an order', () => {
  const checkout = (token: string, more: object = {}) =>
    commerce.post('/api/payment/create-checkout', { pay_token: token, ...more });
  const tokenOf = (order: { readonly pay_url: string | null }) => order.pay_url?.split('/pay/')[1] ?? '';

  it('is the attempt that waits already', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const { id, url } = await shop.payment(order);
    expect(await checkout(tokenOf(order))).toMatchObject({
      status: 200,
      body: { data: { payment_id: id, url, status: 'pending', expires_at: '2026-03-01T09:00:00.000Z' } },
    });
    expect(commerce.desks.a.payments.size).toBeGreaterThan(0);
  });

  it.each(['down', 'lost'] as const)(
    'repeats what nobody knows the end of (%s): one payment at the provider',
    async (mood) => {
      const shop = await gatewayShop(commerce);
      commerce.desks.a.mood = mood;
      const order = await shop.sell('a');
      const before = commerce.desks.a.payments.size;
      commerce.desks.a.mood = 'good';
      const { status, body } = await checkout(tokenOf(order));
      expect([status, (body as { data: { url: string } }).data.url]).toEqual([
        200,
        `https://desk.example/${order.number}-1`,
      ]);
      expect(commerce.desks.a.payments.size).toBe(mood === 'lost' ? before : before + 1);
      expect((await shop.now(order)).payments).toHaveLength(1);
    },
  );

  it('has a new number only when the provider has refused the old one', async () => {
    const shop = await gatewayShop(commerce);
    commerce.desks.a.mood = 'refuses';
    const order = await shop.sell('a');
    commerce.desks.a.mood = 'good';
    expect(await checkout(tokenOf(order))).toMatchObject({
      status: 201,
      body: { data: { url: `https://desk.example/${order.number}-2` } },
    });
  });

  it('is one when twenty ask at once', async () => {
    const shop = await gatewayShop(commerce);
    commerce.desks.b.mood = 'refuses';
    const order = await shop.sell('b');
    commerce.desks.b.mood = 'good';
    const calls = commerce.desks.b.calls.create;
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(tokenOf(order))));
    const urls = answers.map(({ body }) => (body as { data: { url: string } }).data.url);
    expect(new Set(urls)).toEqual(new Set([`https://desk.example/${order.number}-2`]));
    expect(commerce.desks.b.calls.create - calls).toBe(1);
  });

  it('at another provider is another attempt', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    expect((await checkout(tokenOf(order), { method: 'c' })).status).toBe(201);
    expect((await shop.now(order)).payments.map(({ provider, status }) => `${provider} ${status}`)).toEqual([
      'a pending',
      'c pending',
    ]);
  });

  it('is neither at a provider that is switched off, nor at one that is not for so much or costs the buyer more', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    await shop.ask('PUT', '/payment/methods/a', { enabled: false });
    await shop.ask('PUT', '/payment/methods/b', { max: 19_999 });
    await shop.ask('PUT', '/payment/methods/c', { fee_bearer: 'buyer' });
    const unavailable = { status: 409, body: { code: 'provider_unavailable' } };
    for (const method of ['b', 'c']) expect(await checkout(tokenOf(order), { method })).toMatchObject(unavailable);
    expect((await shop.now(order)).payments).toHaveLength(1);
    // Its own is what was agreed on
    await commerce.database.query(`UPDATE payment SET status = 'failed' WHERE store_id = $1`, [shop.storeId]);
    expect((await checkout(tokenOf(order))).status).toBe(201);
  });

  it('is none while its store is suspended, not even the one that waits already', async () => {
    const shop = await gatewayShop(commerce);
    const [order, fresh] = [await shop.sell('a'), await shop.place({ ...shop.cart(1), payment_method: 'transfer' })];
    const url = (await shop.now(fresh)).pay_url;
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    const suspended = refused(403, 'store_suspended', 'The store is suspended');
    expect(await checkout(tokenOf(order))).toMatchObject(suspended);
    expect(await checkout(tokenOf({ pay_url: url }), { method: 'b' })).toMatchObject(suspended);
    const made = 'SELECT provider FROM payment WHERE store_id = $1';
    expect(await commerce.database.query(made, [shop.storeId])).toEqual([{ provider: 'a' }]);
  });

  it.each([
    ['a forged token', (token: string) => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['another order’s claim', (token: string) => token.replace(/^.{8}/, '00000000')],
    ['no token', () => 'x'],
  ])('by %s is refused', async (_, change) => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    expect(await checkout(change(tokenOf(order)))).toMatchObject(
      refused(401, 'invalid_signature', 'The link is not one of ours'),
    );
  });

  it('of one that is cancelled has expired, of one that is paid is refused', async () => {
    const shop = await gatewayShop(commerce);
    const [gone, paid] = [await shop.sell('a'), await shop.place(shop.cart(1))];
    await shop.ask('POST', `/order/${gone.id}/cancel`, { reason: 'Batal' });
    expect(await checkout(tokenOf(gone))).toMatchObject({ status: 410, body: { code: 'expired' } });
    const url = (await shop.now(paid)).pay_url;
    await shop.pay(paid.id);
    expect(await checkout(tokenOf({ pay_url: url }), { method: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'paid' },
    });
  });
});

it('staff make a payment of any order, with the channels that they choose', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.place(shop.cart(1));
  const made = await shop.ask('POST', '/pay_c/create-payment', { order_id: order.id, channels: ['QRIS'] });
  expect(made).toMatchObject({ status: 201, body: { data: { provider: 'c', status: 'pending', amount: 10_000 } } });
  expect(commerce.desks.c.payments.get(`${order.number}-1`)?.notifyPath).toBe('/api/pay_a/notification');
  const stranger = commerce.storeAuth.userToken({ store_id: (await gatewayShop(commerce)).storeId });
  expect(await commerce.post('/api/pay_c/create-payment', { order_id: order.id }, bearer(stranger))).toMatchObject({
    status: 404,
  });
});
