import { random, until, type RunningProgram } from '@platform/testing';
import { newApiToken, statementsOfRequests, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { By } from '../../../by';
import { withoutContacts } from '../buyers/public';
import { placeOrder } from './order-place';
import { calculate } from './order-quote';
import type { NewOrder, Order } from './orders.dto';
import { orderShop, type OrderShop } from './orders.fixture';
import { orderById } from './orders.sql';

const commerce = useCommerce();
let other: RunningProgram | undefined;
afterEach(async () => {
  await other?.stop('SIGKILL');
  other = undefined;
  expect(await unexplained(commerce.database)).toEqual([]);
});

it('an order takes at most 15 statements from the cart to its payment, besides those that tell who asks, find the contact, begin and end', async () => {
  const shop = await orderShop(commerce, 9, 9);
  const whole = async (): Promise<void> => void (await shop.pay((await shop.place(shop.cart(1, 2))).id));
  await whole();
  // Each of the two requests: who asks, BEGIN and COMMIT; the first one: whose number it is
  expect((await statementsOfRequests(commerce, whole)) - 2 * 3 - 1).toBeLessThanOrEqual(15);
});

describe('random carts', () => {
  const COUPONS = [
    { code: 'P15', kind: 'percent', value: 15, max_discount: 9_999 },
    { code: 'F70', kind: 'fixed', value: 7_777 },
    { code: 'B21', kind: 'buy_get', buy_qty: 2, get_qty: 1 },
    { code: 'A03', auto: true, kind: 'percent', value: 3 },
    { code: 'ALL', kind: 'percent', value: 100 },
  ];
  const cartOf = (shop: OrderShop, { below, pick, chance }: ReturnType<typeof random>): NewOrder =>
    ({
      ...shop.cart(1 + below(4), below(5), below(3)),
      ...{ payment_method: 'cash' as const },
      ...(chance(0.7) ? { coupon: pick(['P15', 'F70', 'B21', 'ALL']) } : {}),
    }) as unknown as NewOrder;

  it.each(['none', 'included', 'added'])(
    'with tax %s are placed and kept as they were calculated, and add up',
    async (mode) => {
      const shop = await orderShop(commerce, 100_000, 100_000, 100_000);
      for (const coupon of COUPONS) expect((await shop.ask('POST', '/coupon', coupon)).status).toBe(201);
      await shop.ask('PUT', '/settings/invoice', { version: 0, tax: { mode } });
      const by: By = { storeId: shop.storeId, actor: 'u1', at: commerce.clock.now() };
      const audit = { tenantId: shop.storeId, actor: { id: 'u1', name: 'Sari', kind: 'user' as const }, at: by.at };
      const placing = { by, audit, buyers: withoutContacts, key: undefined };
      const dice = random(10);
      for (let at = 0; at < 25; at += 1) {
        const body = cartOf(shop, dice);
        const { warnings: _warnings, lines, ...terms } = await calculate(commerce.database, by, body);
        const placed = await commerce.database.tx((tx) =>
          placeOrder(tx, placing, { ...body, expected_total: terms.total }),
        );
        const kept = await orderById(commerce.database, shop.storeId, placed.id);
        expect([kept, kept.items.map(({ id: _id, note: _note, ...item }) => item)]).toEqual([placed, lines]);
        expect(placed).toMatchObject(terms);
        const sum = (member: 'total' | 'discount_share' | 'tax') => lines.reduce((all, line) => all + line[member], 0);
        expect([sum('total'), sum('discount_share'), sum('tax'), terms.total >= 0]).toEqual([
          ...[terms.subtotal, terms.discount, terms.tax_total, true],
        ]);
      }
    },
  );
});

it('orders whose process is killed while they are placed and paid are one a key, paid once, and followed once', async () => {
  const shop = await orderShop(commerce, 1_000);
  const killed = (other = await startSecondProcess(commerce));
  const { token } = await newApiToken(commerce, shop.storeId, { abilities: ['order.write', 'payment.record'] });
  const ask = async (url: string, path: string, body: object, key?: string): Promise<Order | undefined> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const keyed = key === undefined ? headers : { ...headers, 'idempotency-key': key };
    const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers: keyed, body: JSON.stringify(body) });
    return ((await answer.json()) as { data?: Order }).data;
  };
  const journey = async (url: string, key: string): Promise<void> => {
    const order = await ask(url, '/order', shop.cart(1), key);
    if (order) await ask(url, '/order/change_payment_status', { order_id: order.id, status: 'paid', method: 'cash' });
  };
  const keys = Array.from({ length: 40 }, (_, at) => `k${at}`);
  const begun = Promise.all(keys.map((key) => journey(killed.url, key).catch(() => undefined)));
  const paid = async (): Promise<number> =>
    (
      await commerce.database.query(`SELECT 1 FROM sales_order WHERE store_id = $1 AND payment_status = 'paid'`, [
        shop.storeId,
      ])
    ).length;
  await until(paid);
  await killed.stop('SIGKILL');
  await begun;
  for (const key of keys) await journey(commerce.url, key);
  expect(await paid()).toBe(40);
  /** Of each kind, how many orders have it how often. */
  const followed = () =>
    commerce.database.query(
      `SELECT type, times::int, count(*)::int AS orders FROM (
         SELECT type, count(*) AS times FROM order_event WHERE store_id = $1 GROUP BY order_id, type) t
       GROUP BY type, times ORDER BY type`,
      [shop.storeId],
    );
  const once = ['paid', 'payment', 'placed'].map((type) => ({ type, times: 1, orders: 40 }));
  await until(async () => (await followed()).length === 3 && (await followed())[0]?.orders === 40);
  expect([await followed(), await shop.levels()]).toEqual([once, ['960/0']]);
});
