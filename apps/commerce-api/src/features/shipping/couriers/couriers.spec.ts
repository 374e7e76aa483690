import { startRajaOngkirSandbox, type RajaOngkirSandbox } from '@platform/testing/shipping';
import { createLogger } from '@platform/runtime';
import { openShipping } from '../../../clients/ship-a';
import { jobQueue } from '../../../jobs';
import { SharedProvider } from '../shared.provider';
import { Parcels } from '../tracking/tracking';
import { startCommerce, type Commerce } from '../../../commerce.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { RateOption } from '../rates/public';

const KEY = 'test-key';
const ORIGIN = 'Coblong, Bandung';
const TEN_MINUTES_MS = 600_000;
const silentLogger = createLogger({ service: 'x', level: 'error', write: () => undefined });
let sandbox: RajaOngkirSandbox;
let commerce: Commerce;
beforeAll(async () => {
  sandbox = await startRajaOngkirSandbox({ port: 0, keys: [KEY] });
  commerce = await startCommerce({ SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: KEY });
});
afterAll(async () => {
  await commerce.stop();
  await sandbox.close();
});

const couriers = [{ code: 'jne', services: ['REG'], markup: { percent_bp: 1_000, fixed: 500 } }, { code: 'pos' }];

/** A shop in Bandung that sends by couriers; `to` is Menteng. */
const courierShop = async (more: object = {}): Promise<OrderShop & { readonly to: string }> => {
  const shop = await orderShop(commerce, 50);
  const ids = async (q: string) =>
    (await shop.ask<{ id: string }[]>('GET', `/ship_a/search?q=${encodeURIComponent(q)}`)).body.data[0]?.id ?? '';
  const origin = await ids(ORIGIN);
  await commerce.database.query(
    `UPDATE warehouse SET address = coalesce(address, '{}') || jsonb_build_object('area_id', $2::text) WHERE store_id = $1`,
    [shop.storeId, origin],
  );
  await shop.ask('PUT', '/shipping/couriers', { couriers, ...more });
  return { ...shop, to: await ids('Menteng, Jakarta') };
};

const offered = async (shop: OrderShop, where: object) => {
  const asked = { items: shop.cart(1).items, ...where };
  const { data } = (await shop.ask<RateOption[]>('POST', '/shipping/rates', asked)).body;
  return data.map(({ name, cost, etd_days }) => [name, cost, etd_days]);
};

const OFFERS = [
  ['POS Pos Reguler', 24_000, '4-5'],
  ['JNE REG', 30_200, '3-4'],
];

it('couriers are offered with the markup of the store, to the id of a place as to its names', async () => {
  const shop = await courierShop();
  expect(await offered(shop, { area_id: shop.to })).toEqual(OFFERS);
  expect(await offered(shop, { destination: 'Menteng, Jakarta' })).toEqual(OFFERS);
  expect(await offered(shop, { destination: 'Bandung' })).toEqual([]);
});

it('what is dear enough is sent for nothing, unless its way is too dear', async () => {
  const shop = await courierShop({ free_shipping: { min_subtotal: 10_000, max_cost: 25_000 } });
  expect(await offered(shop, { area_id: shop.to })).toEqual([['POS Pos Reguler', 0, '4-5'], OFFERS[1]]);
});

it('a used up quota leaves the prices of before, and own methods where there are none', async () => {
  const shop = await courierShop();
  await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir toko', cost: 99_000 });
  const own = ['Kurir toko', 99_000, null];
  expect(await offered(shop, { area_id: shop.to })).toEqual([...OFFERS, own]);
  sandbox.desk.left = 0;
  commerce.clock.advance(TEN_MINUTES_MS);
  expect(await offered(shop, { area_id: shop.to })).toEqual([...OFFERS, own]);
  expect(await offered(shop, { area_id: '50009' })).toEqual([own]);
  sandbox.desk.left = 1_000;
  commerce.clock.advance(-TEN_MINUTES_MS);
});

it('prices are asked for once in ten minutes', async () => {
  const shop = await courierShop();
  await offered(shop, { area_id: shop.to });
  const before = sandbox.desk.requests.length;
  await offered(shop, { area_id: shop.to });
  expect(sandbox.desk.requests.length).toBe(before);
});

it('the couriers of a store are as they were saved, and named once', async () => {
  const shop = await orderShop(commerce, 5);
  const none = { couriers: [], free_shipping: null };
  expect((await shop.ask('GET', '/shipping/couriers')).body.data).toEqual(none);
  const saved = {
    couriers: [{ code: 'jne', services: [], active: false, markup: { percent_bp: 0, fixed: 0 } }],
    free_shipping: { min_subtotal: 1, max_cost: null },
  };
  const body = { couriers: [{ code: 'jne', active: false }], free_shipping: { min_subtotal: 1 } };
  expect((await shop.ask('PUT', '/shipping/couriers', body)).body.data).toEqual(saved);
  expect((await shop.ask('GET', '/shipping/couriers')).body.data).toEqual(saved);
  const twice = await shop.ask('PUT', '/shipping/couriers', { couriers: [{ code: 'jne' }, { code: 'jne' }] });
  expect(twice.body).toMatchObject({ code: 'validation', errors: { 'couriers.1.code': [expect.any(String)] } });
});

it('a parcel is followed until it has arrived; asked twice nothing is added, and cash on delivery is paid once', async () => {
  const shop = await courierShop();
  const [method] = [
    (await shop.ask<{ id: string }>('POST', '/shipping/methods', { kind: 'cod', name: 'COD', cost: 0 })).body.data,
  ];
  const address = { line: 'Jl. Dago 1', city: 'Bandung' };
  const order = { ...shop.cart(1), address, shipping: { method_id: method.id }, payment_method: 'cod' };
  const { id } = (await shop.ask<{ id: string }>('POST', '/order', order)).body.data;
  const sent = await shop.ask<{ id: string }>('POST', `/order/${id}/waybill`, {
    courier: 'jne',
    waybill: 'TRACK-0001',
  });
  const manifest = [{ code: '1', text: 'Manifested', at: '2026-03-01T08:00' }];
  const script = (delivered: boolean) =>
    sandbox.desk.waybills.set('TRACK-0001', {
      waybill: 'TRACK-0001',
      courier: 'jne',
      delivered,
      receiver: 'BUDI',
      manifest,
    });
  const parcels = new Parcels({
    ...{ database: commerce.database, clock: commerce.clock, queue: jobQueue(), logger: silentLogger },
    ...{ cache: { get: async () => null, set: async () => undefined } },
    provider: new SharedProvider({
      ...openShipping({ ...commerce.config, SHIP_A_BASE_URL: sandbox.url, SHIP_A_KEY: KEY }),
      ...{ cache: { increment: async () => 1 }, logger: silentLogger },
    }),
  });
  const track = () => parcels.track(shop.storeId, sent.body.data.id);
  script(false);
  await track();
  await track();
  const events = async () =>
    (
      await commerce.database.query('SELECT line FROM shipment_event WHERE store_id = $1 AND line IS NOT NULL', [
        shop.storeId,
      ])
    ).length;
  expect(await events()).toBe(1);
  script(true);
  await Promise.all([track(), track(), track()]);
  expect(await events()).toBe(1);
  const paid = await commerce.database.query<{ payment_status: string; payments: number }>(
    `SELECT o.payment_status, (SELECT count(*)::int FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id AND p.status = 'paid') AS payments
     FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`,
    [shop.storeId, id],
  );
  expect(paid).toEqual([{ payment_status: 'paid', payments: 1 }]);
  const [tracking] = (await shop.ask<object[]>('GET', `/order/${id}/tracking`)).body.data;
  expect(tracking).toMatchObject({ courier: 'jne', waybill: 'TRACK-0001', delivered: true, received_by: 'BUDI' });
});
