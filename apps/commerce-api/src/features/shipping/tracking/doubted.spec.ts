import type { Order } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { doorShop, parcelsOf, says, useTracking, type DoorShop } from './tracking.fixture';

const tracking = useTracking();
afterEach(async () => expect(await unexplained(tracking.commerce.database)).toEqual([]));

const standing = async (shop: DoorShop, order: Order) => {
  const { fulfillment_status, payment_status, paid_total, shipments } = await shop.now(order);
  const told = shipments.map(({ status, events }) => [status, events.map(({ code, text }) => `${code} ${text}`)]);
  return [fulfillment_status, payment_status, paid_total, ...told];
};
const SENT = ['packed ', 'in_transit '];

describe('a parcel of cash on delivery', () => {
  it.each([['RTS'], ['DELIVERED TO SENDER'], ['DIKEMBALIKAN'], ['UNDELIVERED']])(
    'that its courier calls %s and delivered is paid by nobody until a person says so',
    async (status) => {
      const shop = await doorShop(tracking, 9);
      const order = await shop.atTheDoor([1]);
      const { id, waybill } = await shop.sent(order, [1]);
      says(tracking, waybill ?? '', { delivered: true, status });
      for (let times = 0; times < 2; times += 1) await parcelsOf(tracking).track(shop.storeId, id);
      const doubt = `doubted The courier says ${status}: nobody knows whether its buyer has it`;
      expect(await standing(shop, order)).toEqual([
        'shipped',
        'unpaid',
        0,
        ['in_transit', [...SENT, '1 Manifested', doubt]],
      ]);
      for (const to of ['processing', 'completed'])
        await shop.ask('POST', '/order/change_status', { order_id: order.id, status: to });
      expect((await shop.now(order)).payment_status).toBe('paid');
    },
  );

  it('that was paid before has arrived whatever its courier calls it', async () => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.order([1]);
    await shop.pay(order.id);
    const { id, waybill } = await shop.sent(order, [1]);
    says(tracking, waybill ?? '', { delivered: true, status: 'POD' });
    await parcelsOf(tracking).track(shop.storeId, id);
    expect(await shop.fulfillment(order)).toBe('delivered');
  });
});

describe('a waybill whose parcel', () => {
  it.each([['DELIVERED'], ['RETURNED']])('was %s before ours was packed is that of another one', async (status) => {
    const shop = await doorShop(tracking, 9);
    const order = await shop.atTheDoor([1]);
    const { id, waybill } = await shop.sent(order, [1]);
    says(tracking, waybill ?? '', { delivered: status === 'DELIVERED', status, daysAgo: 1.1 });
    for (let times = 0; times < 2; times += 1) await parcelsOf(tracking).track(shop.storeId, id);
    const doubt = 'doubted The courier tells of an older parcel: the waybill may be mistyped';
    expect(await standing(shop, order)).toEqual(['shipped', 'unpaid', 0, ['in_transit', [...SENT, doubt]]]);
    says(tracking, waybill ?? '', { delivered: true, daysAgo: 0.9 });
    await parcelsOf(tracking).track(shop.storeId, id);
    expect((await shop.now(order)).payment_status).toBe('paid');
  });
});
