import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { balancesOf } from '../../ledger/postings/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Order } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { writePaid } from './paid.observers';
import type { Payment } from './payments.dto';
import type { PaidFact, Settled } from '../../../paid-fact';
import { settlePayment } from './settle';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const at = new Date(NOW);
const byOf = ({ storeId }: OrderShop) => ({ storeId, actor: 'provider:a', at });

/** An attempt at a provider, as its module will open one; resolves to its id. */
const attemptOf = async ({ storeId }: OrderShop, order: Order, attempt = 1, status = 'pending'): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment
       (store_id, id, order_id, attempt, request_id, provider, invoice_number, amount, currency, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $2, 'a', $5, $6, 'IDR', $7, $8, $8)`,
    [storeId, id, order.id, attempt, `${order.number}-${attempt}`, order.total, status, NOW],
  );
  return id;
};
const settle = (shop: OrderShop, id: string, more: Partial<PaidFact> & Pick<PaidFact, 'amount'>): Promise<Settled> =>
  commerce.database.tx((tx) => settlePayment(tx, byOf(shop), id, { currency: 'IDR', paidAt: at, ...more }));
const paymentNow = async (shop: OrderShop, id: string): Promise<Payment> =>
  (await shop.ask<Payment>('GET', `/payment/${id}`)).body.data;
const orderNow = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;

/** A shop with an order of two pieces and an attempt to pay it. */
const waiting = async (pieces = 5, status?: string) => {
  const shop = await orderShop(commerce, pieces);
  const order = await shop.place(shop.cart(2));
  return { shop, order, id: await attemptOf(shop, order, 1, status) };
};

it('what came to the platform is owed to the store, less its fee, until it settles; what the store has itself is only written down', async () => {
  const { shop, id } = await waiting();
  const { storeId } = shop;
  await commerce.database.query(`UPDATE payment SET mode = 'platform', platform_fee = 700 WHERE id = $1`, [id]);
  await settle(shop, id, { amount: 20_000, fee: 400 });
  const platform = { gateway_clearing: 19_600, fee_expense: 400, wallet_pending: 19_300, fee_revenue: 700 };
  expect(await balancesOf(commerce.database, storeId, 'IDR')).toMatchObject(platform);
  const due = 'SELECT amount::int, due_at, released_at FROM wallet_settlement WHERE payment_id = $1';
  expect(await commerce.database.query(due, [id])).toEqual([
    { amount: 19_300, due_at: new Date('2026-03-03T08:00:00.000Z'), released_at: null },
  ]);
  const second = await shop.place(shop.cart(1));
  await shop.pay(second.id);
  expect(await balancesOf(commerce.database, storeId, 'IDR')).toMatchObject({
    ...platform,
    ...{ external_cash: 10_000, external_sales: 10_000 },
  });
  await shop.ask('POST', '/order/change_payment_status', { order_id: second.id, status: 'unpaid' });
  expect(await balancesOf(commerce.database, storeId, 'IDR')).toMatchObject({ ...platform, external_cash: 0 });
});

describe('settling an attempt', () => {
  it('pays the order, and keeps what the provider told', async () => {
    const { shop, order, id } = await waiting();
    const told = { amount: 20_000, providerRef: 'ref-1', channel: 'VA_BCA', fee: 4_000 };
    expect(await settle(shop, id, told)).toBe('paid');
    expect(await paymentNow(shop, id)).toMatchObject({
      ...{ status: 'paid', provider_ref: 'ref-1', channel: 'VA_BCA', fee: 4_000, paid_at: NOW },
      invoice_number: `${order.number}-1`,
    });
    expect(await orderNow(shop, order)).toMatchObject({ payment_status: 'paid', paid_total: 20_000, status: 'open' });
    expect(await shop.levels()).toEqual(['3/0']);
  });

  it('sixty times at once pays it once, and every observer does its part once', async () => {
    const { shop, order, id } = await waiting();
    const answers = await Promise.all(Array.from({ length: 60 }, () => settle(shop, id, { amount: 20_000 })));
    expect(answers.filter((answer) => answer !== 'already')).toEqual(['paid']);
    const paid = async () =>
      (await shop.ask<{ type: string }[]>('GET', `/order/${order.id}/history`)).body.data.filter(
        ({ type }) => type === 'paid',
      ).length;
    expect(await until(paid)).toBe(1);
    expect([(await orderNow(shop, order)).paid_total, await shop.levels()]).toEqual([20_000, ['3/0']]);
  });

  it.each([
    ['amount', { amount: 19_999 }, '19999 IDR came, asked for were 20000 IDR'],
    ['currency', { amount: 20_000, currency: 'USD' }, '20000 USD came, asked for were 20000 IDR'],
  ])('of another %s than was asked for pays nothing and is put aside', async (_what, fact, text) => {
    const { shop, order, id } = await waiting();
    expect(await settle(shop, id, fact)).toBe('review');
    expect(await paymentNow(shop, id)).toMatchObject({
      ...{ status: 'pending', review_reason: 'amount', paid_at: null },
      events: [{ type: 'review', text }],
    });
    expect(await orderNow(shop, order)).toMatchObject({ payment_status: 'unpaid', paid_total: 0, receipt_no: null });
    expect(await shop.levels()).toEqual(['5/2']);
  });

  it.each(['failed', 'expired', 'created'])(
    'that was %s pays all the same, for providers deliver out of order',
    async (state) => {
      const { shop, id } = await waiting(5, state);
      expect(await settle(shop, id, { amount: 20_000 })).toBe('paid');
    },
  );

  it('of which two succeed puts the order aside, with both', async () => {
    const { shop, order, id } = await waiting();
    const second = await attemptOf(shop, order, 2);
    const answers = await Promise.all([id, second].map((each) => settle(shop, each, { amount: 20_000 })));
    expect(answers.sort()).toEqual(['paid', 'review']);
    expect(await orderNow(shop, order)).toMatchObject({
      ...{ payment_status: 'review', review_reason: 'overpaid', paid_total: 40_000, receipt_no: 'RCP-2026-000001' },
      payments: [{ status: 'paid' }, { status: 'paid' }],
    });
    expect(await shop.levels()).toEqual(['3/0']);
  });

  it('of an order that somebody has cancelled sells nothing, and the order is put aside', async () => {
    const { shop, order, id } = await waiting();
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect(await settle(shop, id, { amount: 20_000 })).toBe('review');
    expect(await orderNow(shop, order)).toMatchObject({
      ...{ status: 'cancelled', payment_status: 'review', review_reason: 'cancelled', paid_total: 20_000 },
    });
    expect(await shop.levels()).toEqual(['5/0']);
  });

  it('of another store, or none, is refused', async () => {
    const [{ id }, { shop }] = [await waiting(), await waiting()];
    await expect(settle(shop, id, { amount: 20_000 })).rejects.toThrow('Payment not found');
  });
});

it('an observer that runs again does nothing more', async () => {
  const { shop, order, id } = await waiting();
  await settle(shop, id, { amount: 20_000 });
  const told = { storeId: shop.storeId, orderId: order.id, eventId: uuidv7(), at: NOW, actor: 'u1' };
  for (let run = 0; run < 3; run += 1) await writePaid(commerce.database, told);
  const rows = await commerce.database.query('SELECT 1 FROM order_event WHERE store_id = $1 AND id = $2', [
    ...[shop.storeId, told.eventId],
  ]);
  expect(rows.length).toBe(1);
});

it('payments and cancellations of the same orders at once never wait in a circle, and each order has one end', async () => {
  const shop = await orderShop(commerce, 200, 200);
  const orders = await Promise.all(Array.from({ length: 40 }, () => shop.place(shop.cart(1, 2))));
  const ends = orders.flatMap((order) => [
    shop.pay(order.id),
    shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' }),
  ]);
  const statuses = (await Promise.all(ends)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  const paid = (await Promise.all(orders.map((order) => orderNow(shop, order)))).filter(
    (order) => order.paid_total > 0,
  );
  expect(paid.every(({ status }) => status === 'open')).toBe(true);
  expect(await shop.levels()).toEqual([`${200 - paid.length}/0`, `${200 - 2 * paid.length}/0`]);
});
