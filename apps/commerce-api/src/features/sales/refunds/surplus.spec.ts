import { uuidv7 } from '@platform/runtime';
import { until, untilWaiting } from '@platform/testing';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { invoiceOf } from '../../papers/invoice/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Order, OrderEvent } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { settlePayment } from '../payments/public';
import { paymentsInReview } from '../reviews/public';
import { comeBack } from './refund.ends';
import type { Refund } from './refunds.dto';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const at = new Date(NOW);
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const now = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
const refund = async (shop: OrderShop, { id }: Order, body: object) =>
  shop.ask<Refund>('POST', `/order/${id}/refund`, { reason: 'x', method: 'manual', ...body }, uuidv7());

/** Money of an attempt at provider A arrives. */
const arrives = async ({ storeId }: OrderShop, order: Order, attempt: number, amount = order.total) => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $2, 'a', $5, 'IDR', 'pending', $6, $6)`,
    [storeId, id, order.id, attempt, amount, NOW],
  );
  const fact = { amount, currency: 'IDR', paidAt: at };
  return commerce.database.tx((tx) => settlePayment(tx, { storeId, actor: 'provider:a', at }, id, fact));
};

/** An order of two hats for 20,000 with a tax of a tenth in them. */
const taxedOrder = async () => {
  const shop = await orderShop(commerce, 5);
  const order = await shop.place(shop.cart(2));
  const taxed = [shop.storeId, order.id];
  await commerce.database.query('UPDATE sales_order SET tax_total = 2000 WHERE store_id = $1 AND id = $2', taxed);
  await commerce.database.query('UPDATE order_item SET tax = 2000 WHERE store_id = $1 AND order_id = $2', taxed);
  return { shop, order, line: order.items[0]?.id };
};

/** The same, paid twice. */
const paidTwice = async () => {
  const taxed = await taxedOrder();
  const { shop, order } = taxed;
  await arrives(shop, order, 1);
  expect(await arrives(shop, order, 2)).toBe('review');
  return taxed;
};

describe('what was paid too much', () => {
  it('has no part of the tax, and its going back leaves the lines what they are worth', async () => {
    const { shop, order, line } = await paidTwice();
    expect((await refund(shop, order, { amount: 20_000 })).body.data).toMatchObject({ amount: 20_000, tax: 0 });
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', review_reason: null });
    const shares = [];
    for (let piece = 0; piece < 2; piece += 1) {
      const { body } = await refund(shop, order, { lines: [{ order_item_id: line, qty: 1 }] });
      shares.push([body.data.amount, body.data.tax]);
    }
    expect(shares).toEqual([
      [10_000, 1_000],
      [10_000, 1_000],
    ]);
    expect(await now(shop, order)).toMatchObject({ payment_status: 'refunded', refunded_total: 40_000 });
  });

  it('goes back after some of the lines did, all the same', async () => {
    const { shop, order, line } = await paidTwice();
    const lines = [{ order_item_id: line, qty: 1 }];
    expect((await refund(shop, order, { lines })).body.data).toMatchObject({ amount: 10_000, tax: 1_000 });
    expect((await refund(shop, order, { amount: 20_000 })).body.data).toMatchObject({ amount: 20_000, tax: 0 });
    expect((await refund(shop, order, { lines })).body.data).toMatchObject({ amount: 10_000, tax: 1_000 });
  });
});

it('what was given back of an order that was paid in full is no part of what is too much when it is paid again', async () => {
  const shop = await orderShop(commerce, 5);
  const order = await shop.place(shop.cart(2));
  await arrives(shop, order, 1);
  await refund(shop, order, { amount: 5_000 });
  expect(await now(shop, order)).toMatchObject({ payment_status: 'partially_refunded' });
  expect(await arrives(shop, order, 2)).toBe('review');
  const [reviewed] = (await paymentsInReview(commerce.database)).filter(({ order_id }) => order_id === order.id);
  expect(reviewed).toMatchObject({ order_reason: 'overpaid', surplus: 20_000 });
  await refund(shop, order, { amount: 15_000 });
  expect(await now(shop, order)).toMatchObject({ payment_status: 'review', review_reason: 'overpaid' });
  await refund(shop, order, { amount: 5_000 });
  expect(await now(shop, order)).toMatchObject({ payment_status: 'partially_refunded', review_reason: null });
  const lines = [{ order_item_id: order.items[0]?.id, qty: 2 }];
  expect((await refund(shop, order, { lines })).body.data).toMatchObject({ amount: 15_000 });
  expect(await now(shop, order)).toMatchObject({ payment_status: 'refunded', refunded_total: 40_000 });
});

it('what was paid too much pays for no lines of which the price went back without them', async () => {
  const shop = await orderShop(commerce, 5);
  const order = await shop.place(shop.cart(2));
  await arrives(shop, order, 1);
  await refund(shop, order, { amount: 15_000 });
  expect(await arrives(shop, order, 2)).toBe('review');
  const lines = [{ order_item_id: order.items[0]?.id, qty: 1 }];
  expect(await refund(shop, order, { lines })).toMatchObject({
    ...{ status: 422, body: { message: 'lines must be 5000 or less: so much is left of the price' } },
  });
  const all = [{ order_item_id: order.items[0]?.id, qty: 2 }];
  expect((await refund(shop, order, { lines: all })).body.data).toMatchObject({ amount: 5_000 });
  for (const amount of [15_000, 5_000]) expect((await refund(shop, order, { amount })).status).toBe(201);
  expect(await now(shop, order)).toMatchObject({ payment_status: 'refunded', refunded_total: 40_000 });
  const day = NOW.slice(0, 10);
  const sales = (await shop.ask('GET', `/report/sales?from=${day}&to=${day}`)).body.data;
  expect(sales).toEqual([expect.objectContaining({ sales: 20_000, refunded: 20_000, net: 0 })]);
});

it('what was given back of a price stays in the reports of its day when the order is paid again', async () => {
  const shop = await orderShop(commerce, 5);
  const order = await shop.place(shop.cart(2));
  await arrives(shop, order, 1);
  await refund(shop, order, { amount: 5_000 });
  const day = NOW.slice(0, 10);
  const sales = async () => (await shop.ask('GET', `/report/sales?from=${day}&to=${day}`)).body.data;
  const told = [expect.objectContaining({ sales: 20_000, refunded: 5_000, net: 15_000 })];
  expect(await sales()).toEqual(told);
  await arrives(shop, order, 2);
  expect(await sales()).toEqual(told);
  await refund(shop, order, { amount: 20_000 });
  expect(await sales()).toEqual(told);
});

describe('a down payment that was given back', () => {
  const partly = async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await shop.pay(order.id, { amount: 8_000 });
    expect((await refund(shop, order, {})).body.data).toMatchObject({ amount: 8_000 });
    expect(await now(shop, order)).toMatchObject({
      payment_status: 'unpaid',
      paid_total: 8_000,
      refunded_total: 8_000,
    });
    return { shop, order };
  };

  it('has no part of the tax, which what is sold in the end gives back as a whole', async () => {
    const { shop, order, line } = await taxedOrder();
    await arrives(shop, order, 1, 8_000);
    expect((await refund(shop, order, { amount: 5_000 })).body.data).toMatchObject({ amount: 5_000, tax: 0 });
    expect((await refund(shop, order, {})).body.data).toMatchObject({ amount: 3_000, tax: 0 });
    expect(await arrives(shop, order, 2)).toBe('paid');
    const all = await refund(shop, order, { lines: [{ order_item_id: line, qty: 2 }] });
    expect(all.body.data).toMatchObject({ amount: 20_000, tax: 2_000 });
  });

  it('pays nothing any more: the rest alone does not buy the goods', async () => {
    const { shop, order } = await partly();
    expect(await arrives(shop, order, 2, 12_000)).toBe('partially_paid');
    expect(await now(shop, order)).toMatchObject({ payment_status: 'partially_paid', receipt_no: null, paid_at: null });
    expect(await shop.levels()).toEqual(['5/2']);
    expect(await arrives(shop, order, 3, 8_000)).toBe('paid');
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', paid_total: 28_000, paid_at: NOW });
    expect(await shop.levels()).toEqual(['3/0']);
    expect(await arrives(shop, order, 4, 20_000)).toBe('review');
  });

  it('is due again, and one that was paid in full is not', async () => {
    const { shop, order } = await partly();
    expect((await shop.pay(order.id, { amount: 20_001 })).status).toBe(422);
    expect((await shop.pay(order.id)).status).toBe(200);
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', paid_total: 28_000 });
    expect((await refund(shop, order, { amount: 5_000 })).status).toBe(201);
    expect(await shop.pay(order.id)).toMatchObject({ status: 409, body: { code: 'paid' } });
  });

  it('leaves an order to be paid: its buyer may show a transfer, and it is told as owed', async () => {
    const { shop, order } = await partly();
    await shop.pay(order.id, { amount: 12_000 });
    // As much as its total has come by now, and too little of it is there
    expect(await now(shop, order)).toMatchObject({ payment_status: 'partially_paid', paid_total: 20_000 });
    const proof = new FormData();
    proof.append('file', new Blob([new Uint8Array(PNG)]), 'transfer.png');
    expect((await shop.ask('POST', `/order/${order.id}/payment_proof`, proof)).status).toBe(201);
    const { due, paid_total } = await invoiceOf(commerce.database, shop.storeId, order.id);
    expect([due, paid_total]).toEqual([8_000, 12_000]);
    const { total } = (await shop.ask('GET', '/order?view=unpaid')).body.meta as { readonly total: number };
    expect(total).toBe(1);
  });

  it('of which a part was given back is no paid order: nothing of it is to be sent', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await shop.pay(order.id, { amount: 8_000 });
    await refund(shop, order, { amount: 3_000 });
    expect(await now(shop, order)).toMatchObject({ payment_status: 'partially_paid', refunded_total: 3_000 });
    expect((await shop.ask('GET', '/order?view=to_ship')).body.data).toEqual([]);
    expect((await shop.pay(order.id, { amount: 15_001 })).status).toBe(422);
    expect((await shop.pay(order.id)).status).toBe(200);
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', paid_total: 23_000 });
  });

  it('goes back as an amount: no piece of an order that was never paid in full is taken off what is sent', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await shop.pay(order.id, { amount: 10_000 });
    const lines = [{ order_item_id: order.items[0]?.id, qty: 1, restock_to: order.warehouse_id }];
    const refused = { code: 'not_paid', message: expect.stringContaining('give an amount back') as string };
    expect(await refund(shop, order, { lines })).toMatchObject({ status: 409, body: refused });
    expect([await now(shop, order), await shop.levels()]).toMatchObject([{ refunded_total: 0 }, ['5/2']]);
    expect((await shop.pay(order.id)).status).toBe(200);
    expect((await refund(shop, order, { lines })).status).toBe(201);
  });

  it.each([
    [8_000, { payment_status: 'paid', review_reason: null }],
    [15_000, { payment_status: 'review', review_reason: 'overpaid' }],
  ])('and comes back when %d came meanwhile buys the goods, as the payment that completes it', async (rest, stands) => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await arrives(shop, order, 1, 12_000);
    const { id } = (await refund(shop, order, {})).body.data;
    expect(await arrives(shop, order, 2, rest)).toBe('partially_paid');
    const by = { storeId: shop.storeId, actor: 'provider:b', at };
    await commerce.database.tx((tx) => comeBack(tx, by, order.id, { id, why: 'rekening ditutup' }));
    const sold = { ...stands, paid_at: NOW, receipt_no: 'RCP-2026-000001', refunded_total: 0 };
    expect([await now(shop, order), await shop.levels()]).toMatchObject([sold, ['3/0']]);
    const history = async () => (await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body.data;
    await until(history, (events) => events.some(({ type }) => type === 'paid'));
    if (rest === 8_000) return;
    await refund(shop, order, { amount: 7_000 });
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', review_reason: null });
  });

  it('and comes back while somebody sells the goods keeps the books from nobody', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await arrives(shop, order, 1, 12_000);
    const { id } = (await refund(shop, order, {})).body.data;
    await arrives(shop, order, 2, 8_000);
    const by = { storeId: shop.storeId, actor: 'provider:b', at };
    let coming: Promise<void> | undefined;
    await commerce.database.tx(async (tx) => {
      await tx.query('SELECT FROM stock_level WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
      coming = commerce.database.tx((other) => comeBack(other, by, order.id, { id, why: 'rekening ditutup' }));
      await untilWaiting(tx, coming);
      const books = 'SELECT FROM ledger_account WHERE store_id = $1 FOR UPDATE NOWAIT';
      expect((await tx.query(books, [shop.storeId])).length).toBeGreaterThan(0);
    });
    await coming;
    expect(await now(shop, order)).toMatchObject({ payment_status: 'paid', refunded_total: 0 });
  });

  it('reads as given back once its order is cancelled', async () => {
    const { shop, order } = await partly();
    expect((await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' })).status).toBe(200);
    expect(await now(shop, order)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });
});
