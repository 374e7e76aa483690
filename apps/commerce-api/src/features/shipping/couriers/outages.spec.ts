import { createLogger } from '@platform/runtime';
import { refused } from '../../../asked.fixture';
import { openShipping } from '../../../clients/ship-a';
import { jobQueue } from '../../../jobs';
import { cartLines } from '../../sales/carts/public';
import { bearer, startCommerce } from '../../../commerce.fixture';
import { basketOf, buyerOf, CONTACT, optionsOf } from '../../checkout/checkout.fixture';
import type { CartView } from '../../checkout/sessions/sessions.dto';
import type { Order } from '../../sales/orders/orders.dto';
import type { OrderShop } from '../../sales/orders/orders.fixture';
import { placeOf, type RateOption } from '../rates/public';
import { composeShipping } from '../shipping.composition';
import { courierShop, KEY, useCouriers } from './couriers.fixture';

const couriered = useCouriers({ TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links' });
afterEach(() => {
  Object.assign(couriered.sandbox.desk, { fault: 'none', left: 100_000 });
});
const OWN = { kind: 'flat', name: 'Kurir toko', cost: 99_000 };
const ADDRESS = { line: 'Jl. Cikini 1', district: 'Menteng', city: 'Jakarta Pusat' };
const EXPIRED = refused(
  409,
  'quote_expired',
  'The price of the shipping is not good for this any more: ask for the options again',
);
const names = (options: readonly RateOption[]) => options.map(({ name, cost }) => `${name} ${cost}`);
const offered = async (shop: OrderShop, where: object) => {
  const asked = { items: shop.cart(1).items, ...where };
  return names((await shop.ask<RateOption[]>('POST', '/shipping/rates', asked)).body.data);
};

describe('a cart that couriers bring', () => {
  const cart = async () => {
    const shop = await courierShop(couriered.commerce);
    await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Sari' });
    const basket = await basketOf(couriered.commerce, shop, [1]);
    const ask = buyerOf(couriered.commerce);
    await ask('PUT', `${basket.path}/address`, { buyer: CONTACT, address: ADDRESS });
    const options = await optionsOf(couriered.commerce, basket.path);
    const choose = (more: object = {}) => {
      const [{ quote_id, option } = {}] = options as Partial<RateOption>[];
      return ask<CartView>('PUT', `${basket.path}/shipping`, { quote_id, option, ...more });
    };
    return { ...basket, shop, options, choose };
  };

  it('is sent at the price of the quote, whatever the browser says', async () => {
    const { shop, options, choose, place } = await cart();
    expect(names(options)).toEqual(['POS Pos Reguler 24000', 'JNE REG 30200']);
    expect((await choose({ cost: 1 })).body).toMatchObject({
      code: 'validation',
      errors: { cost: [expect.any(String)] },
    });
    expect((await choose()).body.data).toMatchObject({ shipping_total: 24_000, total: 34_000 });
    expect((await place(10_001, { payment_method: 'transfer' })).body.code).toBe('total_changed');
    expect((await place(34_000, { payment_method: 'transfer' })).status).toBe(201);
    const [order] = (await shop.ask<Order[]>('GET', '/order')).body.data;
    expect(order).toMatchObject({
      shipping_total: 24_000,
      total: 34_000,
      shipping: { kind: 'courier', courier: 'pos' },
    });
  });

  it('is refused when ten minutes are over', async () => {
    const { choose, place } = await cart();
    await choose();
    couriered.commerce.clock.advance(600_000);
    expect([await choose(), await place(34_000, { payment_method: 'transfer' })]).toEqual([EXPIRED, EXPIRED]);
    couriered.commerce.clock.advance(-600_000);
  });
});

describe('an area id alone', () => {
  it('goes by own methods that are limited to its city, as a quote and as a method that is named', async () => {
    const shop = await courierShop(couriered.commerce, { couriers: [] });
    const method = { ...OWN, areas: ['bandung'] };
    const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
    const [area_id, far] = [await shop.areaId('Cicendo, Bandung'), shop.to];
    expect([await offered(shop, { area_id }), await offered(shop, { area_id: far })]).toEqual([
      ['Kurir toko 99000'],
      [],
    ]);
    const place = (to: string) => {
      const body = { ...shop.cart(1), address: { line: 'Jl. 1', area_id: to }, shipping: { method_id } };
      return shop.ask<Order>('POST', '/order', body);
    };
    const placed = await place(area_id);
    expect(placed.body.data).toMatchObject({
      shipping_total: 99_000,
      address: { area_id, district: 'Cicendo', city: 'Bandung', province: 'Jawa Barat', postcode: '40172' },
    });
    expect((await place(far)).body).toMatchObject({
      code: 'validation',
      errors: { 'shipping.method_id': [expect.any(String)] },
    });
  });

  it('fits a quote that was asked for by its names', async () => {
    const shop = await courierShop(couriered.commerce);
    const asked = { items: shop.cart(1).items, destination: 'Menteng, Jakarta Pusat' };
    const [{ quote_id, option } = {}] = (await shop.ask<Partial<RateOption>[]>('POST', '/shipping/rates', asked)).body
      .data;
    const body = { ...shop.cart(1), address: { line: 'Jl. 1', area_id: shop.to }, shipping: { quote_id, option } };
    expect((await shop.ask<Order>('POST', '/order', body)).body.data).toMatchObject({ shipping_total: 24_000 });
  });
});

describe('while the provider', () => {
  it.each(['error', 'nonsense', 'hang'] as const)(
    'answers with %s, own methods answer and its own routes say so',
    async (fault) => {
      const shop = await courierShop(couriered.commerce);
      await shop.ask('POST', '/shipping/methods', OWN);
      couriered.sandbox.desk.fault = fault;
      expect(await offered(shop, { destination: `Gubeng, Surabaya` })).toEqual(['Kurir toko 99000']);
      const cost = { origin: '50001', destination: '50008', weight_g: 7_000, couriers: ['jne'] };
      for (const answer of [
        await shop.ask('GET', `/ship_a/search?q=Sanur-${fault}`),
        await shop.ask('POST', '/ship_a/cost', cost),
        await shop.ask('POST', '/ship_a/waybill', { waybill: 'X-12345', courier: 'jne' }),
      ])
        expect([answer.status, answer.body.code]).toEqual(
          fault === 'hang' ? [504, 'provider_timeout'] : [502, 'provider_error'],
        );
    },
  );

  it('has no quota left, what it told before is told again for a day, then own methods are left', async () => {
    const shop = await courierShop(couriered.commerce);
    await shop.ask('POST', '/shipping/methods', OWN);
    const before = await offered(shop, { area_id: shop.to });
    couriered.sandbox.desk.left = 0;
    couriered.commerce.clock.advance(600_000);
    expect(await offered(shop, { area_id: shop.to })).toEqual(before);
    expect(await offered(shop, { area_id: '50010' })).toEqual(['Kurir toko 99000']);
    couriered.commerce.clock.advance(-600_000);
  });

  it('is asked for weights and couriers that cannot be, nobody asks it', async () => {
    const shop = await courierShop(couriered.commerce);
    const before = couriered.sandbox.desk.requests.length;
    const token = couriered.commerce.storeAuth.userToken({ store_id: shop.storeId });
    for (const text of ['1e999', '-1', '0', '150001', '1.5', '"1"', 'null']) {
      const body = `{"origin":"1","destination":"2","weight_g":${text},"couriers":["jne"]}`;
      const headers = { ...bearer(token), 'content-type': 'application/json' };
      const answer = await fetch(`${couriered.commerce.url}/api/ship_a/cost`, { method: 'POST', body, headers });
      expect([text, answer.status]).toEqual([text, 422]);
    }
    expect(couriered.sandbox.desk.requests.length).toBe(before);
  });

  it('its key is in no line of the log and in no answer', async () => {
    const shop = await courierShop(couriered.commerce);
    couriered.sandbox.desk.fault = 'error';
    const answer = await shop.ask('GET', '/ship_a/search?q=Kota+rahasia');
    expect(answer.status).toBe(502);
    expect([JSON.stringify(answer), ...couriered.commerce.lines].filter((text) => text.includes(KEY))).toEqual([]);
    expect(couriered.sandbox.desk.requests.filter((asked) => JSON.stringify(asked).includes(KEY))).toEqual([]);
  });
});

it('a store that has used up its share of the day ships by its own methods, and others by couriers', async () => {
  const commerce = await startCommerce({
    ...{ SHIP_A_BASE_URL: couriered.sandbox.url, SHIP_A_KEY: KEY, SHIP_A_STORE_DAILY: '16' },
  });
  try {
    const [noisy, quiet] = [await courierShop(commerce), await courierShop(commerce)];
    await noisy.ask('POST', '/shipping/methods', OWN);
    for (let at = 0; at < 8; at += 1) await noisy.ask('GET', `/ship_a/search?q=nowhere-${at}`);
    const refusedNow = await noisy.ask('GET', '/ship_a/search?q=nowhere-9');
    expect([refusedNow.status, refusedNow.body.code]).toEqual([429, 'rate_limited']);
    expect(await offered(noisy, { area_id: '50010' })).toEqual(['Kurir toko 99000']);
    expect(await offered(quiet, { area_id: quiet.to })).toHaveLength(2);
  } finally {
    await commerce.stop();
  }
});

it('without a provider, as in production without a key, couriers cannot be chosen and are not offered, and the start says so', async () => {
  const { config, app, clock } = couriered.commerce;
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'warn', write: (line) => lines.push(line) });
  const couriers = openShipping({ ...config, APP_ENV: 'production', SHIP_A_KEY: undefined });
  const cache = { get: async () => null, set: async () => undefined, increment: async () => 1 } as never;
  const parts = { database: app.database, clock, logger, cache, queue: jobQueue(), cursors: undefined as never };
  const area = composeShipping({ ...parts, live: undefined as never, couriers });
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'SHIP_A_KEY is missing: no couriers are offered, and shops send by methods of their own alone',
  ]);
  const put = (area.endpoints ?? []).find(({ path, method }) => path === '/api/shipping/couriers' && method === 'put');
  const choose = () => put?.handle({ body: { couriers: [{ code: 'jne' }] } } as never);
  await expect(Promise.resolve().then(choose)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'provider_unavailable',
  });
  const shop = await courierShop(couriered.commerce);
  await shop.ask('POST', '/shipping/methods', OWN);
  const goods = await cartLines(app.database, shop.storeId, shop.cart(1).items as never);
  const offers = await area.told.rates.offersFor(shop.storeId, { lines: goods, place: placeOf({ area_id: shop.to }) });
  expect([offers.map(({ name }) => name), lines.length]).toEqual([['Kurir toko'], 1]);
});
