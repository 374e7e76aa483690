import { silentLogger, uuidv7 } from '@platform/runtime';
import { until, untilWaiting } from '@platform/testing';
import type { Writer } from '../../../by';
import { NOW, useCommerce } from '../../../commerce.fixture';
import type { Shipment } from '../../shipping/parcels/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Coupon } from '../coupons/coupons.dto';
import { UnpaidOrders } from '../orders/order-expiry';
import type { Order, OrderEvent } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { comeBack } from '../refunds/refund.ends';
import { endAttempts } from './attempts';
import { recountOrders } from './recount';
import { settlePayment } from './settle';
import { goOnWaiting } from './waiting';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const DAY_MS = 86_400_000;
const tomorrow = { now: () => new Date(Date.parse(NOW) + DAY_MS) };

interface Late {
  readonly shop: OrderShop;
  readonly order: Order;
  /** Its pieces on the shelf. */
  stock(counted: number): Promise<void>;
  now(): Promise<Order>;
  uses(): Promise<string[]>;
}

/** An order of two hats with a coupon whose time was over, and whose hats were sold to somebody else meanwhile. */
const late = async (): Promise<Late> => {
  const shop = await orderShop(commerce, 2);
  const coupon = { code: 'SALE', kind: 'fixed', value: 100 };
  const { id } = (await shop.ask<Coupon>('POST', '/coupon', coupon)).body.data;
  const order = await shop.place({ ...shop.cart(2), coupon: 'SALE' });
  const { database } = commerce;
  await new UnpaidOrders({ database, clock: tomorrow, logger: silentLogger }).cancel();
  const [{ id: warehouse } = { id: '' }] = (await shop.ask<{ id: string }[]>('GET', '/warehouse')).body.data;
  const stock = async (counted: number) => {
    const lines = [{ variant_id: shop.variants[0], counted }];
    expect((await shop.ask('PUT', `/warehouse/${warehouse}/stock`, { lines })).status).toBe(200);
  };
  await stock(0);
  return {
    ...{ shop, order, stock },
    now: async () => (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data,
    uses: async () => {
      const rows = await database.query<{ use: string }>(
        `SELECT r.state || ' ' || c.used_count AS use FROM coupon_redemption r
           JOIN coupon c ON c.store_id = r.store_id AND c.id = r.coupon_id WHERE r.store_id = $1 AND c.id = $2`,
        [shop.storeId, id],
      );
      return rows.map(({ use }) => use);
    },
  };
};

const operatorIn = (storeId: string): Writer => {
  const [actor, at] = ['operator', new Date(NOW)];
  return { storeId, actor, at, audit: { tenantId: storeId, actor: { id: actor, name: actor, kind: 'operator' }, at } };
};

type OfOrder = Pick<Late, 'shop' | 'order'>;
const attemptOf = async ({ shop, order }: OfOrder, attempt: number): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $2, 'a', $5, 'IDR', 'pending', $6, $6)`,
    [shop.storeId, id, order.id, attempt, order.total, NOW],
  );
  return id;
};
const settle = ({ shop, order }: OfOrder, id: string) =>
  commerce.database.tx((tx) =>
    settlePayment(tx, { storeId: shop.storeId, actor: 'provider:a', at: new Date(NOW) }, id, {
      ...{ amount: order.total, currency: 'IDR', paidAt: new Date(NOW) },
    }),
  );
const paidEvents = async ({ shop, order }: Late): Promise<number> => {
  const { data } = (await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body;
  return data.filter(({ type }) => type === 'paid').length;
};
const processing = ({ shop, order }: OfOrder) =>
  shop.ask<Order>('POST', '/order/change_status', { order_id: order.id, status: 'processing' });
const pack = ({ shop, order }: OfOrder, qty: number, warehouse_id: string | null) =>
  shop.ask<Shipment>('POST', '/shipping/shipments', {
    ...{ order_id: order.id, lines: [{ order_item_id: order.items[0]?.id, qty }], warehouse_id },
  });

describe('an order that was opened again by late money, without its goods', () => {
  it('sells them with the rest of its money, and its coupon is used', async () => {
    const it = await late();
    await it.shop.pay(it.order.id, { amount: 5_000 });
    expect([(await it.now()).review_reason, await it.uses()]).toEqual(['stock', ['released 0']]);
    await it.stock(3);
    await it.shop.pay(it.order.id);
    expect([(await it.now()).payment_status, await it.uses()]).toEqual(['paid', ['used 1']]);
    expect(await it.shop.levels()).toEqual(['1/0']);
  });

  it('sells them when it is paid a second time: whoever waits for that is told once', async () => {
    const it = await late();
    expect(await settle(it, await attemptOf(it, 1))).toBe('review');
    await it.stock(3);
    expect(await settle(it, await attemptOf(it, 2))).toBe('review');
    expect(await it.now()).toMatchObject({
      review_reason: 'overpaid',
      paid_total: 39_800,
      receipt_no: 'RCP-2026-000001',
    });
    expect([await it.uses(), await it.shop.levels()]).toEqual([['used 1'], ['1/0']]);
    expect(await until(() => paidEvents(it))).toBe(1);
  });

  it('is paid, and not too much, when what was too much went back before there were any', async () => {
    const it = await late();
    for (const attempt of [1, 2]) expect(await settle(it, await attemptOf(it, attempt))).toBe('review');
    const back = { method: 'manual', reason: 'Dua kali', amount: it.order.total };
    await it.shop.ask('POST', `/order/${it.order.id}/refund`, back, uuidv7());
    expect(await it.now()).toMatchObject({ payment_status: 'review', review_reason: 'stock' });
    await it.stock(3);
    expect((await processing(it)).status).toBe(200);
    expect(await it.now()).toMatchObject({ payment_status: 'paid', review_reason: null });
    expect(await it.shop.levels()).toEqual(['1/0']);
  });

  it('lacks them still when its money was given back, and comes back', async () => {
    const it = await late();
    await it.shop.pay(it.order.id);
    const back = { method: 'manual', reason: 'Habis' };
    const { id } = (await it.shop.ask<{ id: string }>('POST', `/order/${it.order.id}/refund`, back, uuidv7())).body
      .data;
    expect((await it.now()).payment_status).toBe('refunded');
    const by = { storeId: it.shop.storeId, actor: 'provider:b', at: new Date(NOW) };
    await commerce.database.tx((tx) => comeBack(tx, by, it.order.id, { id, why: 'rekening ditutup' }));
    expect(await it.now()).toMatchObject({ payment_status: 'review', review_reason: 'stock', refunded_total: 0 });
  });

  it('stays without its goods when a part of its money has come late, and goes back', async () => {
    const it = await late();
    await it.shop.pay(it.order.id, { amount: 5_000 });
    await it.shop.ask('POST', `/order/${it.order.id}/refund`, { method: 'manual', reason: 'Habis' }, uuidv7());
    const lacking = { status: 'open', payment_status: 'review', review_reason: 'stock' };
    expect(await it.now()).toMatchObject(lacking);
    const before = `UPDATE sales_order SET payment_status = 'refunded', review_reason = NULL WHERE store_id = $1`;
    await commerce.database.query(before, [it.shop.storeId]);
    await recountOrders(commerce.database, operatorIn);
    expect(await it.now()).toMatchObject(lacking);
    await it.shop.ask('POST', `/order/${it.order.id}/cancel`, { reason: 'Habis' });
    const over = { status: 'cancelled', payment_status: 'refunded', review_reason: null };
    expect([await it.now(), await it.shop.levels()]).toMatchObject([over, ['0/0']]);
  });

  it('takes no more of them from the shelf than it sells, when they were packed before it is worked on', async () => {
    const it = await late();
    await it.shop.pay(it.order.id);
    await it.stock(7);
    expect((await pack(it, 1, it.order.warehouse_id)).status).toBe(201);
    expect(await it.shop.levels()).toEqual(['7/1']);
    expect((await processing(it)).status).toBe(200);
    expect([(await it.now()).payment_status, await it.shop.levels()]).toEqual(['paid', ['6/1']]);
    await pack(it, 1, it.order.warehouse_id);
    await it.shop.ask('POST', '/order/change_status', { order_id: it.order.id, status: 'completed' });
    expect([(await it.now()).fulfillment_status, await it.shop.levels()]).toEqual(['delivered', ['5/0']]);
  });

  it('is worked on also when all of them were sent, or unpacked again', async () => {
    const [sent, unpacked] = [await late(), await late()];
    for (const each of [sent, unpacked]) {
      await each.shop.pay(each.order.id);
      await each.stock(2);
    }
    const { shop, order } = sent;
    const waybill = { courier: 'JNE', waybill: 'JP12345678' };
    expect((await shop.ask('POST', `/order/${order.id}/waybill`, waybill)).status).toBe(200);
    expect((await processing(sent)).status).toBe(200);
    expect([(await sent.now()).payment_status, await shop.levels(), await sent.uses()]).toEqual([
      ...['paid', ['0/0'], ['used 1']],
    ]);
    const { id } = (await pack(unpacked, 2, unpacked.order.warehouse_id)).body.data;
    await unpacked.shop.ask('POST', `/shipping/shipments/${id}/cancel`);
    expect((await processing(unpacked)).status).toBe(200);
    expect(await unpacked.shop.levels()).toEqual(['0/0']);
  });

  it('that are held for it again waits for them before it takes its coupon, as whoever places an order', async () => {
    const { shop, order, stock } = await late();
    await shop.pay(order.id);
    await stock(2);
    const { id } = (await pack({ shop, order }, 2, order.warehouse_id)).body.data;
    await shop.ask('POST', `/shipping/shipments/${id}/cancel`);
    const { sold } = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT FROM stock_level WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
      const selling = processing({ shop, order });
      await untilWaiting(tx, selling);
      await tx.query('SELECT FROM coupon WHERE store_id = $1 FOR UPDATE NOWAIT', [shop.storeId]);
      return { sold: selling };
    });
    expect((await sold).status).toBe(200);
  });

  it('is cancelled again when the money is taken back, and holds nothing; what is packed or sent is not', async () => {
    const [unpacked, packed] = [await late(), await late()];
    for (const each of [unpacked, packed]) {
      await each.shop.pay(each.order.id);
      await each.stock(2);
    }
    const { id } = (await pack(unpacked, 1, unpacked.order.warehouse_id)).body.data;
    await unpacked.shop.ask('POST', `/shipping/shipments/${id}/cancel`);
    await pack(packed, 1, packed.order.warehouse_id);
    const ends: unknown[] = [];
    for (const each of [unpacked, packed]) {
      const change = { order_id: each.order.id, status: 'unpaid' };
      expect((await each.shop.ask('POST', '/order/change_payment_status', change)).status).toBe(200);
      const { status, payment_status, review_reason } = await each.now();
      ends.push([status, payment_status, review_reason, await each.shop.levels()]);
    }
    expect(ends).toEqual([
      ['cancelled', 'expired', null, ['2/0']],
      ['open', 'unpaid', null, ['2/1']],
    ]);
  });
});

/** An open order whose payment at a provider has lapsed. */
const lapsed = async () => {
  const shop = await orderShop(commerce, 2);
  const order = await shop.place({ ...shop.cart(2), payment_method: 'transfer' });
  const attempt = await attemptOf({ shop, order }, 1);
  const by = { storeId: shop.storeId, actor: 'provider:a', at: new Date(NOW) };
  const { database } = commerce;
  await database.query(`UPDATE sales_order SET payment_status = 'pending' WHERE store_id = $1`, [shop.storeId]);
  await database.tx((tx) => endAttempts(tx, by, [attempt], { status: 'expired', text: 'Lapsed', pollAt: null }));
  const now = async () => (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data;
  expect(await now()).toMatchObject({ status: 'open', payment_status: 'expired' });
  return { shop, order, attempt, by, now };
};

describe('an open order whose payment at a provider has lapsed', () => {
  it('is not sold by late money once somebody has cancelled it: the money is to be looked at', async () => {
    const { shop, order, attempt, now } = await lapsed();
    await shop.ask('POST', '/order/change_status', { order_id: order.id, status: 'cancelled' });
    expect(await now()).toMatchObject({ status: 'cancelled', payment_status: 'unpaid' });
    expect(await shop.pay(order.id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await settle({ shop, order }, attempt)).toBe('review');
    expect(await now()).toMatchObject({ status: 'cancelled', payment_status: 'review', review_reason: 'cancelled' });
    expect(await shop.levels()).toEqual(['2/0']);
  });

  it('can be edited as any other that nobody has paid', async () => {
    const { shop, order, now } = await lapsed();
    const { version } = await now();
    const edited = await shop.ask<Order>('PUT', `/order/${order.id}`, { version, ...shop.cart(1) });
    expect([edited.status, edited.body.data.total, await shop.levels()]).toEqual([200, 10_000, ['2/1']]);
  });

  it('waits no longer for what was shown for it and was none', async () => {
    const { shop, order, by, now } = await lapsed();
    const soon = new Date(Date.parse(NOW) + 60_000);
    await commerce.database.tx((tx) => goOnWaiting(tx, by, order.id, soon));
    expect((await now()).pay_expires_at).toBe(soon.toISOString());
    expect(await shop.levels()).toEqual(['2/2']);
  });
});
