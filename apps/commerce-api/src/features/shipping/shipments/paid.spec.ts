import { silentLogger } from '@platform/runtime';
import { refused } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { UnpaidOrders } from '../../sales/orders/order-expiry';
import type { Order } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { RateOption } from '../rates/rates.dto';
import { shippingShop } from './shipments.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const ADDRESS = { line: 'Jl. Dago 1', city: 'Bandung' };
const A_WEEK_MS = 7 * 86_400_000;

it('an order that is paid at the door leaves the shelf when it is sent, and not again when its money comes', async () => {
  const shop = await shippingShop(commerce, 9);
  await shop.ask('POST', '/shipping/methods', { kind: 'cod', name: 'Bayar di tempat', cost: 5_000 });
  const asked = { items: shop.cart(3).items, destination: 'Bandung', cod: true };
  const [option] = (await shop.ask<RateOption[]>('POST', '/shipping/rates', asked)).body.data;
  const shipping = { quote_id: option?.quote_id, option: option?.option };
  const order = await shop.order([3], { address: ADDRESS, payment_method: 'cod', shipping });
  expect([order.total, await shop.levels()]).toEqual([35_000, ['9/3']]);
  await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'Toko', waybill: 'KURIR-1' });
  expect(await shop.levels()).toEqual(['6/0']);
  const { body } = await shop.pay(order.id, { method: 'cod' });
  expect(body.data).toMatchObject({ payment_status: 'paid', paid_total: 35_000, fulfillment_status: 'shipped' });
  expect(await shop.levels()).toEqual(['6/0']);
});

it('an order of which a piece came back stays to be shipped until the rest is sent', async () => {
  const shop = await shippingShop(commerce, 9);
  const order = await shop.order([3]);
  await shop.pay(order.id);
  await shop.ship(order, [1], { waybill: 'JP-77010' });
  await shop.ship(order, [1], { direction: 'return' });
  const toShip = async () => (await shop.ask<Order[]>('GET', '/order?view=to_ship')).body.data.map(({ id }) => id);
  expect([await shop.fulfillment(order), await toShip()]).toEqual(['partially_shipped', [order.id]]);
  await shop.ship(order, [2], { waybill: 'JP-77011' });
  expect([await shop.fulfillment(order), await toShip()]).toEqual(['partially_returned', []]);
});

it('an order that is packed is not cancelled for want of its payment, nor edited', async () => {
  const shop = await shippingShop(commerce, 9);
  const [packed, waiting] = [await shop.order([3]), await shop.order([2])];
  await shop.ship(packed, [1]);
  const clock = { now: () => new Date(Date.parse(NOW) + A_WEEK_MS) };
  await new UnpaidOrders({ database: commerce.database, clock, logger: silentLogger }).cancel();
  const states = async (...orders: readonly Order[]) =>
    Promise.all(orders.map(async ({ id }) => (await shop.ask<Order>('GET', `/order/${id}`)).body.data.status));
  expect([await states(packed, waiting), await shop.levels()]).toEqual([['open', 'cancelled'], ['9/3']]);
  const { version } = (await shop.ask<Order>('GET', `/order/${packed.id}`)).body.data;
  expect(await shop.ask('PUT', `/order/${packed.id}`, { ...shop.cart(1), version })).toEqual(
    refused(409, 'invalid_transition', 'It is partially_packed: that cannot be done with it now'),
  );
});

describe('payments of an order of which something is packed, taken back', () => {
  const soldAndPacked = async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([5]);
    await shop.pay(order.id);
    await shop.ship(order, [2]);
    return { shop, order };
  };
  const takenBack = async ({ shop, order }: Awaited<ReturnType<typeof soldAndPacked>>) =>
    (await shop.ask<Order>('POST', '/order/change_payment_status', { order_id: order.id, status: 'unpaid' })).body.data;

  it('hold what has not left again, packed or not, and nobody cancels it for want of its payment', async () => {
    const { shop, order } = await soldAndPacked();
    await shop.ship(order, [1], { waybill: 'JP-77001' });
    expect(await takenBack({ shop, order })).toMatchObject({ payment_status: 'unpaid', pay_expires_at: null });
    expect(await shop.levels()).toEqual(['8/4']);
    const clock = { now: () => new Date(Date.parse(NOW) + A_WEEK_MS) };
    await new UnpaidOrders({ database: commerce.database, clock, logger: silentLogger }).cancel();
    expect(await shop.fulfillment(order)).toBe('partially_shipped');
    await shop.pay(order.id);
    await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'JNE', waybill: 'JP-77002' });
    expect(await shop.levels()).toEqual(['4/0']);
  });

  it('leave nothing sold when it is cancelled then', async () => {
    const { shop, order } = await soldAndPacked();
    await takenBack({ shop, order });
    expect(await shop.levels()).toEqual(['9/5']);
    expect((await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' })).status).toBe(200);
    expect(await shop.levels()).toEqual(['9/0']);
  });
});

it('an edited order takes the price of its new shipping from the quote for what it is now', async () => {
  const shop = await shippingShop(commerce, 9);
  await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir toko', cost: 5_000 });
  const order = await shop.order([3]);
  const edit = async (quoted: number, wanted: number) => {
    const asked = { items: shop.cart(quoted).items, destination: 'Bandung' };
    const [option] = (await shop.ask<RateOption[]>('POST', '/shipping/rates', asked)).body.data;
    const shipping = { quote_id: option?.quote_id, option: option?.option };
    const body = { ...shop.cart(wanted), address: ADDRESS, shipping, version: order.version };
    return shop.ask<Order>('PUT', `/order/${order.id}`, body);
  };
  expect((await edit(3, 2)).body).toMatchObject({ code: 'quote_expired' });
  expect((await edit(2, 2)).body.data).toMatchObject({
    shipping_total: 5_000,
    total: 25_000,
    shipping: { kind: 'flat' },
  });
  expect(await shop.levels()).toEqual(['9/2']);
});
