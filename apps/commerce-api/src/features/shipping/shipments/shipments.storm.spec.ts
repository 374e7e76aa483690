import { caller, random, type RunningProgram } from '@platform/testing';
import { newApiToken, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Shipment } from '../parcels/public';
import { shippingShop } from './shipments.fixture';

/** Beside a second process, whose clock is the real one: it would cancel what was placed months before and never paid. */
const commerce = useCommerce(new Date().toISOString());
let other: RunningProgram | undefined;
afterEach(async () => {
  await other?.stop('SIGKILL');
  other = undefined;
  expect(await unexplained(commerce.database)).toEqual([]);
});

/** The service once more, as a process of its own. */
const secondProcess = async (): Promise<RunningProgram> => (other = await startSecondProcess(commerce));

/** Lines of which more is packed or back than there is, and parcels that have other stock than they hold. */
const misplaced = (storeId: string): Promise<object[]> =>
  commerce.database.query(
    `SELECT i.id::text FROM order_item i
       JOIN shipment_line l ON l.store_id = i.store_id AND l.order_id = i.order_id AND l.order_item_id = i.id
       JOIN shipment s ON s.store_id = l.store_id AND s.id = l.shipment_id
     WHERE i.store_id = $1 AND s.status <> 'cancelled' GROUP BY i.id, i.qty
     HAVING coalesce(sum(l.qty) FILTER (WHERE s.direction = 'out'), 0) > i.qty
       OR coalesce(sum(l.qty) FILTER (WHERE s.direction = 'return'), 0)
         > coalesce(sum(l.qty) FILTER (WHERE s.direction = 'out' AND s.status <> 'packed'), 0)
     UNION ALL
     SELECT s.id::text FROM shipment s WHERE s.store_id = $1 AND s.direction = 'out' AND
       (SELECT sum(l.qty) FROM shipment_line l WHERE l.store_id = s.store_id AND l.shipment_id = s.id AND s.status <> 'cancelled')
       IS DISTINCT FROM (SELECT sum(r.qty) FROM stock_reservation r
         WHERE r.store_id = s.store_id AND r.owner_type = 'shipment' AND r.owner_id = s.id::text AND r.state <> 'released')`,
    [storeId],
  );

it('a line of five pieces that two processes ship forty times at once is shipped five times, and comes back five times', async () => {
  const shop = await shippingShop(commerce, 9);
  const order = await shop.order([5]);
  const { token } = await newApiToken(commerce, shop.storeId, { abilities: ['shipping.write'] });
  const urls = [commerce.url, (await secondProcess()).url];
  const lines = [{ order_item_id: order.items[0]?.id, qty: 1 }];
  const move = (at: number, more: object) => {
    const body = { order_id: order.id, lines, warehouse_id: shop.main, ...more };
    return caller(urls[at % 2] ?? '')('/api/shipping/shipments', { body, token });
  };
  const many = async (more: (at: number) => object) => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => move(at, more(at))));
    return answers.map(({ status, body }) => (status === 201 ? 201 : (body as { code: string }).code)).sort();
  };
  const five = [...Array<number>(5).fill(201), ...Array<string>(35).fill('nothing_left')];
  expect(await many((at) => ({ waybill: `JP-${10_000 + at}` }))).toEqual(five);
  expect(await shop.levels()).toEqual(['4/0']);
  expect(await many(() => ({ direction: 'return' }))).toEqual(five);
  expect([await shop.levels(), await shop.fulfillment(order)]).toEqual([['9/0'], 'returned']);
});

it('one waybill that twenty orders want at once is of one of them', async () => {
  const shop = await shippingShop(commerce, 20);
  const orders = await Promise.all(Array.from({ length: 20 }, () => shop.order([1])));
  const body = { courier: 'JNE', waybill: 'JP-1234567' };
  const answers = await Promise.all(orders.map(({ id }) => shop.ask('POST', `/order/${id}/waybill`, body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body: { code } }) => code === 'waybill_used')).toHaveLength(19);
  expect(await shop.levels()).toEqual(['19/19']);
});

it('400 random steps of placing, packing, sending, paying, moving, cancelling and returning leave every level explained', async () => {
  const shop = await shippingShop(commerce, 30, 30, 30);
  await shop.fill(30, 30, 30);
  const { below, pick } = random(83);
  const orders: Order[] = [];
  const packed: string[] = [];
  const told = new Map<string, number>();
  const place = () => pick([shop.main, shop.second]);
  const note = ({ status, body }: { readonly status: number; readonly body: { readonly code?: string } }) => {
    const outcome = status < 300 ? 'done' : (body.code ?? String(status));
    told.set(outcome, (told.get(outcome) ?? 0) + 1);
  };
  let waybills = 10_000;
  const quantities = (order: Order) => order.items.map(({ qty }) => below(qty + 1));
  const shipped = async (order: Order, more: object) => {
    const answer = await shop.ship(order, quantities(order), { warehouse_id: place(), ...more });
    if (answer.status === 201) packed.push(answer.body.data.id);
    note(answer);
  };
  const steps: (() => Promise<void>)[] = [
    async () => {
      const placed = await shop.ask<Order>('POST', '/order', shop.cart(1 + below(3), below(3), below(3)));
      if (placed.status === 201) orders.push(placed.body.data);
    },
    () => shipped(pick(orders), {}),
    () => shipped(pick(orders), { waybill: `JP-${(waybills += 1)}` }),
    async () => note(await shop.ask<Shipment>('POST', `/shipping/shipments/${pick(packed)}/cancel`)),
    async () => {
      const body = { courier: 'JNE', waybill: `JP-${(waybills += 1)}` };
      note(await shop.ask<Shipment>('POST', `/order/${pick(orders).id}/waybill`, body));
    },
    async () => note(await shop.ship(pick(orders), [1], { direction: 'return', warehouse_id: place() })),
    async () => note(await shop.ask('POST', `/order/${pick(orders).id}/cancel`, { reason: 'Batal' })),
    async () => note(await shop.ask('POST', `/order/${pick(orders).id}/assign`, { warehouse_id: place() })),
    async () => note(await shop.pay(pick(orders).id)),
    async () => {
      const body = { order_id: pick(orders).id, status: 'unpaid' };
      note(await shop.ask('POST', '/order/change_payment_status', body));
    },
    async () =>
      note(
        await shop.ask('POST', '/order/change_status', {
          order_id: pick(orders).id,
          status: pick(['processing', 'completed']),
        }),
      ),
  ];
  for (let at = 0; at < 3; at += 1) await steps[0]?.();
  await shipped(orders[0] as Order, {});
  for (let round = 0; round < 100; round += 1) await Promise.all(Array.from({ length: 4 }, () => pick(steps)()));
  const known = [
    'done',
    'nothing_left',
    'invalid_transition',
    'out_of_stock',
    'below_reserved',
    'goods_out',
    'refund_first',
    'paid',
    'validation',
  ];
  expect([...told.keys()].filter((code) => !known.includes(code))).toEqual([]);
  expect(told.get('done')).toBeGreaterThan(50);
  expect(await misplaced(shop.storeId)).toEqual([]);
});
