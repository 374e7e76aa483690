import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { NOW, statementsOfRequests } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { openInvoice } from '../../billing/invoices/public';
import { UnpaidOrders } from '../../sales/orders/order-expiry';
import type { OrderView } from '../../sales/orders/orders.dto';
import { openAttempt } from '../../sales/payments/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { GatewayAccounts } from '../accounts/public';
import { composeGateways } from '../gateways.composition';
import { deliver, gatewayShop, OK, ROUTES, useDesks, type GatewayShop } from '../gateways.fixture';
import type { Fact, GatewayCode } from '../port';

const commerce = useDesks();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const CODES = ['a', 'b', 'c'] as const;
const wrongSignature = refused(401, 'invalid_signature', 'The signature is wrong');
const unknown = refused(404, 'not_found', 'No such payment');

type Said = Partial<Record<'number' | 'status' | 'id' | 'currency', string>> & { readonly amount?: unknown };
const STATES: Record<string, Fact['state']> = { SUCCESS: 'paid', FAILED: 'failed', EXPIRED: 'expired' };

/** What a provider tells of an attempt; what C tells it also answers when it is asked, unless `lies`. */
const noticeOf = (
  code: GatewayCode,
  order: OrderView,
  said: Said = {},
  { attempt = 1, path = ROUTES[code], lies = false } = {},
) => {
  const desk = commerce.desks[code];
  const { number = `${order.number}-${attempt}`, status = 'SUCCESS', amount = order.total, ...more } = said;
  const state = STATES[status] ?? 'pending';
  const payment = desk.payments.get(number);
  if (payment && !lies)
    desk.payments.set(number, { ...payment, state, amount: Number(amount), currency: more.currency ?? 'IDR' });
  const form = { number, amount: String(amount), resultCode: status === 'SUCCESS' ? '00' : '01', reference: status };
  return desk.notice(path, code === 'c' ? form : { number, status, amount, id: 'e1', ...more });
};
const tell = (code: GatewayCode, order: OrderView, said: Said = {}, how: Parameters<typeof noticeOf>[3] = {}) =>
  deliver(commerce.url, how?.path ?? ROUTES[code], noticeOf(code, order, said, how));

const settledAs = async (shop: GatewayShop, order: OrderView, status: string, attempt = 1) => {
  await until(async () => (await shop.payment(order, attempt)).status === status || undefined);
  return shop.now(order);
};
/** Until every notice is done with. */
const settled = (shop: GatewayShop) =>
  until(
    async () =>
      (await shop.events()).every(({ outcome }) => outcome !== 'asking' && outcome !== 'received') || undefined,
  );

describe.each(CODES)('a notice of provider %s', (code) => {
  it('pays its order: sold, with a receipt, and in the ledger once, however often it comes', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    expect(await tell(code, order)).toEqual(OK);
    expect(await settledAs(shop, order, 'paid')).toMatchObject({
      ...{ payment_status: 'paid', paid_total: 20_000, receipt_no: 'RCP-2026-000001', pay_url: null },
    });
    expect(await tell(code, order)).toEqual(OK);
    await settled(shop);
    expect(await shop.levels()).toEqual(['8/0']);
    expect(await shop.postings()).toEqual([
      'order_paid D gateway_clearing 20000, C fee_revenue 700, C wallet_pending 19300',
    ]);
    expect(await shop.events()).toMatchObject([
      { provider: code, signature_ok: true, outcome: 'paid', attempts: 1, error: null },
    ]);
  });

  it.each([
    ['another amount', { amount: 19_999 }],
    ['another currency', { currency: 'USD' }],
  ])('of %s pays nothing, and is to be looked at', async (_, said) => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    // What C's callback says is not believed, but what it answers
    expect(await tell(code, order, said)).toEqual(OK);
    await settled(shop);
    expect(await shop.payment(order)).toMatchObject({ status: 'pending', review_reason: 'amount' });
    expect(await shop.now(order)).toMatchObject({ payment_status: 'pending', paid_total: 0 });
    expect(await shop.events()).toMatchObject([{ outcome: 'review' }]);
  });

  it('of an unknown order is refused, so that it comes again, and stays nobody’s', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    expect(await tell(code, order, { number: 'INV-260301-NOSUCH-1' })).toEqual(unknown);
    expect(await tell(code, order, { number: 'INV-260301-NOSUCH-1' })).toEqual(unknown);
    expect(await shop.events()).toEqual([]);
    const kept = `SELECT outcome, attempts FROM webhook_event WHERE store_id = '' AND provider = $1 AND outcome = 'unknown_order'`;
    expect(await commerce.database.query(kept, [code])).toEqual([{ outcome: 'unknown_order', attempts: 2 }]);
  });

  it('that it was paid after it had failed pays it; that it expired after it was paid changes nothing', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    expect(await tell(code, order, { status: 'FAILED' })).toEqual(OK);
    expect(await settledAs(shop, order, 'failed')).toMatchObject({ payment_status: 'failed', status: 'open' });
    expect(await tell(code, order)).toEqual(OK);
    const paid = await settledAs(shop, order, 'paid');
    expect(paid.payment_status).toBe('paid');
    expect(await tell(code, order, { status: 'EXPIRED' }, { lies: true })).toEqual(OK);
    await settled(shop);
    expect(await shop.now(order)).toEqual(paid);
  });

  it('of money that is late takes the goods again where there are some', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    await tell(code, order, { status: 'EXPIRED' });
    await settledAs(shop, order, 'expired');
    await cancelUnpaid();
    expect(await shop.levels()).toEqual(['10/0']);
    await tell(code, order);
    expect(await settledAs(shop, order, 'paid')).toMatchObject({ status: 'open', payment_status: 'paid' });
    expect(await shop.levels()).toEqual(['8/0']);
  });

  it('of money that is late, whose goods are gone, is to be looked at', async () => {
    const shop = await gatewayShop(commerce, 2);
    const order = await shop.sell(code);
    await tell(code, order, { status: 'EXPIRED' });
    await settledAs(shop, order, 'expired');
    await cancelUnpaid();
    await shop.place(shop.cart(1));
    await tell(code, order);
    expect(await settledAs(shop, order, 'paid')).toMatchObject({ payment_status: 'review', review_reason: 'stock' });
    expect(await shop.postings()).toHaveLength(1);
  });

  it('of a second attempt, when the first was paid too, is posted and to be looked at', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    await tell(code, order, { status: 'FAILED' });
    await settledAs(shop, order, 'failed');
    const token = order.pay_url?.split('/pay/')[1];
    expect((await commerce.post('/api/payment/create-checkout', { pay_token: token })).status).toBe(201);
    await tell(code, order, {}, { attempt: 2 });
    await settledAs(shop, order, 'paid', 2);
    await tell(code, order);
    expect(await settledAs(shop, order, 'paid')).toMatchObject({
      ...{ payment_status: 'review', review_reason: 'overpaid', paid_total: 40_000, receipt_no: 'RCP-2026-000001' },
    });
    expect(await shop.postings()).toHaveLength(2);
    expect(await shop.levels()).toEqual(['8/0']);
  });

  it('with a wrong signature pays nothing, is shown to the store that it names, and is never processed', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    const theirs = { client_id: 'MCH-1', secret: 'wrong', callback_token: 'wrong', merchant: 'D1', key: 'wrong' };
    const body =
      code === 'c'
        ? { number: `${order.number}-1`, amount: '20000' }
        : { number: `${order.number}-1`, status: 'SUCCESS', amount: 20_000 };
    const forged = commerce.desks[code].notice(ROUTES[code], body, theirs);
    expect(await deliver(commerce.url, ROUTES[code], forged)).toEqual(wrongSignature);
    const [event] = await shop.events('?signature_ok=false');
    expect(event).toMatchObject({
      provider: code,
      signature_ok: false,
      outcome: 'signature_failed',
      duration_ms: null,
    });
    expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toEqual(
      refused(409, 'signature_failed', 'Its signature was wrong, so it is not processed'),
    );
    expect((await shop.payment(order)).status).toBe('pending');
  });
});

/** The token of B proves the sender alone. */
describe.each(['a', 'c'] as const)('a notice of provider %s', (code) => {
  it.each([
    ['tampered with', (raw: string) => raw.replace('20000', '20001')],
    ['with a NUL in it', (raw: string) => raw.replace('20000', '20000\u0000')],
    ['cut off', (raw: string) => raw.slice(0, -3)],
    ['of a megabyte', () => 'x'.repeat(1_048_576)],
    ['empty', () => ''],
  ])('that is %s is refused', async (_, change) => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell(code);
    const { headers, raw } = noticeOf(code, order, {}, { lies: true });
    expect(await deliver(commerce.url, ROUTES[code], { headers, raw: change(raw) })).toEqual(wrongSignature);
    expect((await shop.payment(order)).status).toBe('pending');
  });
});

const cancelUnpaid = async (): Promise<void> => {
  const clock = { now: () => new Date(Date.parse(NOW) + 86_400_000) };
  const logger = { error: () => undefined } as never;
  await new UnpaidOrders({ database: commerce.database as never, clock, logger }).cancel();
};

it('a callback of provider C whose result was flipped pays nothing', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('c');
  await tell('c', order, { status: 'FAILED' });
  await settledAs(shop, order, 'failed');
  expect(await tell('c', order, { status: 'SUCCESS' }, { lies: true })).toEqual(OK);
  await settled(shop);
  expect(await shop.payment(order)).toMatchObject({ status: 'failed' });
  expect(await shop.postings()).toEqual([]);
});

it('a notice of provider A for the other path is refused', async () => {
  const shop = await gatewayShop(commerce);
  const notice = noticeOf('a', await shop.sell('a'));
  expect(await deliver(commerce.url, '/api/pay_a/checkout-notification', notice)).toEqual(wrongSignature);
});

describe('the bot engine', () => {
  const told = (order: OrderView) =>
    commerce.database.query('SELECT payment_id AS payment FROM bot_notice WHERE payment_id = $1', [
      order.payments[0]?.id,
    ]);
  /** Its job is done at once, or in a moment. */
  const isTold = (order: OrderView) => until(async () => (await told(order)).length === 1 || undefined);
  const askedFor = (order: OrderView) =>
    commerce.database.query('SELECT bot_told FROM payment WHERE id = $1', [order.payments[0]?.id]);

  it('is told once of an order that a checkout notice names, also when it was settled before', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const path = '/api/pay_a/checkout-notification';
    await tell('a', order);
    expect(await askedFor(order)).toEqual([{ bot_told: false }]);
    for (const id of ['e1', 'e1', 'e2']) expect(await tell('a', order, { id }, { path })).toEqual(OK);
    expect(await isTold(order)).toBe(true);
    expect(await askedFor(order)).toEqual([{ bot_told: true }]);
  });

  it('is told of an order that it has sold, whoever tells that it is paid', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('b');
    await commerce.database.query(`UPDATE sales_order SET channel = 'bot' WHERE store_id = $1`, [shop.storeId]);
    await tell('b', order);
    expect(await isTold(order)).toBe(true);
  });
});

it('settling a payment by a notice asks the database six times, for what locks stock and ledger together with the commit', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('a');
  const notice = noticeOf('a', order);
  const count = await statementsOfRequests(commerce, () => deliver(commerce.url, ROUTES.a, notice));
  expect([count, (await shop.payment(order)).status]).toEqual([6, 'paid']);
});

it('who sends too many forged notices is heard no more for a minute, and a few of them are kept', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('a');
  const forged = (id: number) =>
    commerce.desks.a.notice(
      ROUTES.a,
      { number: `${order.number}-1`, amount: 1, id },
      { client_id: 'MCH-1', secret: 'no' },
    );
  commerce.clock.advance(60_000);
  const statuses: number[] = [];
  for (let id = 0; id < 302; id += 1) statuses.push((await deliver(commerce.url, ROUTES.a, forged(id))).status);
  expect(statuses).toEqual([...Array<number>(300).fill(401), 429, 429]);
  expect(await shop.events('?signature_ok=false&limit=200')).toHaveLength(20);
  commerce.clock.advance(60_000);
  expect(await tell('a', order)).toEqual(OK);
});

describe('an event', () => {
  it('whose processing failed is done by a replay, which does it once', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const broken = `ALTER TABLE wallet_settlement ADD CONSTRAINT broken CHECK (amount < 0) NOT VALID`;
    await commerce.database.query(broken);
    expect((await tell('a', order)).status).toBe(500);
    await commerce.database.query('ALTER TABLE wallet_settlement DROP CONSTRAINT broken');
    const [event] = await shop.events();
    expect(event).toMatchObject({ outcome: 'error', error: 'unexpected', attempts: 1 });
    for (const outcome of ['paid', 'already'])
      expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toMatchObject({
        status: 200,
        body: { data: { outcome, signature_ok: true, error: null } },
      });
    expect(await shop.now(order)).toMatchObject({ payment_status: 'paid', paid_total: 20_000 });
    const other = await gatewayShop(commerce);
    expect((await other.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).status).toBe(404);
  });
});

it('a notice is simulated at our own route', async () => {
  const shop = await gatewayShop(commerce);
  const order = await shop.sell('a');
  const simulate = (body: object) => commerce.post('/api/pay_a/sandbox/simulate-webhook', body);
  expect(await simulate({ invoice_number: `${order.number}-1`, status: 'FAILED' })).toMatchObject({
    status: 200,
    body: { data: { http_status: 200, answer: OK.body } },
  });
  expect((await shop.payment(order)).status).toBe('failed');
  expect(await simulate({ invoice_number: 'INV-1' })).toMatchObject({ body: { data: { http_status: 404 } } });
  await simulate({ invoice_number: `${order.number}-1`, route: 'checkout-notification' });
  expect((await shop.payment(order)).status).toBe('paid');
});

it('in production there is nothing to simulate with', async () => {
  const config = { ...commerce.config, APP_ENV: 'production' } as const;
  const { database } = commerce.app;
  const parts = {
    database,
    clock: commerce.clock,
    logger: silentLogger,
    queue: jobQueue(),
    cursors: undefined as never,
    live: undefined as never,
    siblings: { accounts: undefined as never },
  };
  const slots = { a: undefined, b: undefined, c: undefined };
  const { area } = composeGateways(config, parts, { slots, sign: () => ({ headers: {}, raw: Buffer.alloc(0) }) });
  const endpoint = (area.endpoints ?? []).find(({ path }) => path === '/api/pay_a/sandbox/simulate-webhook');
  await expect(Promise.resolve().then(() => endpoint?.handle({ body: {} } as never))).rejects.toMatchObject({
    kind: 'notFound',
  });
});

it('a top-up is in the wallet when its notice is answered, and costs the store nothing', async () => {
  const shop = await gatewayShop(commerce);
  const { database } = commerce.app;
  const by = { storeId: shop.storeId, actor: 'u1', at: new Date(NOW) };
  const lines = [{ text: 'Top-up', qty: 1, amount: 50_000 }];
  const desk = commerce.desks.b;
  const gateways = new GatewayAccounts(
    { a: undefined, b: desk.slot(true), c: undefined },
    database,
    undefined as never,
  );
  const bill = await database.tx(async (tx) => {
    const invoice = await openInvoice(tx, by, { kind: 'topup', ref: 'T1', lines, currency: 'IDR', dueAt: null });
    const of = { invoiceId: invoice.id, number: invoice.number };
    const asked = {
      of,
      provider: 'b',
      amount: 50_000,
      currency: 'IDR',
      expiresAt: new Date(NOW),
      door: 'staff',
    } as const;
    await openAttempt(tx, by, gateways, asked);
    return invoice;
  });
  const body = { number: `${bill.number}-1`, status: 'SUCCESS', amount: 50_000, id: 'x' };
  expect(await deliver(commerce.url, ROUTES.b, desk.notice(ROUTES.b, body))).toEqual(OK);
  expect(await shop.postings()).toEqual(['topup D gateway_clearing 50000, C wallet_available 50000']);
});
