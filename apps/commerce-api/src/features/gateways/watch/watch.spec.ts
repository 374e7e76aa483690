import { silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { NOW } from '../../../commerce.fixture';
import { UnpaidOrders } from '../../sales/orders/order-expiry';
import type { OrderView } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { GatewayAccounts } from '../accounts/public';
import { Asking } from '../asking/public';
import { gatewayShop, useDesks, type GatewayShop } from '../gateways.fixture';
import type { Fact, GatewayCode } from '../port';
import { Watch } from './public';
import { DUE, TAKE } from './watch.sql';

const commerce = useDesks();
beforeEach(() => {
  for (const code of ['a', 'b', 'c'] as const) commerce.desks[code].mood = 'good';
});
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const MINUTE_MS = 60_000;
/** The watch of a process whose clock is so much later. */
const watchAfter = (minutes: number): Watch => {
  const { database, desks } = commerce;
  const clock = { now: () => new Date(Date.parse(NOW) + minutes * MINUTE_MS) };
  const slots = { a: desks.a.slot(true), b: desks.b.slot(false), c: desks.c.slot(false) };
  const accounts = new GatewayAccounts(slots, database, undefined as never);
  const parts = { database: commerce.app.database, clock, logger: silentLogger, accounts };
  return new Watch({ ...parts, asking: new Asking({ ...parts, pages: { secret: 'x', publicUrl: undefined } }) });
};
const cancelAfter = (minutes: number): Promise<number> => {
  const clock = { now: () => new Date(Date.parse(NOW) + minutes * MINUTE_MS) };
  return new UnpaidOrders({ database: commerce.app.database, clock, logger: silentLogger }).cancel();
};
const look = async (shop: GatewayShop, order: OrderView, minutes: number, attempt = 1) => {
  const { id } = await shop.payment(order, attempt);
  return watchAfter(minutes).look(shop.storeId, id);
};
const become = (code: GatewayCode, order: OrderView, state: Fact['state'], attempt = 1): void => {
  const payment = commerce.desks[code].payments.get(`${order.number}-${attempt}`);
  if (payment) payment.state = state;
};
const pollOf = async (shop: GatewayShop, order: OrderView): Promise<number | null> => {
  const { id } = await shop.payment(order);
  const [row] = await commerce.database.query<{ at: Date | null }>(
    'SELECT poll_at AS at FROM payment WHERE store_id = $1 AND id = $2',
    [shop.storeId, id],
  );
  return row?.at ? (row.at.getTime() - Date.parse(NOW)) / MINUTE_MS : null;
};

describe.each(['a', 'b', 'c'] as const)('a payment at provider %s whose notice never comes', (code) => {
  it('is paid when the provider says so, once', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    become(code, order, 'paid');
    expect(await look(shop, order, 2)).toBe('paid');
    expect(await look(shop, order, 2)).toBe('already');
    expect(await shop.now(order)).toMatchObject({ payment_status: 'paid', receipt_no: 'RCP-2026-000001' });
    expect([await shop.levels(), (await shop.postings()).length, await pollOf(shop, order)]).toEqual([
      ['8/0'],
      1,
      null,
    ]);
  });

  it('is asked about at growing intervals, and for the last time when its goods are let go', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    const asked: (number | null)[] = [];
    for (let minutes = await pollOf(shop, order); minutes !== null; minutes = await pollOf(shop, order)) {
      asked.push(minutes);
      await cancelAfter(minutes);
      await look(shop, order, minutes);
    }
    expect(asked).toEqual([2, 4, 8, 16, 32, 62, 70]);
    expect(await shop.payment(order)).toMatchObject({
      status: 'expired',
      events: expect.arrayContaining([]) as unknown,
    });
    expect([await shop.levels(), await cancelAfter(70), await shop.levels()]).toEqual([['10/2'], 1, ['10/0']]);
    expect(await shop.now(order)).toMatchObject({ status: 'cancelled', payment_status: 'expired' });
  });

  it('that comes in its last minute is not let go', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    become(code, order, 'paid');
    expect(await cancelAfter(70)).toBe(0);
    expect(await look(shop, order, 70)).toBe('paid');
  });

  it('is begun again when its process ended before it could ask, or before it heard the answer', async () => {
    const shop = await gatewayShop(commerce);
    for (const mood of ['down', 'lost'] as const) {
      commerce.desks[code].mood = mood;
      const order = await shop.sell(code);
      commerce.desks[code].mood = 'good';
      await look(shop, order, 2);
      expect(await shop.payment(order)).toMatchObject({ status: 'pending', invoice_number: `${order.number}-1` });
      const made = [...commerce.desks[code].payments.keys()].filter((number) => number.startsWith(order.number));
      expect(made).toEqual([`${order.number}-1`]);
    }
  });

  it('of a provider that says nothing for a day has ended', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    commerce.desks[code].mood = 'down';
    await look(shop, order, 71);
    expect(await shop.payment(order)).toMatchObject({ status: 'pending' });
    await look(shop, order, 60 + 1_440);
    expect(await shop.payment(order)).toMatchObject({ status: 'expired' });
  });
});

it('what waits to be asked for is not asked for while its store is suspended, and is when that is open again', async () => {
  const shop = await gatewayShop(commerce);
  commerce.desks.b.mood = 'down';
  const order = await shop.sell('b');
  commerce.desks.b.mood = 'good';
  const [made, number] = [commerce.desks.b.payments, `${order.number}-1`];
  const stands = (status: string) =>
    commerce.database.query('UPDATE store SET status = $2 WHERE store_id = $1', [shop.storeId, status]);
  const { id } = await shop.payment(order);
  await stands('suspended');
  expect([await watchAfter(2).look(shop.storeId, id), made.has(number)]).toEqual(['pending', false]);
  await stands('open');
  expect([await watchAfter(7).look(shop.storeId, id), made.has(number)]).toEqual(['pending', true]);
});

it('what is paid by another attempt is ended at the provider, where that can be done', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('b');
  const pay_token = order.pay_url?.split('/pay/')[1];
  await commerce.post('/api/payment/create-checkout', { pay_token, method: 'a' });
  become('a', order, 'paid', 2);
  expect(await look(shop, order, 2, 2)).toBe('paid');
  expect(await pollOf(shop, order)).toBe(2);
  await look(shop, order, 2);
  expect(commerce.desks.b.expired).toEqual([`ref-${order.number}-1`]);
  expect(await shop.payment(order)).toMatchObject({ status: 'cancelled' });
  expect(await shop.now(order)).toMatchObject({ payment_status: 'paid', review_reason: null });
});

it('what is left of an order whose down payment was given back is still to be paid, and its page at the provider stays', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.place(shop.cart(2));
  await shop.pay(order.id, { amount: 12_000 });
  await shop.ask('POST', `/order/${order.id}/refund`, { method: 'manual', reason: 'Salah' }, 'back');
  await shop.pay(order.id, { amount: 8_000 });
  const pay_token = (await shop.now(order)).pay_url?.split('/pay/')[1];
  await commerce.post('/api/payment/create-checkout', { pay_token, method: 'b' });
  const rest = (await shop.now(order)).payments.at(-1);
  expect([rest?.amount, rest?.status]).toEqual([12_000, 'pending']);
  const watch = await watchAfter(2).look(shop.storeId, rest?.id ?? '');
  expect([watch, commerce.desks.b.expired.filter((ref) => ref.includes(order.number))]).toEqual(['pending', []]);
});

it('what is asked for an order that was edited or cancelled is ended, and the edited one has another', async () => {
  const shop = await gatewayShop(commerce);
  const [edited, cancelled] = [await shop.sell('b'), await shop.sell('b')];
  await shop.ask('POST', `/order/${cancelled.id}/cancel`, { reason: 'Batal' });
  const { version } = await shop.now(edited);
  const more = { ...shop.cart(3), payment_method: 'b', version };
  const after = (await shop.ask<OrderView>('PUT', `/order/${edited.id}`, more)).body.data;
  expect(after.payments.map(({ status, amount }) => `${status} ${amount}`)).toEqual([
    'cancelled 20000',
    'created 30000',
  ]);
  for (const order of [edited, cancelled]) await look(shop, order, 0);
  expect(commerce.desks.b.expired.slice(-2)).toEqual([`ref-${edited.number}-1`, `ref-${cancelled.number}-1`]);
  expect(await shop.payment(edited, 2)).toMatchObject({ status: 'pending', amount: 30_000 });
});

describe('somebody who wants to know now', () => {
  it('has the provider asked, once in ten seconds', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('b');
    const { id } = await shop.payment(order);
    const check = () => shop.ask('POST', `/payment/${id}/check`);
    expect(await check()).toMatchObject({ status: 200, body: { data: { status: 'pending' } } });
    become('b', order, 'paid');
    expect(await check()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    commerce.clock.advance(10_000);
    expect(await check()).toMatchObject({ status: 200, body: { data: { status: 'paid' } } });
  });

  it('is told that the provider does not answer, or that there is none', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('b');
    const { id } = await shop.payment(order);
    commerce.desks.b.mood = 'down';
    expect(await shop.ask('POST', `/payment/${id}/check`)).toMatchObject({
      status: 502,
      body: { code: 'provider_error' },
    });
    const cash = await shop.place(shop.cart(1));
    await shop.pay(cash.id);
    const seen = await shop.payment(cash);
    expect(await shop.ask('POST', `/payment/${seen.id}/check`)).toEqual(
      refused(409, 'not_supported', 'No provider knows this payment'),
    );
  });

  it('reads what the provider says, by number or by reference', async () => {
    const shop = await gatewayShop(commerce);
    const [a, c] = [await shop.sell('a'), await shop.sell('c')];
    const said = {
      state: 'pending',
      amount: 20_000,
      currency: 'IDR',
      paid_at: null,
      channel: null,
      raw_status: 'PENDING',
    };
    expect((await shop.ask('GET', `/pay_a/status/${a.number}-1`)).body.data).toEqual(said);
    expect((await shop.ask('GET', `/pay_c/status/ref-${c.number}-1`)).body.data).toEqual(said);
    const other = await gatewayShop(commerce);
    expect((await other.ask('GET', `/pay_a/status/${a.number}-1`)).status).toBe(404);
  });
});

describe('a provider that hangs', () => {
  it('keeps an order waiting eight seconds, and holds neither a row nor a connection meanwhile', async () => {
    const shop = await gatewayShop(commerce);
    commerce.desks.a.mood = 'hangs';
    let [answered, isLate] = [false, false];
    const placing = shop.sell('a').finally(() => (answered = true));
    const { a } = commerce.desks;
    const [calls, before] = [a.calls.create, a.givenUp];
    await until(() => a.calls.create > calls || undefined);
    // Timers of a process end in their order, however slow the machine is
    const late = setTimeout(() => (isLate = true), 9_000);
    const { pool } = commerce.app.database;
    // Jobs come and go; what the request held, it would hold until the provider is given up
    await until(() => pool.totalCount === pool.idleCount || undefined);
    const held = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    await until(
      () => commerce.database.query(held),
      (open) => open.length === 0,
    );
    expect(answered).toBe(false);
    // Nobody who wants the same rows waits
    const rows = `SELECT p.id FROM payment p JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id
      WHERE p.store_id = $1 FOR UPDATE NOWAIT`;
    expect(await commerce.database.query(rows, [shop.storeId])).toHaveLength(1);
    await until(() => a.givenUp > before);
    expect(isLate).toBe(false);
    clearTimeout(late);
    const order = await placing;
    expect(await shop.payment(order)).toMatchObject({ status: 'created', url: null });
  });

  it('keeps no other provider, and of more stores than it has places no store of the others, from its turn', async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, () => gatewayShop(commerce)));
    const orders = await Promise.all(shops.map(async (shop) => [await shop.sell('a'), await shop.sell('b')] as const));
    commerce.desks.a.mood = 'hangs';
    for (const [, order] of orders) become('b', order, 'paid');
    await commerce.database.query('UPDATE payment SET poll_at = $1 WHERE poll_at IS NOT NULL', [NOW]);
    const { calls } = commerce.desks.a;
    const before = calls.status + calls.create;
    const hanging = () => calls.status + calls.create - before;
    await watchAfter(0).reconcile();
    await until(() => hanging() >= 4 || undefined);
    for (const [index, shop] of shops.entries()) {
      const order = orders[index]?.[1] as OrderView;
      await until(async () => (await shop.now(order)).payment_status === 'paid' || undefined);
    }
    // It has its places, and no more
    expect(hanging()).toBe(4);
    commerce.desks.a.mood = 'good';
  });
});

describe('what is due', () => {
  it('is found by index, a few of every store, and taken by one process', async () => {
    const [big, small] = [await gatewayShop(commerce, 100), await gatewayShop(commerce)];
    const [one, other] = [await big.sell('a'), await small.sell('a')];
    await commerce.database.query(
      `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, invoice_number, amount, currency, status, poll_at, created_at, updated_at)
       SELECT store_id, uuidv7(), order_id, attempt + n, uuidv7(), 'a', invoice_number || n, amount, currency, 'paid', poll_at, created_at, updated_at
       FROM payment, generate_series(1, 3000) n WHERE store_id = $1 AND order_id = $2`,
      [big.storeId, one.id],
    );
    await commerce.database.query('VACUUM ANALYZE payment');
    const at = new Date(commerce.clock.now().getTime() + 2 * MINUTE_MS);
    const due = await commerce.database.query<{ store_id: string }>(DUE, [at]);
    const of = ({ storeId }: GatewayShop) => due.filter(({ store_id }) => store_id === storeId).length;
    expect([of(big), of(small)]).toEqual([20, 1]);
    expectNoSeqScan(await explain(commerce.database, DUE, [at]), 'payment');
    const taken = await Promise.all([1, 2, 3].map(() => commerce.database.query(TAKE, [at])));
    const jobs = taken.flat();
    expect(jobs.length).toBeGreaterThan(20);
    expect(await commerce.database.query(DUE, [at])).not.toContainEqual(
      expect.objectContaining({ store_id: small.storeId }),
    );
    expect((await small.now(other)).status).toBe('open');
  });
});
