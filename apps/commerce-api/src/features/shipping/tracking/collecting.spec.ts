import { startScript, until } from '@platform/testing';
import { join } from 'node:path';
import type { Order } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { doorShop, KEY, parcelsOf, says, useTracking, type DoorShop } from './tracking.fixture';

/** Beside other processes, whose clocks are the real ones. */
const tracking = useTracking(new Date().toISOString());
afterEach(async () => expect(await unexplained(tracking.commerce.database)).toEqual([]));

const paidOf = ({ payment_status, paid_total, payments }: Order) => [
  payment_status,
  paid_total,
  payments.filter(({ status }) => status === 'paid').length,
];
const complete = async (shop: DoorShop, { id }: Order) => {
  for (const status of ['processing', 'completed'])
    await shop.ask('POST', '/order/change_status', { order_id: id, status });
};
/** The service once more, as far as it follows parcels; it goes on until it is killed. */
const secondFollower = (storeId: string, shipments: readonly string[]) =>
  startScript(join(__dirname, 'tracking.child.ts'), {
    ...{ DATABASE_URL: tracking.commerce.database.url, SHIP_A_BASE_URL: tracking.sandbox.url, SHIP_A_KEY: KEY },
    ...{ STORE: storeId, SHIPMENTS: shipments.join() },
  });

describe('cash on delivery', () => {
  it('is paid when the last parcel has arrived, not with the first, and its goods left the shelf when they were sent', async () => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.atTheDoor([3]);
    const [one, other] = [await shop.sent(order, [1]), await shop.sent(order, [2])];
    expect(await shop.levels()).toEqual(['6/0']);
    const arrives = async ({ id, waybill }: typeof one) => {
      says(tracking, waybill ?? '', { delivered: true });
      await parcelsOf(tracking).track(shop.storeId, id);
    };
    await arrives(one);
    expect([...paidOf(await shop.now(order)), await shop.fulfillment(order)]).toEqual([
      ...['unpaid', 0, 0, 'partially_delivered'],
    ]);
    await arrives(other);
    expect([...paidOf(await shop.now(order)), await shop.fulfillment(order)]).toEqual([
      ...['paid', 35_000, 1, 'delivered'],
    ]);
    expect(await shop.levels()).toEqual(['6/0']);
  });

  it('is paid when somebody completes its order, whose parcels have arrived by that', async () => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.atTheDoor([3]);
    const { id, waybill } = await shop.sent(order, [3]);
    await complete(shop, order);
    expect([(await shop.now(order)).status, ...paidOf(await shop.now(order))]).toEqual([
      'completed',
      'paid',
      35_000,
      1,
    ]);
    says(tracking, waybill ?? '', { delivered: true });
    await parcelsOf(tracking).track(shop.storeId, id);
    expect(paidOf(await shop.now(order))).toEqual(['paid', 35_000, 1]);
  });

  it('is paid once when two processes hear of the arrival while somebody completes the order and takes its money', async () => {
    const shop = await doorShop(tracking, 500);
    const orders = await Promise.all(Array.from({ length: 12 }, () => shop.atTheDoor([2])));
    const parcels = await Promise.all(orders.map((order) => shop.sent(order, [2])));
    for (const { waybill } of parcels) says(tracking, waybill ?? '', { delivered: true });
    const ids = parcels.map(({ id }) => id);
    const other = secondFollower(shop.storeId, ids);
    await until(() => tracking.sandbox.desk.requests.length > 0);
    const mine = parcelsOf(tracking);
    await Promise.all([
      ...ids.map((id) => mine.track(shop.storeId, id)),
      ...orders.map((order) => complete(shop, order)),
      ...orders.map(({ id }) => shop.pay(id, { method: 'cod' })),
    ]);
    await other.stop();
    for (const id of ids) await mine.track(shop.storeId, id);
    const now = await Promise.all(orders.map((order) => shop.now(order)));
    expect(now.map((order) => [order.fulfillment_status, ...paidOf(order)])).toEqual(
      orders.map(() => ['delivered', 'paid', 25_000, 1]),
    );
  });

  it('of which a process is killed at any moment is paid once by the next one', async () => {
    const shop = await doorShop(tracking, 500);
    const orders = await Promise.all(Array.from({ length: 20 }, () => shop.atTheDoor([1])));
    const parcels = await Promise.all(orders.map((order) => shop.sent(order, [1])));
    for (const { waybill } of parcels) says(tracking, waybill ?? '', { delivered: true });
    const paid = `SELECT 1 FROM sales_order WHERE store_id = $1 AND payment_status = 'paid'`;
    const { database } = tracking.commerce;
    for (const least of [1, 7]) {
      const follower = secondFollower(
        shop.storeId,
        parcels.map(({ id }) => id),
      );
      await until(async () => (await database.query(paid, [shop.storeId])).length >= least);
      await follower.stop();
    }
    for (const { id } of parcels) await parcelsOf(tracking).track(shop.storeId, id);
    const now = await Promise.all(orders.map((order) => shop.now(order)));
    expect(now.map(paidOf)).toEqual(orders.map(() => ['paid', 15_000, 1]));
    const heard = 'SELECT count(*)::int AS lines FROM shipment_event WHERE store_id = $1 AND line IS NOT NULL';
    expect(await database.query(heard, [shop.storeId])).toEqual([{ lines: 20 }]);
  });

  it.each(['RETURNED', 'RETURNED TO SHIPPER', 'Retur', 'RETURN TO SHIPPER', 'RETURN DELIVERED', 'return to origin'])(
    'that comes back as %s is paid by nobody, also beside a parcel that arrives, and its goods can be booked back',
    async (status) => {
      const shop = await doorShop(tracking, 9);
      const order = await shop.atTheDoor([3]);
      const [back, there] = [await shop.sent(order, [1]), await shop.sent(order, [2])];
      // Some couriers call it delivered when its sender has it
      says(tracking, back.waybill ?? '', { delivered: true, status });
      says(tracking, there.waybill ?? '', { delivered: true });
      for (const { id } of [back, there, back]) await parcelsOf(tracking).track(shop.storeId, id);
      const now = await shop.now(order);
      expect([now.fulfillment_status, ...paidOf(now)]).toEqual(['partially_delivered', 'unpaid', 0, 0]);
      const shipments = now.shipments.map((shipment) => [shipment.waybill, shipment.status]);
      expect(shipments).toEqual([
        [back.waybill, 'returned'],
        [there.waybill, 'delivered'],
      ]);
      const taken = await shop.ship(order, [1], { direction: 'return' });
      expect([taken.status, await shop.levels(), await shop.fulfillment(order)]).toEqual([
        ...[201, ['7/0'], 'partially_returned'],
      ]);
    },
  );

  it('is left to a provider with whom an attempt is under way, and the parcel has arrived all the same', async () => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.atTheDoor([1]);
    const { id, waybill } = await shop.sent(order, [1]);
    await tracking.commerce.database.query(
      `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
       VALUES ($1, uuidv7(), $2, 1, uuidv7(), 'b', 15000, 'IDR', 'pending', now(), now())`,
      [shop.storeId, order.id],
    );
    says(tracking, waybill ?? '', { delivered: true });
    await parcelsOf(tracking).track(shop.storeId, id);
    expect([await shop.fulfillment(order), ...paidOf(await shop.now(order))]).toEqual(['delivered', 'unpaid', 0, 0]);
  });
});
