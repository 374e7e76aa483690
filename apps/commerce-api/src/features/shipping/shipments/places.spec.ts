import { newMember, useCommerce } from '../../../commerce.fixture';
import { invalid, refused } from '../../../asked.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import type { Shipment } from '../parcels/public';
import { shippingShop, type ShippingShop } from './shipments.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const pay = (shop: ShippingShop, { id }: Order) => shop.pay(id);
const send = (shop: ShippingShop, { id }: Order, waybill: string, more: object = {}) =>
  shop.ask<Shipment>('POST', `/order/${id}/waybill`, { courier: 'JNE', waybill, ...more });
const assign = (shop: ShippingShop, { id }: Order, to: object) => shop.ask<Order>('POST', `/order/${id}/assign`, to);
const both = async (shop: ShippingShop) => [await shop.levels(), await shop.there()];
const moves = async ({ storeId }: ShippingShop): Promise<string[]> => {
  const rows = await commerce.database.query<{ told: string }>(
    `SELECT concat_ws(' ', reason, delta_on_hand, delta_reserved, split_part(ref, ':', 1)) AS told
     FROM stock_movement WHERE store_id = $1 AND ref IS NOT NULL ORDER BY id`,
    [storeId],
  );
  return rows.map(({ told }) => told);
};

describe('an order that is sent from two warehouses', () => {
  it('takes of each what it sends: the reservation moves to where the goods are packed', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.fill(4);
    const order = await shop.order([5]);
    await shop.ship(order, [2], { warehouse_id: shop.second });
    expect(await both(shop)).toEqual([['9/3'], ['4/2']]);
    await send(shop, order, 'JP-100000001');
    await send(shop, order, 'JP-100000002');
    expect([...(await both(shop)), await shop.fulfillment(order)]).toEqual([['6/0'], ['2/0'], 'shipped']);
  });

  it('is refused what a warehouse has not, and stays as it was', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.fill(1);
    const order = await shop.order([5]);
    const asked = { warehouse_id: shop.second };
    const line = { variant_id: shop.variants[0], warehouse_id: shop.second, available: 1 };
    expect(await shop.ship(order, [2], asked)).toEqual(
      refused(409, 'out_of_stock', 'There is not enough stock', { lines: [line] }),
    );
    await pay(shop, order);
    expect(await shop.ship(order, [2], asked)).toEqual(
      refused(409, 'below_reserved', 'Orders have reserved more than would be left', { lines: [line] }),
    );
    expect([...(await both(shop)), await shop.fulfillment(order)]).toEqual([['4/0'], ['1/0'], 'none']);
  });

  it('and was paid is booked out of the warehouse that sends, and back into the one that need not', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.fill(4);
    const order = await shop.order([5]);
    await pay(shop, order);
    expect(await both(shop)).toEqual([['4/0'], ['4/0']]);
    await send(shop, order, 'JP-100000001', { warehouse_id: shop.main });
    expect(await both(shop)).toEqual([['4/0'], ['4/0']]);
    const other = await shop.order([2]);
    await pay(shop, other);
    await shop.ship(other, [2], { warehouse_id: shop.second, waybill: 'JP-100000002' });
    expect(await both(shop)).toEqual([['4/0'], ['2/0']]);
    expect((await moves(shop)).slice(-2)).toEqual(['transfer_out -2 0 shipment', 'transfer_in 2 0 shipment']);
  });
});

describe('an order that is assigned', () => {
  it('to a member and a warehouse is theirs, and its reservation is there', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.fill(9);
    const order = await shop.order([5]);
    const { userId } = await newMember(commerce, shop.storeId, 'cs');
    const { body } = await assign(shop, order, { user_id: userId, warehouse_id: shop.second });
    expect(body.data).toEqual({ ...order, assignee_id: userId, warehouse_id: shop.second, version: 2 });
    expect(await both(shop)).toEqual([['9/0'], ['9/5']]);
    expect((await moves(shop)).slice(-2)).toEqual(['release 0 -5 order', 'reserve 0 5 order']);
    expect((await shop.ask('GET', `/order/${order.id}/history`)).body.data).toMatchObject([
      { type: 'placed' },
      { type: 'assigned', text: 'To a member, To a warehouse' },
    ]);
    expect((await assign(shop, order, { warehouse_id: shop.second.toUpperCase() })).body.data.version).toBe(3);
    expect(await both(shop)).toEqual([['9/0'], ['9/5']]);
  });

  it('to a warehouse that has not everything stays where it is', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    await shop.fill(9, 1);
    const order = await shop.order([5, 2]);
    expect(await assign(shop, order, { warehouse_id: shop.second })).toMatchObject({
      ...{ status: 409, body: { code: 'out_of_stock', lines: [{ variant_id: shop.variants[1], available: 1 }] } },
    });
    expect(await both(shop)).toEqual([
      ['9/5', '9/2'],
      ['9/0', '1/0'],
    ]);
  });

  it('to a warehouse after it was paid takes what is sold from there', async () => {
    const shop = await shippingShop(commerce, 9);
    await shop.fill(9);
    const order = await shop.order([5]);
    await shop.ship(order, [1]);
    await pay(shop, order);
    await assign(shop, order, { warehouse_id: shop.second });
    expect(await both(shop)).toEqual([['9/1'], ['5/0']]);
    await send(shop, order, 'JP-100000001');
    await send(shop, order, 'JP-100000002');
    expect([...(await both(shop)), await shop.fulfillment(order)]).toEqual([['8/0'], ['5/0'], 'shipped']);
  });

  it('after it has ended can get a member, not a warehouse', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([5]);
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    const { userId } = await newMember(commerce, shop.storeId, 'cs');
    expect((await assign(shop, order, { user_id: userId })).status).toBe(200);
    expect(await assign(shop, order, { warehouse_id: shop.second })).toEqual(
      refused(409, 'invalid_transition', 'It is cancelled: that cannot be done with it now'),
    );
  });

  it('to nobody, or to a member who is disabled, is refused', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([5]);
    expect(await assign(shop, order, {})).toEqual(invalid('user_id', 'user_id or warehouse_id is required'));
    const { userId } = await newMember(commerce, shop.storeId, 'cs');
    await commerce.database.query(`UPDATE membership SET status = 'disabled' WHERE user_id = $1`, [userId]);
    expect(await assign(shop, order, { user_id: userId })).toEqual(refused(404, 'not_found', 'Member not found'));
  });
});

describe('goods that come back', () => {
  const back = async (shop: ShippingShop, order: Order, lines: readonly object[], more: object = {}) =>
    shop.ask<Shipment>('POST', '/shipping/shipments', {
      ...{ order_id: order.id, direction: 'return', warehouse_id: shop.second },
      lines: lines.map((line) => ({ order_item_id: order.items[0]?.id, ...line })),
      ...more,
    });

  it('are booked into the warehouse that got them, damaged ones out of it again, at most what was sent, once', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([5]);
    expect(await back(shop, order, [{ qty: 1 }])).toMatchObject({ status: 409, body: { code: 'nothing_left' } });
    await send(shop, order, 'JP-100000001');
    const { body, status } = await back(shop, order, [{ qty: 2 }, { qty: 1, condition: 'damaged' }]);
    expect([status, body.data]).toEqual([
      201,
      {
        ...{ id: expect.any(String) as string, order_id: order.id, direction: 'return', warehouse_id: shop.second },
        ...{ courier: null, service: null, cost: null, waybill: null, status: 'delivered', label_url: null },
        lines: [
          { order_item_id: order.items[0]?.id, qty: 2, condition: 'good' },
          { order_item_id: order.items[0]?.id, qty: 1, condition: 'damaged' },
        ],
        events: [{ at: '2026-03-01T08:00:00.000Z', code: 'delivered', text: '', place: null }],
      },
    ]);
    expect([...(await both(shop)), await shop.fulfillment(order)]).toEqual([['4/0'], ['2/0'], 'partially_returned']);
    expect((await moves(shop)).slice(-2)).toEqual(['return 3 0 shipment', 'damage -1 0 shipment']);
    const answers = await Promise.all([back(shop, order, [{ qty: 2 }]), back(shop, order, [{ qty: 2 }])]);
    expect(answers.map(({ status: each }) => each).sort()).toEqual([201, 409]);
    expect([await shop.there(), await shop.fulfillment(order)]).toEqual([['4/0'], 'returned']);
    const left = [{ order_item_id: order.items[0]?.id, left: 0 }];
    expect(await back(shop, order, [{ qty: 1 }])).toEqual(
      refused(409, 'nothing_left', 'So much of the order is not left', { lines: left }),
    );
  });

  it('of a variant that is not tracked have no stock', async () => {
    const shop = await shippingShop(commerce, 9);
    await commerce.database.query('UPDATE variant SET track_stock = false WHERE store_id = $1', [shop.storeId]);
    const order = await shop.order([5]);
    await send(shop, order, 'JP-100000001');
    await back(shop, order, [{ qty: 5 }]);
    expect([...(await both(shop)), await shop.fulfillment(order)]).toEqual([['9/0'], [], 'returned']);
  });
});
