import { invalid, refused } from '../../../asked.fixture';
import { bearer, newMember, useCommerce } from '../../../commerce.fixture';
import type { Order } from '../orders/orders.dto';
import { orderShop } from '../orders/orders.fixture';

const commerce = useCommerce();
const MISMATCH = 'Idempotency-Key was used with a different payment';

/** A shop with an order of 20,000, and who records money for it under a key. */
const waiting = async () => {
  const shop = await orderShop(commerce, 9);
  const order = await shop.place(shop.cart(2));
  const { token } = await newMember(commerce, shop.storeId, 'admin');
  const pay = async (key: string, more: object, { id } = order, who = token) => {
    const body = { order_id: id, status: 'paid', method: 'cash', ...more };
    const answer = await commerce.post(
      '/api/order/change_payment_status',
      body,
      bearer(who, { 'idempotency-key': key }),
    );
    return { status: answer.status, body: answer.body as { data: Order } };
  };
  const paidTotal = async ({ id } = order): Promise<number> =>
    (await shop.ask<Order>('GET', `/order/${id}`)).body.data.paid_total;
  return { shop, order, pay, paidTotal };
};

describe('a payment by hand under a key', () => {
  it('is recorded once, however often and at once it is asked for, also when the order has more payments by then', async () => {
    const { pay, paidTotal } = await waiting();
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay('till-1', { amount: 5_000 })));
    expect(answers.map(({ status, body }) => [status, body.data.paid_total])).toEqual(Array(5).fill([200, 5_000]));
    expect((await pay('till-2', {})).body.data).toMatchObject({ paid_total: 20_000, payment_status: 'paid' });
    for (const [key, more] of [['till-1', { amount: 5_000 }] as const, ['till-2', {}] as const]) {
      const { status, body } = await pay(key, more);
      expect([status, body.data.paid_total, body.data.payments.length]).toEqual([200, 20_000, 2]);
    }
    expect(await paidTotal()).toBe(20_000);
  });

  it('is refused when it was another payment, and belongs to one order and one person', async () => {
    const { shop, pay, paidTotal } = await waiting();
    await pay('till-1', { amount: 5_000 });
    for (const more of [{ amount: 5_001 }, { amount: 5_000, method: 'transfer' }])
      expect(await pay('till-1', more)).toEqual(refused(409, 'idempotency_mismatch', MISMATCH));
    const { token } = await newMember(commerce, shop.storeId, 'admin');
    const other = await shop.place(shop.cart(1));
    await pay('till-1', { amount: 1 }, other);
    await pay('till-1', { amount: 2 }, other, token);
    expect([await paidTotal(), await paidTotal(other)]).toEqual([5_000, 3]);
    expect(await pay('a b', {})).toEqual(
      invalid('idempotency-key', 'idempotency-key must be 1 to 255 printable characters'),
    );
  });

  it('that was taken back is not recorded again', async () => {
    const { shop, order, pay, paidTotal } = await waiting();
    await pay('till-1', {});
    await shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status: 'unpaid' });
    expect([(await pay('till-1', {})).status, await paidTotal()]).toEqual([200, 0]);
    expect([(await pay('till-2', {})).status, await paidTotal()]).toEqual([200, 20_000]);
  });
});
