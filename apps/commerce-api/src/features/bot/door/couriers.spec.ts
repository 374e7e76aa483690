import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { succeeded } from '../../../asked.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { courierShop, useCouriers, type CourierShop } from '../../shipping/couriers/couriers.fixture';
import type { BotOrder } from './door.dto';
import { callBot, SECRET } from './door.fixture';

const couriered = useCouriers({ ENGINE_BOT_SECRET: SECRET });
afterEach(() => {
  couriered.sandbox.desk.fault = 'none';
});

const couriers = [{ code: 'jne' }, { code: 'pos', services: ['Pos Reguler'] }];
const TO_MENTENG = { name: 'Budi', address: 'Jl. Cikini 1', destination: 'Menteng, Jakarta Pusat' };

/** A shop in Bandung that sends by couriers, within Bandung by itself, and takes transfers. */
const botShop = async (): Promise<CourierShop> => {
  const shop = await courierShop(couriered.commerce, { couriers }, 50);
  const method = { kind: 'flat', name: 'Kurir toko', cost: 15_000, areas: ['Bandung'] };
  await shop.ask('POST', '/shipping/methods', method);
  await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Sari' });
  return shop;
};
const wanted = ({ storeId }: CourierShop, more: object = {}) => ({
  ...{ idStore: storeId, idUser: '0812-3456-7890', instanceID: 'dev1', items: [{ sku: 'HAT-0', quantity: 1 }] },
  ...{ customer: TO_MENTENG, idempotencyKey: uuidv7(), ...more },
});
const checkout = (body: object) => callBot<BotOrder>(couriered.commerce, 'POST', '/create-checkout', body);
const dry = (shop: CourierShop, more: object = {}) =>
  checkout(wanted(shop, { dryRun: true, idempotencyKey: undefined, ...more }));
const orderOf = async (shop: CourierShop, { body }: Awaited<ReturnType<typeof checkout>>) =>
  (await shop.ask<Order>('GET', `/order/number/${body.data.orderNumber}`)).body.data;
const TOTALS = { subtotal: 10_000, discount: 0, fee: 0, currency: 'IDR' };

describe('a checkout of the bot where the store sends by couriers', () => {
  it.each([
    ['the cheapest unless somebody is named', undefined, 'pos', 'Pos Reguler', 24_000],
    ['the cheapest of a courier', 'JNE', 'jne', 'REG', 27_000],
    ['a courier with its service', 'jne YES', 'jne', 'YES', 51_000],
  ])('is sent by %s, at the price of the provider', async (_, courier, code, service, cost) => {
    const shop = await botShop();
    const made = await checkout(wanted(shop, { courier }));
    expect([made.status, made.body.data]).toEqual([
      201,
      expect.objectContaining({ ...TOTALS, shipping: cost, total: 10_000 + cost }),
    ]);
    const order = await orderOf(shop, made);
    expect(order).toMatchObject({
      ...{ shipping: { kind: 'courier', courier: code, service }, shipping_total: cost },
      address: { district: 'Menteng', city: 'Jakarta Pusat' },
    });
    const rates = { items: [{ sku: 'HAT-0', qty: 1 }], destination: TO_MENTENG.destination };
    const told = (await shop.ask<{ option: string; cost: number }[]>('POST', '/shipping/rates', rates)).body.data;
    expect(told.find(({ option }) => option === `courier:${code}:${service}`)?.cost).toBe(cost);
  });

  it('as a dry run tells the same and writes nothing, not even the quote', async () => {
    const shop = await botShop();
    const quotes = () =>
      couriered.commerce.database.query('SELECT id FROM rate_quote WHERE store_id = $1', [shop.storeId]);
    const told = { orderNumber: null, paymentUrl: null, expiresAt: null, status: 'pending' };
    expect(await dry(shop)).toEqual(
      succeeded(200, 'Order created', { ...TOTALS, ...told, shipping: 24_000, total: 34_000 }),
    );
    expect([await quotes(), await shop.levels()]).toEqual([[], ['50/0']]);
  });

  it('to an id of the area search has the names that it stands for, and goes by own methods that are limited to a city too', async () => {
    const shop = await botShop();
    const [far, near] = [shop.to, await shop.areaId('Cicendo, Bandung')];
    const to = (destination: string) => ({ customer: { ...TO_MENTENG, destination } });
    const order = await orderOf(shop, await checkout(wanted(shop, to(far))));
    expect(order).toMatchObject({
      shipping: { kind: 'courier', courier: 'pos' },
      address: { area_id: far, district: 'Menteng', city: 'Jakarta Pusat', province: 'DKI Jakarta', postcode: '10330' },
    });
    const own = await orderOf(shop, await checkout(wanted(shop, { ...to(near), courier: 'Kurir toko' })));
    expect(own).toMatchObject({ shipping: { kind: 'flat' }, address: { area_id: near, city: 'Bandung' } });
  });

  it('to a label of the area search is sent there', async () => {
    const shop = await botShop();
    const customer = { ...TO_MENTENG, destination: 'Cikini, Menteng, Jakarta Pusat, DKI Jakarta, 10330' };
    const order = await orderOf(shop, await checkout(wanted(shop, { customer })));
    expect(order).toMatchObject({
      shipping: { kind: 'courier' },
      address: { district: 'Menteng', city: 'Jakarta Pusat', province: 'DKI Jakarta', postcode: '10330' },
    });
  });

  it('to several places at once is refused with those that it may be', async () => {
    const shop = await botShop();
    const asked = await dry(shop, { customer: { ...TO_MENTENG, destination: 'Jakarta' } });
    const { errors, data } = asked.body as unknown as { errors: object; data: { id: string; label: string }[] };
    expect([asked.status, errors, data.map(({ label }) => label)]).toEqual([
      422,
      { 'customer.destination': ['customer.destination is no place that this store sends to'] },
      ['Cikini, Menteng, Jakarta Pusat, DKI Jakarta, 10330', 'Tebet Barat, Tebet, Jakarta Selatan, DKI Jakarta, 12810'],
    ]);
    const again = await dry(shop, { customer: { ...TO_MENTENG, destination: data[0]?.id } });
    expect(again.status).toBe(200);
  });

  it('that is asked for again is the order that it was, without a question to the provider', async () => {
    const shop = await botShop();
    const body = wanted(shop);
    const made = await checkout(body);
    const before = couriered.sandbox.desk.requests.length;
    couriered.sandbox.desk.fault = 'error';
    couriered.commerce.clock.advance(3_600_000);
    const again = await Promise.all(Array.from({ length: 5 }, () => checkout(body)));
    couriered.commerce.clock.advance(-3_600_000);
    expect(again.map((each) => each.body.data.orderNumber)).toEqual(Array(5).fill(made.body.data.orderNumber));
    expect(couriered.sandbox.desk.requests.length).toBe(before);
  });

  it('goes by own methods while the provider hangs, and nobody holds a transaction open meanwhile', async () => {
    const shop = await botShop();
    couriered.sandbox.desk.fault = 'hang';
    const customer = { ...TO_MENTENG, destination: 'Sukajadi, Bandung' };
    const before = couriered.sandbox.desk.requests.length;
    let isAnswered = false;
    const asked = checkout(wanted(shop, { customer })).finally(() => (isAnswered = true));
    await until(() => couriered.sandbox.desk.requests.length > before);
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`;
    // Jobs come and go; what the request held, it would hold until the provider is given up
    await until(
      () => couriered.commerce.database.query(open),
      ({ length }) => length === 0,
    );
    expect(isAnswered).toBe(false);
    const made = await asked;
    expect([made.status, made.body.data.shipping]).toEqual([201, 15_000]);
    expect((await orderOf(shop, made)).shipping).toMatchObject({ kind: 'flat', service: 'Kurir toko' });
  });
});
