import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, refused, succeeded } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { GOODS } from '../../stock/levels/handover';
import { release } from '../../stock/levels/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { PROGRESS, type Shipment } from '../parcels/public';
import { shippingShop, type ShippingShop } from './shipments.fixture';
import { shipmentListing } from './shipments.sql';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const text = expect.any(String) as string;
const JNE = { courier: 'JNE', service: 'REG', waybill: 'jp-100000001' };
const event = (code: string) => ({ at: NOW, code, text: '', place: null });
const history = async ({ ask }: ShippingShop, { id }: Order) =>
  (await ask<{ type: string; text: string }[]>('GET', `/order/${id}/history`)).body.data.map(({ type, text: told }) =>
    `${type} ${told}`.trim(),
  );
const waybill = (shop: ShippingShop, { id }: Order, more: object = {}) =>
  shop.ask<Shipment>('POST', `/order/${id}/waybill`, { ...JNE, ...more });
const nothingLeft = (...lines: readonly object[]) =>
  refused(409, 'nothing_left', 'So much of the order is not left', { lines });

describe('a shipment', () => {
  it('takes lines of an order, is found and listed, shows in the order, and is sent off by a waybill', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    const order = await shop.order([3, 2]);
    const lines = [3, 2].map((qty, at) => ({ order_item_id: order.items[at]?.id, qty, condition: null }));
    const created = await shop.ship(order, [3, 2], { cost: 9_000 });
    const { id } = created.body.data;
    const shipment = {
      ...{ id: text, order_id: order.id, direction: 'out', warehouse_id: shop.main, courier: null, service: null },
      ...{ cost: 9_000, waybill: null, status: 'packed', label_url: `/api/shipping/shipments/${id}/label` },
      ...{ lines, events: [event('packed')] },
    };
    expect(created).toEqual(succeeded(201, 'Shipment created', shipment));
    expect([await shop.fulfillment(order), await shop.levels()]).toEqual(['packed', ['9/3', '9/2']]);
    const sent = {
      ...{ ...shipment, ...JNE, waybill: 'JP-100000001', status: 'in_transit' },
      events: [event('packed'), event('in_transit')],
    };
    expect(await waybill(shop, order)).toEqual(succeeded(200, 'Shipment updated', sent));
    expect(await shop.ask('GET', `/shipping/shipments/${id}`)).toEqual(succeeded(200, 'OK', sent));
    const { lines: _lines, events: _events, ...row } = sent;
    for (const query of ['', '?status=in_transit&courier=jne', `?order_id=${order.id}&from=2026-03-01`])
      expect((await shop.ask('GET', `/shipping/shipments${query}`)).body.data).toEqual([row]);
    expect((await shop.ask('GET', '/shipping/shipments?direction=return')).body.data).toEqual([]);
    expect((await shop.ask<Order>('GET', `/order/${order.id}`)).body.data.shipments).toEqual([sent]);
    expect([await shop.fulfillment(order), await shop.levels()]).toEqual(['shipped', ['6/0', '7/0']]);
    expect(await history(shop, order)).toEqual(['placed Order placed', 'packed', 'shipped JNE REG JP-100000001']);
    expect((await auditedIn(commerce, shop.storeId)).slice(-2)).toEqual(
      Array(2).fill('shipping.write shipment: status, warehouse_id, waybill'),
    );
  });

  it('of a part leaves the rest, and the order is done in parts', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    const order = await shop.order([3, 2]);
    const told: string[] = [];
    const tell = async () => void told.push(await shop.fulfillment(order));
    await shop.ship(order, [1, 0]);
    await tell();
    await waybill(shop, order);
    await tell();
    expect(await shop.levels()).toEqual(['8/2', '9/2']);
    expect(await shop.ship(order, [3, 2])).toEqual(nothingLeft({ order_item_id: order.items[0]?.id, left: 2 }));
    expect(await shop.ship(order, [2, 2], { waybill: 'JP-100000001' })).toEqual(
      refused(409, 'waybill_used', 'Another shipment has this waybill'),
    );
    await shop.ship(order, [2, 2], { waybill: 'JP-100000002' });
    await tell();
    await shop.ask('POST', '/order/change_status', { order_id: order.id, status: 'processing' });
    await shop.ask('POST', '/order/change_status', { order_id: order.id, status: 'completed' });
    await tell();
    expect(told).toEqual(['partially_packed', 'partially_shipped', 'shipped', 'delivered']);
    expect(await waybill(shop, order, { waybill: 'JP-100000003' })).toMatchObject({ status: 409 });
    expect(await shop.levels()).toEqual(['6/0', '7/0']);
  });

  it('by a waybill alone is of everything that is left, and of nothing it is refused', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    expect((await waybill(shop, order, { notify: false })).body.data).toMatchObject({
      ...{ status: 'in_transit', warehouse_id: shop.main, lines: [{ qty: 3 }] },
    });
    expect(await waybill(shop, order, { waybill: 'JP-100000002' })).toEqual(nothingLeft());
    expect(await shop.levels()).toEqual(['6/0']);
  });

  it('that was only packed is cancelled, and its goods are the order again; one that was sent is not', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    const { id } = (await shop.ship(order, [3])).body.data;
    const cancelled = await shop.ask<Shipment>('POST', `/shipping/shipments/${id}/cancel`);
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', label_url: null });
    expect(cancelled.body.data.events).toEqual([event('packed'), event('cancelled')]);
    expect([await shop.fulfillment(order), await shop.levels()]).toEqual(['none', ['9/3']]);
    const sent = (await waybill(shop, order)).body.data;
    for (const gone of [id, sent.id])
      expect(await shop.ask('POST', `/shipping/shipments/${gone}/cancel`)).toMatchObject({ status: 409 });
    expect(await history(shop, order)).toEqual([
      ...['placed Order placed', 'packed', 'unpacked', 'shipped JNE REG JP-100000001'],
    ]);
  });

  it('of an order that was paid takes goods that are sold already, and its cancelling leaves them sold', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    await shop.ship(order, [1]);
    await shop.pay(order.id);
    expect(await shop.levels()).toEqual(['7/1']);
    const second = (await shop.ship(order, [2])).body.data;
    await shop.ask('POST', `/shipping/shipments/${second.id}/cancel`);
    await waybill(shop, order);
    await waybill(shop, order, { waybill: 'JP-100000002' });
    expect([await shop.fulfillment(order), await shop.levels()]).toEqual(['shipped', ['6/0']]);
  });

  it.each([1, 3])('cancelled after its order of 3 was paid gives back goods that are sold: %i', async (pieces) => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    const { id } = (await shop.ship(order, [pieces])).body.data;
    await shop.pay(order.id);
    await shop.ask('POST', `/shipping/shipments/${id}/cancel`);
    expect(await shop.levels()).toEqual(['6/0']);
    expect((await waybill(shop, order)).body.data.lines).toMatchObject([{ qty: 3 }]);
    expect(await shop.levels()).toEqual(['6/0']);
  });

  it('of goods whose reservation had run out reserves them again, or is refused', async () => {
    const shop = await shippingShop(commerce, 3);
    const [order, late] = [await shop.order([2]), await shop.order([1])];
    for (const { id } of [late, order]) await commerce.database.tx((tx) => release(tx, shop.by, { type: 'order', id }));
    await shop.order([2]);
    expect((await shop.ship(order, [2])).body).toMatchObject({ code: 'out_of_stock', lines: [{ available: 1 }] });
    expect((await shop.ship(late, [1])).status).toBe(201);
    expect(await shop.levels()).toEqual(['3/3']);
  });

  it('of downloads and services is refused, and they do not keep an order from being shipped whole', async () => {
    const shop = await shippingShop(commerce, 9, 9);
    await commerce.database.query(
      `UPDATE product p SET kind = 'digital' FROM variant v WHERE v.store_id = p.store_id AND v.product_id = p.id AND v.id = $1`,
      [shop.variants[1]],
    );
    const order = await shop.order([1, 1]);
    expect(await shop.ship(order, [0, 1])).toEqual(
      invalid('lines.0.order_item_id', 'lines[0].order_item_id is nothing that is sent'),
    );
    expect((await waybill(shop, order)).body.data.lines).toHaveLength(1);
    expect(await shop.fulfillment(order)).toBe('shipped');
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    [
      'of a line that is named twice',
      { double: true },
      'lines.1.order_item_id',
      'lines[1].order_item_id is given twice',
    ],
    [
      'that tells the condition of what it sends',
      { condition: 'good' },
      'lines.0.condition',
      'lines[0].condition is told of what came back only',
    ],
    ['of nothing', { none: true }, 'lines', 'lines must contain at least 1 items'],
    [
      'with a waybill that no courier writes',
      { waybill: 'a b c d e' },
      'waybill',
      'waybill must be 5 to 40 letters, digits, hyphens, dots or slashes',
    ],
  ])('%s is refused', async (_, { double, none, condition, ...more }, field, message) => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    const line = { order_item_id: order.items[0]?.id, qty: 1, ...(condition ? { condition } : {}) };
    const lines = none ? [] : double ? [line, line] : [line];
    const answer = await shop.ask('POST', '/shipping/shipments', {
      order_id: order.id,
      lines,
      warehouse_id: shop.main,
      ...more,
    });
    expect(answer.body).toMatchObject({ code: 'validation', errors: { [field]: [message] } });
  });

  it('of another store, of its order, line or warehouse is not found', async () => {
    const [mine, theirs] = [await shippingShop(commerce, 9), await shippingShop(commerce, 9)];
    const [order, foreign] = [await mine.order([1]), await theirs.order([1])];
    const { id } = (await theirs.ship(foreign, [1])).body.data;
    const body = {
      order_id: order.id,
      lines: [{ order_item_id: order.items[0]?.id, qty: 1 }],
      warehouse_id: mine.main,
    };
    const line = { order_item_id: foreign.items[0]?.id, qty: 1 };
    for (const [method, path, sent, what] of [
      ['GET', `/shipping/shipments/${id}`, undefined, 'Shipment'],
      ['POST', `/shipping/shipments/${id}/cancel`, undefined, 'Shipment'],
      ['POST', '/shipping/shipments', { ...body, order_id: foreign.id }, 'Order'],
      ['POST', '/shipping/shipments', { ...body, lines: [line] }, 'Order line'],
      ['POST', '/shipping/shipments', { ...body, warehouse_id: theirs.main }, 'Warehouse'],
      ['POST', '/shipping/shipments', { ...body, lines: [line], direction: 'return' }, 'Order line'],
      ['POST', '/shipping/shipments', { ...body, warehouse_id: theirs.main, direction: 'return' }, 'Warehouse'],
      ['POST', `/order/${foreign.id}/waybill`, JNE, 'Order'],
      ['POST', `/order/${order.id}/waybill`, { ...JNE, warehouse_id: theirs.main }, 'Warehouse'],
      ['POST', `/order/${foreign.id}/assign`, { user_id: uuidv7() }, 'Order'],
      ['POST', `/order/${order.id}/assign`, { user_id: uuidv7() }, 'Member'],
      ['POST', `/order/${order.id}/assign`, { warehouse_id: theirs.main }, 'Warehouse'],
    ] as const)
      expect(await mine.ask(method, path, sent)).toEqual(refused(404, 'not_found', `${what} not found`));
    expect((await mine.ask('GET', '/shipping/shipments')).body.data).toEqual([]);
    expect(await mine.levels()).toEqual(['9/1']);
  });
});

describe('a key of a request', () => {
  it('makes one shipment of a part, however often it is sent', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    const body = {
      order_id: order.id,
      lines: [{ order_item_id: order.items[0]?.id, qty: 1 }],
      warehouse_id: shop.main,
    };
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const send = () =>
      commerce.post('/api/shipping/shipments', body, { authorization: `Bearer ${token}`, 'idempotency-key': 'k1' });
    const answers = [await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect((await shop.ask<[]>('GET', '/shipping/shipments')).body.data).toHaveLength(1);
  });
});

describe('a cancelled order', () => {
  it('takes what is packed out of its parcels, and frees it', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    await shop.ship(order, [2]);
    const { body } = await shop.ask<Order>('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect(body.data).toMatchObject({ status: 'cancelled', fulfillment_status: 'none' });
    expect(body.data.shipments).toMatchObject([{ status: 'cancelled' }]);
    expect(await shop.levels()).toEqual(['9/0']);
  });

  it('has no goods with its buyer: it is refused until they are back', async () => {
    const shop = await shippingShop(commerce, 9);
    const order = await shop.order([3]);
    await shop.ship(order, [2], { waybill: 'JP-100000001' });
    const cancel = () => shop.ask<Order>('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect(await cancel()).toEqual(
      refused(409, 'goods_out', 'Goods of it are with the buyer or on their way: book them back first'),
    );
    await shop.ship(order, [2], { direction: 'return' });
    expect((await cancel()).body.data).toMatchObject({ status: 'cancelled', fulfillment_status: 'partially_returned' });
    expect(await shop.levels()).toEqual(['9/0']);
  });
});

it('lists of shipments and what packing asks are served by indexes', async () => {
  const store = uuidv7();
  for (const { text: statement, values } of [
    ...Object.values(shipmentListing.statements(store, { seen: undefined })),
    ...Object.values(shipmentListing.statements(store, { order_id: uuidv7(), status: 'packed', seen: undefined })),
    { text: PROGRESS, values: [store, uuidv7()] },
    { text: GOODS, values: [store, 'order', 'o1'] },
  ])
    expectNoSeqScan(
      await explain(commerce.database, statement, values),
      ...(['shipment', 'shipment_line', 'order_item', 'variant', 'stock_reservation'] as const),
    );
});
