import { silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain, startScript, until } from '@platform/testing';
import { join } from 'node:path';
import { refused } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { untilNobodyWorks } from '../../../second-process.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Coupon } from '../coupons/coupons.dto';
import { DUE, UnpaidOrders } from './order-expiry';
import type { Order, OrderEvent } from './orders.dto';
import { orderShop, type OrderShop } from './orders.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const HOUR_MS = 3_600_000;
const later = (hours: number) => ({ now: () => new Date(Date.parse(NOW) + hours * HOUR_MS) });
const runAfter = (hours: number): Promise<number> => {
  const { database } = commerce;
  return new UnpaidOrders({ database, clock: later(hours), logger: silentLogger }).cancel();
};
const orderNow = async (shop: OrderShop, { id }: Order): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${id}`)).body.data;

describe('an order that nobody pays', () => {
  it('is cancelled when its time is over, and its stock and the use of its coupon are free again', async () => {
    const shop = await orderShop(commerce, 5);
    const coupon = { code: 'SALE', kind: 'fixed', value: 100, usage_limit: 1 };
    const { id } = (await shop.ask<Coupon>('POST', '/coupon', coupon)).body.data;
    const order = await shop.place({ ...shop.cart(2), coupon: 'SALE' });
    expect(order.pay_expires_at).toBe('2026-03-02T08:00:00.000Z');
    await runAfter(23.99);
    expect(await orderNow(shop, order)).toEqual(order);
    await runAfter(24);
    const at = '2026-03-02T08:00:00.000Z';
    expect(await orderNow(shop, order)).toEqual({
      ...{
        ...order,
        status: 'cancelled',
        payment_status: 'expired',
        cancelled_at: at,
        ...{ pay_expires_at: null, pay_url: null },
        version: 2,
      },
    });
    expect(await shop.levels()).toEqual(['5/0']);
    expect((await shop.ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count).toBe(0);
    expect((await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body.data.at(-1)).toEqual({
      ...{ at, type: 'cancelled', text: 'Nobody has paid in time', actor: 'order.cancel-unpaid' },
    });
  });

  it('has the time that its store gives it; one that is paid at the door, has a down payment or is worked on has no end', async () => {
    const shop = await orderShop(commerce, 50);
    const atTheDoor = await shop.place({ ...shop.cart(1), payment_method: 'cod' });
    const [begun, worked] = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
    await shop.ask('PUT', '/settings/order', { version: 0, cancel_unpaid_hours: 2 });
    const short = await shop.place(shop.cart(1));
    await shop.pay(begun.id, { amount: 1 });
    await shop.ask('POST', '/order/change_status', { order_id: worked.id, status: 'processing' });
    await runAfter(3);
    expect((await orderNow(shop, short)).status).toBe('cancelled');
    await runAfter(10_000);
    const states = await Promise.all(
      [atTheDoor, begun, worked].map(async (order) => (await orderNow(shop, order)).status),
    );
    expect(states).toEqual(['open', 'open', 'processing']);
  });

  it('is cancelled once, however many processes look for it at once', async () => {
    const shop = await orderShop(commerce, 100);
    const orders = await Promise.all(Array.from({ length: 25 }, () => shop.place(shop.cart(1))));
    const counts = await Promise.all([runAfter(24), runAfter(24), runAfter(24)]);
    await runAfter(24);
    expect(counts.reduce((sum, count) => sum + count)).toBe(25);
    const events = await commerce.database.query(
      `SELECT 1 FROM order_event WHERE store_id = $1 AND type = 'cancelled'`,
      [shop.storeId],
    );
    expect([orders.length, events.length, await shop.levels()]).toEqual([25, 25, ['100/0']]);
  });

  it('is left to whoever pays it at that moment', async () => {
    const shop = await orderShop(commerce, 50);
    const orders = await Promise.all(Array.from({ length: 20 }, () => shop.place(shop.cart(1))));
    const [, ...answers] = await Promise.all([runAfter(24), ...orders.map(({ id }) => shop.pay(id))]);
    await runAfter(24);
    // Money that was too late has opened its order again
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const now = await Promise.all(orders.map((order) => orderNow(shop, order)));
    expect(new Set(now.map(({ status, payment_status }) => `${status} ${payment_status}`))).toEqual(
      new Set(['open paid']),
    );
    expect(await shop.levels()).toEqual(['30/0']);
  });

  it('behind more that cannot be cancelled than come at once is cancelled all the same', async () => {
    const shop = await orderShop(commerce, 50);
    const orders = await Promise.all(Array.from({ length: 10 }, () => shop.place(shop.cart(1))));
    const last = await shop.place(shop.cart(1));
    const first = orders.map(({ id }) => id);
    const earlier = `UPDATE sales_order SET pay_expires_at = pay_expires_at - interval '1 hour' WHERE store_id = $1 AND id = ANY ($2)`;
    await commerce.database.query(earlier, [shop.storeId, first]);
    await commerce.database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
      CREATE TRIGGER refuses BEFORE UPDATE ON sales_order FOR EACH ROW
        WHEN (NEW.status = 'cancelled' AND NEW.id = ANY ('{${first.join()}}'::uuid[])) EXECUTE FUNCTION refuse()`);
    try {
      await runAfter(24);
    } finally {
      await commerce.database.query('DROP TRIGGER refuses ON sales_order; DROP FUNCTION refuse()');
    }
    expect((await orderNow(shop, last)).status).toBe('cancelled');
    await runAfter(24);
    expect(await shop.levels()).toEqual(['50/0']);
  });

  it('of a store with thousands waits for its turn: a few of every store come first', async () => {
    const [big, small] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const [one, other] = [await big.place(big.cart(1)), await small.place(small.cart(1))];
    await commerce.database.query(
      `INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, buyer, payment_method, currency, search_text,
         pay_expires_at, created_at, updated_at)
       SELECT store_id, uuidv7(), number || n, channel, status, payment_status, buyer, payment_method, currency, '',
         pay_expires_at - interval '1 hour', created_at, updated_at
       FROM sales_order, generate_series(1, 3000) n WHERE store_id = $1 AND id = $2`,
      [big.storeId, one.id],
    );
    await commerce.database.query('VACUUM ANALYZE sales_order');
    const due = await commerce.database.query<{ store_id: string; id: string }>(DUE, [later(24).now(), []]);
    const of = ({ storeId }: OrderShop) => due.filter(({ store_id }) => store_id === storeId).length;
    expect([of(big), of(small)]).toEqual([10, 1]);
    expectNoSeqScan(await explain(commerce.database, DUE, [later(24).now(), []]), 'sales_order');
    expect((await orderNow(small, other)).status).toBe('open');
    await commerce.database.query('DELETE FROM sales_order WHERE store_id = $1 AND id <> $2', [big.storeId, one.id]);
  });
});

describe('money that comes after the time of an order', () => {
  const expired = async (pieces: number) => {
    const shop = await orderShop(commerce, pieces);
    const order = await shop.place(shop.cart(2));
    await runAfter(24);
    return { shop, order };
  };

  it('opens it again where the goods are still there', async () => {
    const { shop, order } = await expired(5);
    expect((await shop.pay(order.id)).body.data).toMatchObject({
      ...{
        status: 'open',
        payment_status: 'paid',
        review_reason: null,
        cancelled_at: null,
        receipt_no: 'RCP-2026-000001',
      },
    });
    expect(await shop.levels()).toEqual(['3/0']);
  });

  it('puts it aside where they are gone, and processing takes them when there are some again', async () => {
    const { shop, order } = await expired(2);
    const others = await shop.place(shop.cart(1));
    expect((await shop.pay(order.id)).body.data).toMatchObject({
      ...{ status: 'open', payment_status: 'review', review_reason: 'stock', paid_total: 20_000 },
    });
    expect(await shop.levels()).toEqual(['2/1']);
    const process = () => shop.ask<Order>('POST', '/order/change_status', { order_id: order.id, status: 'processing' });
    expect(await process()).toEqual(
      refused(409, 'out_of_stock', 'There is not enough stock', {
        lines: [{ variant_id: shop.variants[0], warehouse_id: order.warehouse_id, available: 1 }],
      }),
    );
    await shop.ask('POST', `/order/${others.id}/cancel`, { reason: 'Batal' });
    expect((await process()).body.data).toMatchObject({
      status: 'processing',
      payment_status: 'paid',
      review_reason: null,
    });
    expect(await shop.levels()).toEqual(['0/0']);
  });

  it('taken back again cancels it as before, when its goods were gone', async () => {
    const { shop, order } = await expired(2);
    await shop.place(shop.cart(1));
    await shop.pay(order.id);
    const back = { order_id: order.id, status: 'unpaid' };
    expect((await shop.ask<Order>('POST', '/order/change_payment_status', back)).body.data).toMatchObject({
      ...{ status: 'cancelled', payment_status: 'expired', paid_total: 0, review_reason: null },
    });
    expect(await shop.levels()).toEqual(['2/1']);
  });

  it('takes the use of its coupon again, where one is left', async () => {
    const shop = await orderShop(commerce, 9);
    const coupon = { code: 'SALE', kind: 'fixed', value: 100, usage_limit: 1 };
    const { id } = (await shop.ask<Coupon>('POST', '/coupon', coupon)).body.data;
    const used = async () => (await shop.ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count;
    const first = await shop.place({ ...shop.cart(1), coupon: 'SALE' });
    await runAfter(24);
    const second = await shop.place({ ...shop.cart(1), coupon: 'SALE' });
    await runAfter(24);
    await shop.pay(second.id);
    expect(await used()).toBe(1);
    expect((await shop.pay(first.id)).body.data).toMatchObject({ payment_status: 'paid', total: 9_900 });
    expect(await used()).toBe(1);
  });
});

it('what a killed process has begun to cancel is finished by the next one, each order once', async () => {
  const shop = await orderShop(commerce, 500);
  await Promise.all(Array.from({ length: 60 }, () => shop.place(shop.cart(1))));
  const cancelled = async (): Promise<number> => {
    const rows = `SELECT 1 FROM order_event WHERE store_id = $1 AND type = 'cancelled'`;
    return (await commerce.database.query(rows, [shop.storeId])).length;
  };
  const env = { DATABASE_URL: commerce.database.url, AT: later(24).now().toISOString() };
  const child = startScript(join(__dirname, 'order-expiry.child.ts'), env);
  await until(cancelled);
  await child.stop();
  await untilNobodyWorks(commerce);
  const left = 60 - (await cancelled());
  expect([await runAfter(24), await cancelled(), await shop.levels()]).toEqual([left, 60, ['500/0']]);
});
