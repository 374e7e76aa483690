import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { NOW } from '../../../commerce.fixture';
import type { OrderView } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { GatewayAccounts } from '../accounts/public';
import { Asking } from '../asking/public';
import { deliver, gatewayShop, ROUTES, useDesks, type GatewayShop } from '../gateways.fixture';
import { Watch } from '../watch/public';

const commerce = useDesks();
beforeEach(() => {
  for (const code of ['a', 'b', 'c'] as const) commerce.desks[code].mood = 'good';
});
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const HOURS_MS = 3_600_000;
const ON_THE_WAY = refused(409, 'paid_at_the_door', 'Its parcel is on the way: it is paid to whoever brings it');
const ADDRESS = { line: 'Jl. Dago 1', city: 'Bandung' };

interface DoorShop extends GatewayShop {
  /** An order of one hat for 15,000 that is paid at the door. */
  atTheDoor(): Promise<OrderView>;
  begin(order: Pick<OrderView, 'id'>): Promise<{ readonly status: number; readonly body: object }>;
  send(order: Pick<OrderView, 'id'>): Promise<unknown>;
  /** Its goods in a parcel, on the way as soon as that has a waybill. */
  pack(order: OrderView, waybill?: string): Promise<{ readonly status: number }>;
}
const doorShop = async (): Promise<DoorShop> => {
  const shop = await gatewayShop(commerce);
  const method = { kind: 'cod', name: 'Bayar di tempat', cost: 5_000 };
  const { id: method_id } = (await shop.ask<{ id: string }>('POST', '/shipping/methods', method)).body.data;
  const cod = { address: ADDRESS, payment_method: 'cod', shipping: { method_id } };
  const [main] = (await shop.ask<{ id: string }[]>('GET', '/warehouse')).body.data;
  return {
    ...shop,
    atTheDoor: async () => (await shop.ask<OrderView>('POST', '/order', { ...shop.cart(1), ...cod })).body.data,
    begin: ({ id }) => shop.ask('POST', '/pay_a/create-payment', { order_id: id }),
    send: ({ id }) => shop.ask('POST', `/order/${id}/waybill`, { courier: 'jne', waybill: `W-${id}` }),
    pack: ({ id, items: [item] }, waybill) => {
      const lines = [{ order_item_id: item?.id, qty: item?.qty }];
      const means = waybill === undefined ? {} : { courier: 'jne', waybill };
      return shop.ask('POST', '/shipping/shipments', { order_id: id, warehouse_id: main?.id, lines, ...means });
    },
  };
};
const complete = async (shop: GatewayShop, { id }: OrderView) => {
  for (const status of ['processing', 'completed'])
    await shop.ask('POST', '/order/change_status', { order_id: id, status });
};
const standing = async (shop: GatewayShop, order: OrderView) => {
  const { fulfillment_status, payment_status, paid_total, payments } = await shop.now(order);
  return [
    fulfillment_status,
    payment_status,
    paid_total,
    payments.map(({ provider, status }) => `${provider} ${status}`),
  ];
};

/** How an attempt that nobody has paid comes to its end. */
const ENDS: readonly [string, (shop: DoorShop, order: OrderView) => Promise<unknown>, string][] = [
  ...(['EXPIRED', 'FAILED'] as const).map((status): (typeof ENDS)[number] => [
    `is ${status} by its notice`,
    (_shop, { number, total: amount }) =>
      deliver(
        commerce.url,
        ROUTES.a,
        commerce.desks.a.notice(ROUTES.a, { number: `${number}-1`, status, amount, id: 'e' }),
      ),
    status.toLowerCase(),
  ]),
  [
    'ends because its provider tells of no money',
    async (shop, order) => {
      const { id } = await shop.payment(order);
      const slots = { a: commerce.desks.a.slot(true), b: undefined, c: undefined } as never;
      const clock = { now: () => new Date(Date.parse(NOW) + 48 * HOURS_MS) };
      const { database } = commerce.app;
      const parts = {
        database,
        clock,
        logger: silentLogger,
        accounts: new GatewayAccounts(slots, database, undefined as never),
      };
      await new Watch({
        ...parts,
        asking: new Asking({ ...parts, pages: { secret: 'x', publicUrl: undefined } }),
      }).look(shop.storeId, id);
    },
    'expired',
  ],
];

describe('an order that is paid at the door', () => {
  it.each(ENDS)(
    'and has arrived while a provider was waited for is paid there when the attempt %s, once',
    async (_, end, status) => {
      const shop = await doorShop();
      const order = await shop.atTheDoor();
      expect((await shop.begin(order)).status).toBe(201);
      expect((await shop.pack(order)).status).toBe(201);
      await complete(shop, order);
      expect(await standing(shop, order)).toEqual(['delivered', 'pending', 0, ['a pending']]);
      await end(shop, order);
      await end(shop, order);
      expect(await standing(shop, order)).toEqual(['delivered', 'paid', 15_000, [`a ${status}`, 'cod paid']]);
    },
  );

  it('and has not arrived when the attempt ends is paid by nobody', async () => {
    const shop = await doorShop();
    const order = await shop.atTheDoor();
    await shop.begin(order);
    await shop.pack(order);
    await ENDS[0]?.[1](shop, order);
    expect(await standing(shop, order)).toEqual(['packed', 'expired', 0, ['a expired']]);
  });

  it.each([
    ['its waybill', (shop: DoorShop, order: OrderView) => shop.send(order)],
    ['a shipment', (shop: DoorShop, order: OrderView) => shop.pack(order, `W-${order.id}`)],
  ])('and is sent with %s while a provider waits for its money is paid at the door alone', async (_, send) => {
    const shop = await doorShop();
    const [order, prepaid] = [await shop.atTheDoor(), await shop.sell('a')];
    await shop.begin(order);
    await send(shop, order);
    await send(shop, prepaid);
    expect(await standing(shop, prepaid)).toEqual(['shipped', 'pending', 0, ['a pending']]);
    expect(await standing(shop, order)).toEqual(['shipped', 'unpaid', 0, ['a cancelled']]);
    await complete(shop, order);
    expect(await standing(shop, order)).toEqual(['delivered', 'paid', 15_000, ['a cancelled', 'cod paid']]);
  });

  it('and is paid at a provider all the same while its parcel is on the way is told of: its bearer asks for it too', async () => {
    const shop = await doorShop();
    const [order, before, after] = [await shop.atTheDoor(), await shop.atTheDoor(), await shop.atTheDoor()];
    const pays = ({ number, total: amount }: OrderView, attempt = 1) => {
      const told = { number: `${number}-${attempt}`, status: 'SUCCESS', amount, id: number };
      return deliver(commerce.url, ROUTES.a, commerce.desks.a.notice(ROUTES.a, told));
    };
    for (const each of [order, before]) await shop.begin(each);
    await pays(before);
    for (const each of [before, order]) await shop.send(each);
    await pays(order);
    expect(await standing(shop, order)).toEqual(['shipped', 'paid', 15_000, ['a paid']]);
    await shop.send(after);
    await complete(shop, after);
    await shop.ask('POST', '/order/change_payment_status', { order_id: after.id, status: 'unpaid' });
    await shop.begin(after);
    await pays(after, 2);
    expect(await standing(shop, after)).toEqual(['delivered', 'paid', 15_000, ['cod reversed', 'a paid']]);
    const waiting = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
      WHERE t.identifier IN ('order.changed', 'order.paid.history', 'event.told', 'notification.send')`;
    await until(async () => (await commerce.database.query(waiting)).length === 0);
    const told = `SELECT DISTINCT body FROM notification WHERE store_id = $1 AND event = 'order.review'`;
    expect(await commerce.database.query(told, [shop.storeId])).toEqual([
      { body: `Pembayaran pesanan ${order.number} perlu diperiksa` },
    ]);
  });

  it('and whose cash somebody has taken back is not paid by the end of an attempt that was begun then', async () => {
    const shop = await doorShop();
    const order = await shop.atTheDoor();
    await shop.send(order);
    await complete(shop, order);
    expect(await standing(shop, order)).toEqual(['delivered', 'paid', 15_000, ['cod paid']]);
    // The courier has brought the parcel, and never the money
    await shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status: 'unpaid' });
    expect((await shop.begin(order)).status).toBe(201);
    const told = { number: `${order.number}-2`, status: 'EXPIRED', amount: order.total, id: 'e2' };
    await deliver(commerce.url, ROUTES.a, commerce.desks.a.notice(ROUTES.a, told));
    expect(await standing(shop, order)).toEqual(['delivered', 'expired', 0, ['cod reversed', 'a expired']]);
  });

  it('takes no payment by a link while its parcel is on the way, and does before', async () => {
    const shop = await doorShop();
    const [order, packed] = [await shop.atTheDoor(), await shop.atTheDoor()];
    const token = (await shop.now(order)).pay_url?.split('/pay/')[1];
    await shop.send(order);
    const { status, body } = await commerce.post('/api/payment/create-checkout', { pay_token: token, method: 'a' });
    expect([{ status, body }, await shop.begin(order)]).toEqual([ON_THE_WAY, ON_THE_WAY]);
    expect(await standing(shop, order)).toEqual(['shipped', 'unpaid', 0, []]);
    expect((await shop.begin(packed)).status).toBe(201);
    const [other, prepaid] = [await shop.place(shop.cart(1)), await shop.sell('a')];
    await shop.send(other);
    await shop.send(prepaid);
    expect([(await shop.begin(other)).status, (await shop.begin(prepaid)).status]).toEqual([201, 201]);
  });
});
