import { setTimeout as delay } from 'node:timers/promises';
import { until, useForEach } from '@platform/testing';
import { bearer } from '../../commerce.fixture';
import { jobQueue } from '../../jobs';
import { startSecondProcess, untilNobodyWorks } from '../../second-process.fixture';
import type { OrderView } from '../sales/orders/orders.dto';
import { unexplained } from '../stock/levels/shelf.fixture';
import { deliver, gatewayShop, OK, ROUTES, type GatewayShop } from './gateways.fixture';
import { dokuNotice, duitkuNotice, useSandboxes, xenditNotice } from './sandboxes.fixture';
import type { GatewayCode } from './port';

const commerce = useSandboxes();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const numberOf = (order: OrderView, attempt = 1) => `${order.number}-${attempt}`;
const noticeOf = (code: GatewayCode, order: OrderView, good = true, path = ROUTES[code]) => {
  if (code === 'a') return dokuNotice(path, numberOf(order), order.total, good ? 'SUCCESS' : 'FAILED');
  if (code === 'b') return xenditNotice(numberOf(order), order.total, good ? 'PAID' : 'EXPIRED');
  return duitkuNotice(numberOf(order), order.total, good ? '00' : '01');
};
const payAt = (code: GatewayCode, order: OrderView, amount?: number): void => {
  const { till } = commerce[code];
  till.pay(till.named({ invoice: numberOf(order) }), amount === undefined ? {} : { amount });
};
const paid = (shop: GatewayShop, order: OrderView) =>
  until(async () => (await shop.now(order)).payment_status === 'paid');
/** Until nothing is left to be asked. */
const quiet = (shop: GatewayShop) =>
  until(async () => (await shop.events()).every(({ outcome }) => outcome !== 'asking' && outcome !== 'received'));

describe.each(['a', 'b', 'c'] as const)('over the wire of provider %s', (code) => {
  it('an order is placed, paid at the provider, told, and paid', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    const payment = await shop.payment(order);
    expect(payment).toMatchObject({ status: 'pending', invoice_number: numberOf(order), amount: 20_000 });
    expect(payment.url).toContain(commerce[code].url);
    payAt(code, order);
    expect(await deliver(commerce.url, ROUTES[code], noticeOf(code, order))).toEqual(OK);
    await paid(shop, order);
    expect(await shop.levels()).toEqual(['8/0']);
    expect((await shop.postings()).length).toBe(1);
  });

  it('an amount that was not asked for is put aside', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    payAt(code, order, 19_000);
    const notices = { a: dokuNotice(ROUTES.a, numberOf(order), 19_000), b: xenditNotice(numberOf(order), 19_000) };
    const notice = code === 'c' ? duitkuNotice(numberOf(order), 19_000) : notices[code];
    expect(await deliver(commerce.url, ROUTES[code], notice)).toEqual(OK);
    await until(async () => (await shop.payment(order)).review_reason === 'amount');
    expect(await shop.postings()).toEqual([]);
  });

  it.each([
    [
      'an array as the amount',
      (raw: string) =>
        raw.replace(/"amount":20000/, '"amount":[20000]').replace('amount=20000', 'amount=20000&amount=1'),
    ],
    [
      'an amount as text with dots',
      (raw: string) => raw.replace(/"amount":20000/g, '"amount":"20.000"').replace('amount=20000', 'amount=20.000'),
    ],
    ['a NUL', (raw: string) => raw.replace('20000', '20000\u0000')],
    ['a megabyte', () => 'x'.repeat(1_048_576)],
    ['more than a megabyte', () => 'x'.repeat(1_048_577)],
    ['nothing', () => ''],
    ['an empty object', () => '{}'],
    ['an array', () => '[]'],
    ['null', () => 'null'],
    ['a number', () => '1e999'],
  ])('%s in a body is refused, and pays nothing', async (_, change) => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    const { headers, raw } = noticeOf(code, order);
    const { status } = await deliver(commerce.url, ROUTES[code], { headers, raw: change(raw) });
    // B's token proves the sender alone: whatever its body says, B is asked
    expect([...(code === 'b' ? [200] : []), 400, 401, 404, 413]).toContain(status);
    await quiet(shop);
    expect(await shop.payment(order)).toMatchObject({ status: 'pending', review_reason: null });
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=x',
    '/',
    'none',
  ])('the content type %s changes nothing of what was signed', async (type) => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    payAt(code, order);
    const { headers, raw } = noticeOf(code, order);
    const { 'content-type': _own, ...others } = headers;
    const given = type === 'none' ? others : { ...others, 'content-type': type };
    const answer = await deliver(commerce.url, ROUTES[code], { headers: given, raw: new TextEncoder().encode(raw) });
    expect(answer).toEqual(OK);
    await paid(shop, order);
  });
});

describe('two processes', () => {
  const other = useForEach(async () => {
    const running = await startSecondProcess(commerce, commerce.env);
    return { running, stop: () => running.stop() };
  });

  it('that hear the same notice 200 times at once on both routes of A pay once, sell once and tell the bot once', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const routes = [ROUTES.a, '/api/pay_a/checkout-notification'].map((path) => ({
      path,
      notice: dokuNotice(path, numberOf(order), order.total),
    }));
    const urls = [commerce.url, other.running.url];
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, at) => {
        const { path, notice } = routes[at % 2] as (typeof routes)[number];
        return deliver(urls[(at >> 1) % 2] as string, path, notice);
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await shop.now(order)).toMatchObject({ payment_status: 'paid', paid_total: 20_000, review_reason: null });
    const counts = await commerce.database.query(
      `SELECT (SELECT count(*)::int FROM ledger_txn WHERE store_id = $1) AS posted,
         (SELECT last FROM receipt_counter WHERE store_id = $1) AS receipts,
         (SELECT count(*)::int FROM stock_movement WHERE store_id = $1 AND reason = 'sale') AS sales,
         (SELECT count(*)::int FROM webhook_event WHERE store_id = $1) AS events,
         (SELECT count(*)::int FROM payment WHERE store_id = $1 AND bot_told) AS told`,
      [shop.storeId],
    );
    expect(counts).toEqual([{ posted: 1, receipts: 1, sales: 1, events: 2, told: 1 }]);
    expect(await shop.levels()).toEqual(['8/0']);
  });
});

describe('a process that is killed', () => {
  /** As if so much time had passed that nobody is asking any more; of one store a few are taken at a time. */
  const laterOn = async (shop: GatewayShop): Promise<void> => {
    // What the last of them told the database says by the real clock until when it asks
    await untilNobodyWorks(commerce);
    const due = `UPDATE payment SET poll_at = '2020-01-01', asking_until = NULL WHERE store_id = $1 AND poll_at IS NOT NULL`;
    await commerce.database.query(due, [shop.storeId]);
    await until(async () => {
      await commerce.database.tx((tx) => jobQueue().enqueue(tx, 'payment.reconcile', {}, { key: 'reconcile' }));
      const left = `SELECT 1 FROM payment WHERE store_id = $1 AND poll_at <= '2020-01-01'`;
      return (await commerce.database.query(left, [shop.storeId])).length === 0;
    });
  };
  /** At each of its moments; every process ends a little later than the last. */
  const KILLS = 20;
  const STEP_MS = 1.5;
  const STOCK = 1_000;
  const ORDERS = 3;

  it('at any moment of placing leaves one payment at the provider for every order, which is then paid once', async () => {
    const shop = await gatewayShop(commerce, STOCK);
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    for (let round = 0; round < 2 * KILLS; round += 1) {
      const running = await startSecondProcess(commerce, commerce.env);
      const before = [await rowsOf(shop), await atProvider(shop)] as const;
      const body = JSON.stringify({ ...shop.cart(1), payment_method: 'a' });
      const headers = bearer(token, { 'content-type': 'application/json' });
      const placing = Array.from({ length: ORDERS }, () =>
        fetch(`${running.url}/api/order`, { method: 'POST', headers, body }).catch(() => undefined),
      );
      // Some rounds end while rows are written, others while the provider is asked
      const count = round % 2 === 0 ? rowsOf : atProvider;
      await until(async () => (await count(shop)) > before[count === rowsOf ? 0 : 1]);
      await delay((round >> 1) * STEP_MS);
      await running.stop('SIGKILL');
      await Promise.all(placing);
    }
    await laterOn(shop);
    const pages = [1, 2].map((page) => shop.ask<OrderView[]>('GET', `/order?per_page=100&page=${page}`));
    const orders = (await Promise.all(pages)).flatMap(({ body }) => body.data);
    expect(orders.length).toBeGreaterThanOrEqual(2 * KILLS);
    for (const order of orders) {
      await until(async () => (await shop.payment(order)).status === 'pending');
      const known = commerce.a.till.payments().filter(({ invoice }) => invoice.startsWith(order.number));
      expect(known.map(({ invoice }) => invoice)).toEqual([numberOf(order)]);
      payAt('a', order);
      expect(await deliver(commerce.url, ROUTES.a, dokuNotice(ROUTES.a, numberOf(order), order.total))).toEqual(OK);
    }
    expect((await shop.postings()).length).toBe(orders.length);
    expect(await shop.levels()).toEqual([`${STOCK - orders.length}/0`]);
  });

  it('between settling and what follows has every observer do its part once', async () => {
    const shop = await gatewayShop(commerce, STOCK);
    const orders = await Promise.all(Array.from({ length: KILLS * 2 }, () => shop.sell('a')));
    for (let round = 0; round < KILLS; round += 1) {
      const running = await startSecondProcess(commerce, commerce.env);
      const mine = orders.slice(round * 2, round * 2 + 2);
      const told = mine.map((order) =>
        deliver(running.url, ROUTES.a, dokuNotice(ROUTES.a, numberOf(order), order.total)).catch(() => undefined),
      );
      await Promise.any(told.map((each) => each.then((answer) => answer ?? Promise.reject(new Error('killed')))));
      await delay(round * STEP_MS);
      await running.stop('SIGKILL');
      await Promise.all(told);
    }
    for (const order of orders) {
      // The provider says it again to whoever did not answer
      expect(await deliver(commerce.url, ROUTES.a, dokuNotice(ROUTES.a, numberOf(order), order.total))).toEqual(OK);
      const history = async () =>
        (await shop.ask<{ type: string }[]>('GET', `/order/${order.id}/history`)).body.data.filter(
          ({ type }) => type === 'paid',
        );
      await until(async () => (await history()).length > 0);
      expect(await history()).toHaveLength(1);
    }
    expect((await shop.postings()).length).toBe(orders.length);
    expect(await shop.levels()).toEqual([`${STOCK - orders.length * 2}/0`]);
  });

  const rowsOf = async (shop: GatewayShop): Promise<number> =>
    (await commerce.database.query('SELECT 1 FROM payment WHERE store_id = $1', [shop.storeId])).length;
  const atProvider = (shop: GatewayShop): Promise<number> =>
    commerce.database
      .query<{ number: string }>('SELECT invoice_number AS number FROM payment WHERE store_id = $1', [shop.storeId])
      .then(
        (rows) =>
          rows.filter(({ number }) => commerce.a.till.payments().some(({ invoice }) => invoice === number)).length,
      );
});

it.each(['Client-Id', 'Request-Id', 'Request-Timestamp', 'Signature'])(
  'a notice of A whose %s is missing, or there twice, is refused and kept for its store',
  async (name) => {
    // Of one address a few are kept in a minute
    commerce.clock.advance(60_000);
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const { headers, raw } = dokuNotice(ROUTES.a, numberOf(order), order.total);
    const { [name]: value = '', ...without } = headers;
    const twice = new Headers(headers);
    twice.append(name, value);
    for (const given of [without, Object.fromEntries(twice)])
      expect((await deliver(commerce.url, ROUTES.a, { headers: given, raw })).status).toBe(401);
    const kept = await shop.events();
    expect(kept.map(({ signature_ok, outcome }) => [signature_ok, outcome])).toEqual([
      [false, 'signature_failed'],
      [false, 'signature_failed'],
    ]);
    expect((await shop.payment(order)).status).toBe('pending');
  },
);
