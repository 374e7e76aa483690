import { silentLogger } from '@platform/runtime';
import { expectNoSeqScan, explain, startScript, until } from '@platform/testing';
import { join } from 'node:path';
import { jobQueue } from '../../../jobs';
import { untilNobodyWorks } from '../../../second-process.fixture';
import type { Shipment } from '../parcels/public';
import { Parcels } from './tracking';
import { DUE } from './tracking.sql';
import { doorShop, parcelsOf, says, useTracking, type DoorShop } from './tracking.fixture';

const tracking = useTracking();
const HOUR = 3_600_000;
const later = (hours: number) => new Date(tracking.commerce.clock.now().getTime() + hours * HOUR);

/** What becomes due at a time, as a process of the service has it; the runner of the service asks about it. */
const dueAfter = (hours: number): Promise<void> =>
  new Parcels({
    ...{ database: tracking.commerce.database, queue: jobQueue(), logger: silentLogger },
    ...{ cache: { get: async () => null, set: async () => undefined }, provider: undefined as never },
    clock: { now: () => later(hours) },
  }).due();

const sent = async (shop: DoorShop, pieces: number, known = true): Promise<Shipment[]> => {
  const order = await shop.order([pieces]);
  const parcels: Shipment[] = [];
  for (let at = 0; at < pieces; at += 1) parcels.push(await shop.sent(order, [1]));
  for (const { waybill } of parcels) if (known) says(tracking, waybill ?? '');
  return parcels;
};
/** How often the courier was asked about each of them. */
const asked = (parcels: readonly Shipment[]) =>
  parcels.map(({ waybill }) => tracking.sandbox.desk.requests.filter(({ body }) => body.awb === waybill).length);
const nextOf = async ({ storeId }: DoorShop): Promise<number[]> => {
  const rows = await tracking.commerce.database.query<{ at: Date }>(
    'SELECT next_track_at AS at FROM shipment WHERE store_id = $1 ORDER BY id',
    [storeId],
  );
  return rows.map(({ at }) => (at.getTime() - tracking.commerce.clock.now().getTime()) / HOUR);
};
/** Until its runner has nothing left to ask. */
const settled = () =>
  until(
    async () =>
      (await tracking.commerce.database.query(`SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key LIKE 'track:%'`))
        .length === 0,
  );

describe('a parcel on its way', () => {
  it('is asked about with the last digits of its buyer’s number, and without any when they were erased and others would be taken for them', async () => {
    const shop = await doorShop(tracking, 20);
    const parcels = [...(await sent(shop, 1)), ...(await sent(shop, 1))];
    const [first = '', second = ''] = parcels.map(({ order_id }) => order_id);
    const write = `UPDATE sales_order SET buyer = buyer || jsonb_build_object('phone', $3::text) WHERE store_id = $1 AND id = $2`;
    await tracking.commerce.database.query(write, [shop.storeId, first, '6281234567890']);
    await tracking.commerce.database.query(write, [shop.storeId, second, '6281******890']);
    await dueAfter(0);
    await settled();
    const digits = parcels.map(
      ({ waybill }) => tracking.sandbox.desk.requests.find(({ body }) => body.awb === waybill)?.body.last_phone_number,
    );
    expect(digits).toEqual(['67890', undefined]);
  });

  it('is asked about once however many processes look, again after 3 hours, and every hour from the day on which it is to come', async () => {
    const shop = await doorShop(tracking, 20);
    const parcels = await sent(shop, 5);
    await Promise.all([dueAfter(0), dueAfter(0), dueAfter(0)]);
    await settled();
    expect([asked(parcels), await nextOf(shop)]).toEqual([Array(5).fill(1), Array(5).fill(3)]);
    await dueAfter(2.9);
    await settled();
    expect(asked(parcels)).toEqual(Array(5).fill(1));
    await dueAfter(3);
    await settled();
    expect([asked(parcels), await nextOf(shop)]).toEqual([Array(5).fill(2), Array(5).fill(6)]);
    // Nobody said when it would come: on the third day
    await dueAfter(48);
    await settled();
    expect(await nextOf(shop)).toEqual(Array(5).fill(49));
    await dueAfter(61 * 24);
    await settled();
    expect([asked(parcels), await nextOf(shop)]).toEqual([Array(5).fill(3), Array(5).fill(49)]);
  });

  it('is asked about by its day of the quote', async () => {
    const shop = await doorShop(tracking, 5);
    const parcels = await sent(shop, 1);
    await tracking.commerce.database.query(
      `UPDATE sales_order SET shipping = '{"kind":"courier","etd":"4-5"}' WHERE store_id = $1`,
      [shop.storeId],
    );
    for (const hours of [0, 72]) {
      await dueAfter(hours);
      await settled();
    }
    expect([asked(parcels), await nextOf(shop)]).toEqual([[2], [75]]);
    await dueAfter(96);
    expect(await nextOf(shop)).toEqual([97]);
    await settled();
  });

  it.each([
    ['is late', true, [0, 1, 71, 72, 95, 96, 167, 168, 311, 312, 1400], [3, 3, 1, 1, 1, 3, 3, 12, 12, 24, 24]],
    ['nobody knows', false, [0, 47, 48, 167, 168, 1400], [3, 3, 12, 12, 24, 24]],
  ] as const)('that %s is asked about less and less', async (_, known, times, every) => {
    const shop = await doorShop(tracking, 5);
    await sent(shop, 1, known);
    const waited: number[] = [];
    await dueAfter(0);
    await settled();
    for (const hours of times) {
      await tracking.commerce.database.query('UPDATE shipment SET next_track_at = NULL WHERE store_id = $1', [
        shop.storeId,
      ]);
      await dueAfter(hours);
      waited.push(((await nextOf(shop))[0] ?? 0) - hours);
      await settled();
    }
    expect(waited).toEqual(every);
  });

  it('of a store that has asked too often waits an hour, and its job has not failed', async () => {
    const shop = await doorShop(tracking, 5);
    const parcels = await sent(shop, 1);
    await parcelsOf(tracking, undefined, 10_000).track(shop.storeId, parcels[0]?.id ?? '');
    expect([asked(parcels), await nextOf(shop)]).toEqual([[0], [1]]);
  });

  it('is not asked about when it is packed, back, without a waybill or arrived', async () => {
    const shop = await doorShop(tracking, 20);
    const parcels = await sent(shop, 3);
    for (const [at, change] of [`status = 'delivered'`, `status = 'returned'`, `direction = 'return'`].entries())
      await tracking.commerce.database.query(`UPDATE shipment SET ${change} WHERE store_id = $1 AND id = $2`, [
        shop.storeId,
        parcels[at]?.id,
      ]);
    const order = await shop.order([2]);
    await shop.ship(order, [1]);
    await dueAfter(0);
    await settled();
    expect(asked(parcels)).toEqual([0, 0, 0]);
  });

  it('of a store with thousands leaves the others their turn', async () => {
    const [big, small] = [await doorShop(tracking, 9), await doorShop(tracking, 9)];
    const [one] = await sent(big, 1);
    await sent(small, 1);
    const { database } = tracking.commerce;
    await database.query(
      `INSERT INTO shipment (store_id, id, order_id, direction, warehouse_id, status, courier, waybill, created_at, updated_at)
       SELECT store_id, uuidv7(), order_id, direction, warehouse_id, status, courier, waybill || n, created_at, updated_at
       FROM shipment, generate_series(1, 3000) n WHERE store_id = $1 AND id = $2`,
      [big.storeId, one?.id],
    );
    await database.query('VACUUM ANALYZE shipment');
    const due = await database.query<{ store_id: string }>(DUE, [later(0)]);
    const of = ({ storeId }: DoorShop) => due.filter(({ store_id }) => store_id === storeId).length;
    expect([of(big), of(small)]).toEqual([50, 1]);
    expectNoSeqScan(await explain(database, DUE, [later(0)]), 'shipment', 'sales_order');
    await database.query(`UPDATE shipment SET status = 'cancelled' WHERE store_id = $1 AND id <> $2`, [
      big.storeId,
      one?.id,
    ]);
  });

  it('whose question a killed process was about to put is asked about by the next one, once', async () => {
    for (const round of [0, 1]) {
      const shop = await doorShop(tracking, 50);
      const parcels = await sent(shop, 15);
      const env = { DATABASE_URL: tracking.commerce.database.url, AT: later(0).toISOString() };
      const child = startScript(join(__dirname, 'due.child.ts'), env);
      if (round === 1) await until(() => asked(parcels).some((times) => times > 0));
      await child.stop();
      await untilNobodyWorks(tracking.commerce);
      await dueAfter(0);
      await settled();
      expect(asked(parcels)).toEqual(Array(15).fill(1));
    }
  });
});
