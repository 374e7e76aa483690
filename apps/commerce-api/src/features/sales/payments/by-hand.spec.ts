import { registrationsOf } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { auditedIn, invalid, refused, succeeded } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import type { Order, OrderEvent } from '../orders/orders.dto';
import type { Payment, PaymentRow } from './payments.dto';
import { paymentListing } from './payments.sql';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const text = expect.any(String) as string;
const paymentOf = ({ id }: Order, amount: number, more: object = {}) => ({
  ...{
    id: text,
    order_id: id,
    provider: 'cash',
    invoice_id: null,
    invoice_number: null,
    provider_ref: null,
    channel: null,
    amount,
    fee: 0,
  },
  ...{
    currency: 'IDR',
    status: 'paid',
    url: null,
    expires_at: null,
    paid_at: NOW,
    review_reason: null,
    created_at: NOW,
  },
  ...more,
});
const orderNow = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
const historyOf = async (shop: OrderShop, { id }: Order): Promise<string[]> =>
  (await shop.ask<OrderEvent[]>('GET', `/order/${id}/history`)).body.data.map(
    (event) => `${event.type}: ${event.text}`,
  );
const reverse = (shop: OrderShop, { id }: Order, more: object = {}) =>
  shop.ask<Order>('POST', '/order/change_payment_status', { order_id: id, status: 'unpaid', ...more });
/** As a provider's module will open one. */
const gatewayPayment = (shop: OrderShop, { id }: Order, status: string) =>
  commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
     VALUES ($1, $2, $3, 77, $2, 'a', 1, 'IDR', $4, $5, $5)`,
    [shop.storeId, uuidv7(), id, status, NOW],
  );

describe('a payment recorded by hand', () => {
  it('pays an order: its goods leave the shelf, it has a receipt, and the timeline and the audit log tell of it', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    const paid = {
      ...{ ...order, payment_status: 'paid', paid_total: 20_000, paid_at: NOW, receipt_no: 'RCP-2026-000001' },
      ...{ pay_expires_at: null, pay_url: null, version: 2, payments: [paymentOf(order, 20_000)] },
    };
    expect(await shop.pay(order.id, { note: 'kasir' })).toEqual(succeeded(200, 'Order updated', paid));
    expect(await orderNow(shop, order)).toEqual(paid);
    expect(await shop.levels()).toEqual(['3/0']);
    expect(
      await until(
        () => historyOf(shop, order),
        (told) => told.length === 3,
      ),
    ).toEqual(['placed: Order placed', 'payment: 20000 IDR by cash: kasir', 'paid: Paid, receipt RCP-2026-000001']);
    expect(await auditedIn(commerce, shop.storeId)).toEqual([
      'order.write order: number, total',
      'payment.record order: method, note, paid_total',
    ]);
  });

  it('is in the list of payments by its order, provider and state, and shows what happened to it', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await shop.pay(order.id, { method: 'transfer', paid_at: '2026-03-01T01:00:00+07:00' });
    const payment = paymentOf(order, 20_000, { provider: 'transfer', paid_at: '2026-02-28T18:00:00.000Z' });
    const listed = async (query: string) => (await shop.ask<PaymentRow[]>('GET', `/payment${query}`)).body.data;
    for (const query of ['', `?order_id=${order.id}`, '?provider=transfer&status=paid', '?from=2026-03-01'])
      expect(await listed(query)).toEqual([payment]);
    for (const query of ['?provider=cash', '?status=pending', '?to=2026-02-28'])
      expect(await listed(query)).toEqual([]);
    const [{ id = '' } = {}] = await listed('');
    const events = [{ at: NOW, type: 'paid', text: '20000 IDR by transfer', actor: text }];
    expect(await shop.ask('GET', `/payment/${id}`)).toEqual(succeeded(200, 'OK', { ...payment, events }));
  });

  it('of less than is due is a down payment: the goods stay held until the rest has come', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    const first = (await shop.pay(order.id, { amount: 5_000 })).body.data;
    expect(first).toMatchObject({
      ...{ payment_status: 'partially_paid', paid_total: 5_000, receipt_no: null, paid_at: null, pay_expires_at: null },
      payments: [paymentOf(order, 5_000)],
    });
    expect(await shop.levels()).toEqual(['5/2']);
    expect(await shop.pay(order.id, { amount: 15_001 })).toEqual(
      invalid('amount', 'amount must be 15000 or less: that is due'),
    );
    expect((await shop.pay(order.id, { method: 'transfer' })).body.data).toMatchObject({
      ...{ payment_status: 'paid', paid_total: 20_000, receipt_no: 'RCP-2026-000001' },
      payments: [paymentOf(order, 5_000), paymentOf(order, 15_000, { provider: 'transfer' })],
    });
    expect(await shop.levels()).toEqual(['3/0']);
  });

  it('is refused without a method, of nothing, of tomorrow, for an order that is paid or was cancelled', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(1));
    expect(await shop.pay(order.id, { method: undefined })).toEqual(invalid('method', 'method is a required field'));
    expect(await shop.pay(order.id, { amount: 0 })).toEqual(invalid('amount', 'amount must be 1 or greater'));
    expect(await shop.pay(order.id, { paid_at: '2026-03-02' })).toEqual(
      invalid('paid_at', 'paid_at must not be in the future'),
    );
    await shop.pay(order.id);
    expect(await shop.pay(order.id)).toEqual(refused(409, 'paid', 'The order is paid'));
    const gone = await shop.place(shop.cart(1));
    await shop.ask('POST', `/order/${gone.id}/cancel`, { reason: 'Batal' });
    expect(await shop.pay(gone.id)).toEqual(
      refused(409, 'invalid_transition', 'It is cancelled: that cannot be done with it now'),
    );
    expect(await shop.levels()).toEqual(['4/0']);
  });

  it('is none of a payment that is with a provider, and takes none of those back', async () => {
    const shop = await orderShop(commerce, 5);
    const [waiting, paid] = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
    await gatewayPayment(shop, waiting, 'pending');
    await gatewayPayment(shop, paid, 'paid');
    const told = refused(409, 'gateway_payment', 'The payment is with a provider, which tells of it itself');
    expect([await shop.pay(waiting.id), await reverse(shop, paid)]).toEqual([told, told]);
  });

  it('is taken once of twenty at once', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.pay(order.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
    expect([(await orderNow(shop, order)).payments.length, await shop.levels()]).toEqual([1, ['3/0']]);
  });

  it('of another store is not found', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const order = await shop.place(shop.cart(1));
    const paid = (await shop.pay(order.id)).body.data;
    const unknown = refused(404, 'not_found', 'Order not found');
    expect([await theirs.pay(order.id), await reverse(theirs, order)]).toEqual([unknown, unknown]);
    expect(await theirs.ask('GET', `/payment/${paid.payments[0]?.id}`)).toEqual(
      refused(404, 'not_found', 'Payment not found'),
    );
    expect((await theirs.ask('GET', '/payment')).body.data).toEqual([]);
  });
});

describe('taking payments by hand back', () => {
  it('holds the goods again, and the receipt keeps its number for the next payment', async () => {
    const shop = await orderShop(commerce, 5);
    const order = await shop.place(shop.cart(2));
    await shop.pay(order.id, { amount: 1 });
    await shop.pay(order.id);
    const back = (await reverse(shop, order, { note: 'salah order' })).body.data;
    expect(back).toEqual({
      ...{ ...order, version: 4, receipt_no: 'RCP-2026-000001' },
      payments: [paymentOf(order, 1, { status: 'reversed' }), paymentOf(order, 19_999, { status: 'reversed' })],
    });
    expect(await shop.levels()).toEqual(['5/2']);
    expect((await shop.pay(order.id)).body.data).toMatchObject({
      payment_status: 'paid',
      receipt_no: 'RCP-2026-000001',
    });
    expect((await shop.pay((await shop.place(shop.cart(1))).id)).body.data.receipt_no).toBe('RCP-2026-000002');
    expect(await shop.levels()).toEqual(['2/0']);
    const events = (await shop.ask<Payment>('GET', `/payment/${back.payments[0]?.id}`)).body.data.events;
    expect(events.map((event) => `${event.type}: ${event.text}`)).toEqual([
      'paid: 1 IDR by cash',
      'reversed: salah order',
    ]);
  });

  it('gives the use of a coupon back to be held, and then to be free', async () => {
    const shop = await orderShop(commerce, 5);
    const coupon = { code: 'SALE', kind: 'fixed', value: 100 };
    const { id } = (await shop.ask<{ id: string }>('POST', '/coupon', coupon)).body.data;
    const state = async () =>
      (await shop.ask<{ state: string }[]>('GET', `/coupon/${id}/usages`)).body.data.map((use) => use.state);
    const order = await shop.place({ ...shop.cart(1), coupon: 'SALE' });
    const states = [await state()];
    await shop.pay(order.id);
    states.push(await state());
    await reverse(shop, order);
    states.push(await state());
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    states.push(await state());
    expect(states).toEqual([['held'], ['used'], ['held'], ['released']]);
    expect(await shop.levels()).toEqual(['5/0']);
  });

  it('is refused where there is none', async () => {
    const shop = await orderShop(commerce, 5);
    expect(await reverse(shop, await shop.place(shop.cart(1)))).toEqual(
      refused(409, 'invalid_transition', 'It is unpaid: that cannot be done with it now'),
    );
  });
});

it('an order that costs nothing is paid when it is placed, without a payment, and its goods are back when it is cancelled', async () => {
  const shop = await orderShop(commerce, 5);
  await shop.ask('POST', '/coupon', { code: 'FREE', kind: 'percent', value: 100 });
  const order = await shop.place({ ...shop.cart(2), coupon: 'FREE' });
  expect(order).toMatchObject({
    ...{ total: 0, paid_total: 0, payment_status: 'paid', paid_at: NOW, receipt_no: 'RCP-2026-000001' },
    ...{ pay_expires_at: null, payments: [] },
  });
  expect(await shop.levels()).toEqual(['3/0']);
  expect((await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' })).status).toBe(200);
  expect(await shop.levels()).toEqual(['5/0']);
});

it('receipts of 50 payments at once have 50 numbers without a gap, and those of another store begin anew', async () => {
  const [shop, theirs] = [await orderShop(commerce, 100), await orderShop(commerce, 1)];
  const orders = await Promise.all(Array.from({ length: 50 }, () => shop.place(shop.cart(1))));
  const mixed = orders.flatMap(({ id }) => [shop.pay(id), shop.pay(id, { amount: 10_001 })]);
  const other = theirs.pay((await theirs.place(theirs.cart(1))).id);
  const numbers = (await Promise.all(mixed)).flatMap(({ status, body }) =>
    status === 200 ? [body.data.receipt_no] : [],
  );
  const expected = Array.from({ length: 50 }, (_, at) => `RCP-2026-${String(at + 1).padStart(6, '0')}`);
  expect(numbers.sort()).toEqual(expected);
  expect((await other).body.data.receipt_no).toBe('RCP-2026-000001');
});

it('change_payment_status is registered twice, and the last registration answers', async () => {
  const shop = await orderShop(commerce, 5);
  const listed = registrationsOf(commerce.app).filter(({ path }) => path === '/api/order/change_payment_status');
  expect(listed.map(({ endpoint }) => endpoint.summary)).toEqual([
    'First registration, shadowed',
    'Record manual payment or reversal (effective)',
  ]);
  const { id } = await shop.place(shop.cart(1));
  expect(await shop.ask('POST', '/order/change_payment_status', { order_id: id, status: 'paid' })).toEqual(
    invalid('method', 'method is a required field'),
  );
});

it('lists of payments are served by indexes', async () => {
  for (const { text: statement, values } of [
    ...Object.values(paymentListing.statements(uuidv7(), { seen: undefined })),
    ...Object.values(paymentListing.statements(uuidv7(), { order_id: uuidv7(), status: 'paid', seen: undefined })),
  ])
    expectNoSeqScan(await explain(commerce.database, statement, values), 'payment');
});
