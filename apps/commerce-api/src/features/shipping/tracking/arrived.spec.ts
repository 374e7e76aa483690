import { silentLogger, uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, startScript, until } from '@platform/testing';
import { join } from 'node:path';
import { untilNobodyWorks } from '../../../second-process.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { BANK, comesToPlatform } from '../../sales/refunds/refunds.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { labelOf } from '../labels/label.sql';
import { ARRIVED, completeArrived } from './arrived.orders';
import { doorShop, parcelsOf, says, useTracking, type DoorShop } from './tracking.fixture';

const tracking = useTracking();
const DAY = 86_400_000;
afterEach(async () => expect(await unexplained(tracking.commerce.database)).toEqual([]));

const later = (days: number) => new Date(tracking.commerce.clock.now().getTime() + days * DAY);
const completeAfter = (days: number) =>
  completeArrived({
    ...{ database: tracking.commerce.database, logger: silentLogger },
    clock: { now: () => later(days) },
  });

/** An order that has arrived, and is paid: at the door, or before unless it is said otherwise. */
const arrived = async (shop: DoorShop, { atTheDoor = false, paid = true } = {}): Promise<Order> => {
  const order = atTheDoor ? await shop.atTheDoor([1]) : await shop.order([1]);
  if (!atTheDoor && paid) await shop.pay(order.id);
  const { id, waybill } = await shop.sent(order, [1]);
  says(tracking, waybill ?? '', { delivered: true });
  await parcelsOf(tracking).track(shop.storeId, id);
  return shop.now(order);
};
const states = async (shop: DoorShop, orders: readonly Order[]) =>
  (await Promise.all(orders.map((order) => shop.now(order)))).map(({ status }) => status);
const completions = async ({ storeId }: DoorShop): Promise<number> => {
  const rows = `SELECT 1 FROM order_event WHERE store_id = $1 AND type = 'completed'`;
  return (await tracking.commerce.database.query(rows, [storeId])).length;
};

describe('an order of which everything has arrived', () => {
  it('is completed as many days later as its store says, whether it was paid before or at the door', async () => {
    const [usual, patient] = [await doorShop(tracking, 9), await doorShop(tracking, 9)];
    await patient.ask('PUT', '/settings/order', { version: 0, auto_complete_days: 7 });
    const orders = [await arrived(usual), await arrived(usual, { atTheDoor: true })];
    await usual.ask('POST', '/order/change_status', { order_id: orders[0]?.id, status: 'processing' });
    const theirs = [await arrived(patient, { atTheDoor: true })];
    expect(await completeAfter(2.9)).toBe(0);
    expect([await completeAfter(3), await states(usual, orders)]).toEqual([2, ['completed', 'completed']]);
    expect([await completeAfter(6.9), await states(patient, theirs)]).toEqual([0, ['open']]);
    expect([await completeAfter(7), await states(patient, theirs)]).toEqual([1, ['completed']]);
    expect([await usual.levels(), await completions(usual)]).toEqual([['7/0'], 2]);
  });

  it('is completed behind one that cannot be, for a reason that nobody foresaw', async () => {
    const { database } = tracking.commerce;
    const shop = await doorShop(tracking, 9);
    const [broken, behind] = [await arrived(shop), await arrived(shop)];
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a bug'; END $$;
      CREATE TRIGGER refuses BEFORE UPDATE ON sales_order FOR EACH ROW
        WHEN (NEW.status = 'completed' AND NEW.id = '${broken.id}') EXECUTE FUNCTION refuse()`);
    const completing = completeAfter(3).catch((failure: unknown) => String(failure));
    await completing.finally(() => database.query('DROP FUNCTION refuse() CASCADE'));
    expect([await completing, (await states(shop, [broken, behind])).at(-1)]).toEqual([1, 'completed']);
    expect([await completeAfter(3), await states(shop, [broken])]).toEqual([1, ['completed']]);
  });

  it('is one of which the rest was given up: it is not to be shipped any more, and is completed', async () => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.order([2]);
    await shop.pay(order.id);
    const { id, waybill } = await shop.sent(order, [1]);
    says(tracking, waybill ?? '', { delivered: true });
    await parcelsOf(tracking).track(shop.storeId, id);
    expect((await shop.now(order)).fulfillment_status).toBe('partially_shipped');
    const lines = [{ order_item_id: order.items[0]?.id, qty: 1, restock_to: order.warehouse_id }];
    const body = { method: 'manual', reason: 'Habis', lines };
    expect((await shop.ask('POST', `/order/${order.id}/refund`, body, uuidv7())).status).toBe(201);
    expect((await shop.now(order)).fulfillment_status).toBe('delivered');
    expect((await shop.ask('GET', '/order?view=to_ship')).body.data).toEqual([]);
    expect([await completeAfter(3), await states(shop, [order])]).toEqual([1, ['completed']]);
  });

  it('is paid to whoever brings it what it owes again while money of it is on its way back', async () => {
    const { commerce } = tracking;
    const shop = await doorShop(tracking, 9);
    const order = await shop.atTheDoor([2]);
    await comesToPlatform(commerce, { shop, order, amount: 12_000 });
    const body = { method: 'payout', bank: BANK, reason: 'Salah' };
    expect((await shop.ask('POST', `/order/${order.id}/refund`, body, uuidv7())).status).toBe(201);
    await comesToPlatform(commerce, { shop, order, attempt: 2, amount: order.total - 12_000 });
    const { id, waybill } = await shop.sent(order, [2]);
    expect((await labelOf(commerce.database, shop.storeId, id)).collect).toBe(12_000);
    says(tracking, waybill ?? '', { delivered: true });
    await parcelsOf(tracking).track(shop.storeId, id);
    const paid = { fulfillment_status: 'delivered', payment_status: 'paid', paid_total: order.total + 12_000 };
    expect([await shop.now(order), await completeAfter(3)]).toMatchObject([paid, 1]);
  });

  it('is completed when a part of its money was given back, and not while money of it is owed', async () => {
    const shop = await doorShop(tracking, 9);
    const [refunded, owed] = [await arrived(shop), await arrived(shop, { paid: false })];
    await tracking.commerce.database.query(
      `UPDATE sales_order SET payment_status = 'partially_refunded', refunded_total = 1 WHERE store_id = $1 AND id = $2`,
      [shop.storeId, refunded.id],
    );
    expect([await completeAfter(3), await states(shop, [refunded, owed])]).toEqual([1, ['completed', 'open']]);
  });

  it('is not completed while a part of it is on its way, came back, or arrived too lately', async () => {
    const shop = await doorShop(tracking, 20);
    const orders = await Promise.all(Array.from({ length: 3 }, () => shop.order([2])));
    for (const [at, second] of [{ delivered: false }, { status: 'RETURNED' }, { delivered: true }].entries()) {
      const order = orders[at] as Order;
      await shop.pay(order.id);
      const [one, other] = [await shop.sent(order, [1]), await shop.sent(order, [1])];
      says(tracking, one.waybill ?? '', { delivered: true });
      says(tracking, other.waybill ?? '', second);
      await parcelsOf(tracking).track(shop.storeId, one.id);
      if (at === 2) tracking.commerce.clock.advance(DAY);
      await parcelsOf(tracking).track(shop.storeId, other.id);
    }
    expect([await completeAfter(2.9), await states(shop, orders)]).toEqual([0, ['open', 'open', 'open']]);
    expect([await completeAfter(3), await states(shop, orders)]).toEqual([1, ['open', 'open', 'completed']]);
  });

  it('is completed once, however many processes look for it at once', async () => {
    const shop = await doorShop(tracking, 100);
    const orders: Order[] = [];
    for (let at = 0; at < 12; at += 1) orders.push(await arrived(shop, { atTheDoor: at % 2 === 0 }));
    const counts = await Promise.all([completeAfter(3), completeAfter(3), completeAfter(3)]);
    expect([counts.reduce((sum, count) => sum + count), await completions(shop)]).toEqual([12, 12]);
    expect(new Set(await states(shop, orders))).toEqual(new Set(['completed']));
  });

  it('that a killed process has begun to complete is completed by the next one, once', async () => {
    const shop = await doorShop(tracking, 500);
    const [first] = [await arrived(shop, { atTheDoor: true })];
    // As many more as take a while, each with its parcel
    await tracking.commerce.database.query(
      `WITH more AS (
         INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, fulfillment_status, buyer, payment_method,
           currency, search_text, total, paid_total, placed_at, created_at, updated_at)
         SELECT store_id, uuidv7(), number || n, channel, 'open', 'paid', 'delivered', buyer, payment_method, currency, '', 0, 0, placed_at, created_at, updated_at
         FROM sales_order, generate_series(1, 150) n WHERE store_id = $1 AND id = $2 RETURNING store_id, id, created_at)
       INSERT INTO shipment (store_id, id, order_id, direction, warehouse_id, status, created_at, updated_at)
       SELECT store_id, uuidv7(), id, 'out', $3, 'delivered', created_at, created_at FROM more`,
      [shop.storeId, first.id, shop.main],
    );
    const env = { DATABASE_URL: tracking.commerce.database.url, AT: later(3).toISOString() };
    for (const least of [1, 40]) {
      const child = startScript(join(__dirname, 'arrived.child.ts'), env);
      await until(async () => (await completions(shop)) >= least);
      await child.stop();
      await untilNobodyWorks(tracking.commerce);
    }
    const left = 151 - (await completions(shop));
    expect([await completeAfter(3), await completions(shop)]).toEqual([left, 151]);
    expect(left).toBeGreaterThan(0);
  });

  it('is found by index', async () => {
    const found = explain(tracking.commerce.database, ARRIVED, [later(3), []]);
    expectNoSeqScan(await found, 'sales_order', 'shipment');
  });
});
