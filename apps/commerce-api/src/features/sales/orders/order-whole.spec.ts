import type { Transaction } from '@platform/data';
import { random, until, type Random, type RunningProgram } from '@platform/testing';
import { isDeepStrictEqual } from 'node:util';
import { newApiToken, statementsOfRequests, useCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { By } from '../../../by';
import { withoutContacts } from '../buyers/public';
import { placeOrder } from './order-place';
import { calculate } from './order-quote';
import type { Calculated, NewOrder, Order } from './orders.dto';
import { BUYER, orderShop, withoutTills } from './orders.fixture';
import { orderById } from './orders.sql';

const commerce = useCommerce();
let other: RunningProgram | undefined;
afterEach(async () => {
  await other?.stop('SIGKILL');
  other = undefined;
  expect(await unexplained(commerce.database)).toEqual([]);
});

it('an order asks the database 14 times at most from the cart to its payment, who asks, its contact and both commits among them', async () => {
  const shop = await orderShop(commerce, 9, 9);
  const whole = async (): Promise<void> => void (await shop.pay((await shop.place(shop.cart(1, 2))).id));
  await whole();
  expect(await statementsOfRequests(commerce, whole)).toBeLessThanOrEqual(14);
});

/** One more or less makes other carts. */
const SEED = 10;
const CARTS = 100;
const COUPONS = [
  { code: 'P15', kind: 'percent', value: 15, max_discount: 9_999 },
  { code: 'F70', kind: 'fixed', value: 7_777, min_subtotal: 30_000 },
  { code: 'B21', kind: 'buy_get', buy_qty: 2, get_qty: 1 },
  { code: 'SHIP', kind: 'free_shipping' },
  { code: 'ALL', kind: 'percent', value: 100 },
  { code: 'A03', auto: true, kind: 'percent', value: 3 },
  { code: 'A9K', auto: true, kind: 'fixed', value: 9_000, min_subtotal: 50_000 },
];
/** Of each variant in the order of its number: what costs nothing, what no share divides, what is dear, and prices by quantity. */
const PRICES = [0, 1, 99, 10_000, 12_345, 999_999, 7, 250_003];
const SPREAD = `
  UPDATE variant v SET price = ($2::bigint[])[n], weight_g = 137 * n,
    tiers = CASE n % 3 WHEN 0 THEN jsonb_build_array(jsonb_build_object('min_qty', 3, 'price', ($2::bigint[])[n] / 2),
      jsonb_build_object('min_qty', 12, 'price', ($2::bigint[])[n] / 3)) ELSE '[]' END
  FROM (SELECT id, row_number() OVER (ORDER BY sku) AS n FROM variant WHERE store_id = $1) i
  WHERE v.store_id = $1 AND v.id = i.id`;

/** A shop with everything that prices follow from. */
const pricedShop = async (mode: string, currency: string) => {
  const shop = await orderShop(commerce, ...PRICES.map(() => 1_000_000));
  const { storeId, ask, variants } = shop;
  await commerce.database.query(SPREAD, [storeId, PRICES]);
  await commerce.database.query(`UPDATE product SET taxable = name NOT LIKE '%4' WHERE store_id = $1`, [storeId]);
  await commerce.database.query('UPDATE store SET currency = $2 WHERE store_id = $1', [storeId, currency]);
  const [product] = (await ask<{ id: string }[]>('GET', '/products?sku=HAT-5')).body.data;
  const scoped = { code: 'ONE', kind: 'percent', value: 33, scope: { product_ids: [product?.id] } };
  for (const coupon of [...COUPONS, scoped]) expect((await ask('POST', '/coupon', coupon)).status).toBe(201);
  await ask('PUT', '/settings/invoice', { version: 0, tax: { mode, shipping: mode === 'added' } });
  await ask('PUT', '/payment/methods/cash', { fee_bearer: 'buyer', fee: { percent_bp: 150, fixed: 333 } });
  const flat = { kind: 'flat', name: 'Kurir', cost: 15_001, free_over: 2_000_000 };
  const method_id = (await ask<{ id: string }>('POST', '/shipping/methods', flat)).body.data.id;
  const cartOf = ({ below, pick, chance }: Random): NewOrder => ({
    contact: BUYER,
    items: Array.from({ length: 1 + below(9) }, () => ({
      variant_id: pick(variants),
      qty: pick([1, 2, 1 + below(20)]),
    })),
    ...(chance(0.7) ? { coupon: pick([...COUPONS, scoped]).code } : {}),
    payment_method: 'cash',
    ...(chance(0.6) ? { shipping: { method_id }, address: { line: 'Jl. Braga 1', city: 'Bandung' } } : {}),
  });
  return { ...shop, cartOf };
};

/** What is false of a cart that was calculated, placed and read. */
const falseOf = (calculated: Calculated, placed: Order, kept: Order): string[] => {
  const { lines, warnings, ...terms } = calculated;
  const sum = (member: 'total' | 'discount_share' | 'tax') => lines.reduce((all, line) => all + line[member], 0);
  const added = terms.tax?.mode === 'added' ? terms.tax_total : 0;
  const asOrder = { ...placed, ...terms, items: placed.items.map((item, at) => ({ ...item, ...lines[at] })) };
  const { subtotal, discount, shipping_total, fee, tax_total, total } = terms;
  const statements = {
    'is placed as it was calculated': isDeepStrictEqual(asOrder, placed) && lines.length === placed.items.length,
    'is kept as it was placed': isDeepStrictEqual(kept, placed),
    'has lines that add up': sum('total') === subtotal,
    'has shares of its discount that add up': sum('discount_share') === discount,
    'has taxes that add up': sum('tax') === tax_total,
    'costs its parts': subtotal - discount + shipping_total + fee + added === total,
    'has nothing below 0': Math.min(discount, shipping_total, fee, tax_total, total) >= 0,
    'costs nothing and is paid, or waits': (total === 0) === (placed.payment_status === 'paid'),
    'has its code': warnings.length === 0,
  };
  return Object.entries(statements).flatMap(([statement, isTrue]) => (isTrue ? [] : [statement]));
};

describe(`random carts of the seed ${SEED}`, () => {
  it.each([
    ['none', 'IDR'],
    ['included', 'JPY'],
    ['added', 'VND'],
  ])('with tax %s in %s are placed and kept as they were calculated, and add up', async (mode, currency) => {
    const { storeId, cartOf } = await pricedShop(mode, currency);
    const by: By = { storeId, actor: 'u1', at: commerce.clock.now() };
    const audit = { tenantId: storeId, actor: { id: 'u1', name: 'Sari', kind: 'user' as const }, at: by.at };
    const placing = { by, audit, buyers: withoutContacts, tills: withoutTills, key: undefined };
    const dice = random(SEED);
    const seen = { free: 0, refused: 0 };
    const wrong: object[] = [];
    const one = async (tx: Transaction, cart: NewOrder): Promise<void> => {
      const calculated = await calculate({ sql: tx, gateways: withoutTills.gateways }, by, cart);
      const told = { ...cart, expected_total: calculated.total };
      const reason = calculated.warnings[0]?.reason;
      if (reason !== undefined) {
        await expect(placeOrder(tx, placing, told)).rejects.toMatchObject({ details: { reason } });
        seen.refused += 1;
        return one(tx, { ...cart, coupon: undefined });
      }
      const placed = await placeOrder(tx, placing, told);
      const found = falseOf(calculated, placed, await orderById(tx, storeId, placed.id));
      if (found.length > 0) wrong.push({ seed: SEED, cart, found });
      if (placed.total === 0) seen.free += 1;
    };
    for (let at = 0; at < CARTS; at += 25)
      await commerce.database.tx(async (tx) => {
        for (let each = 0; each < 25; each += 1) await one(tx, cartOf(dice));
      });
    expect(wrong).toEqual([]);
    expect([seen.free > 0, seen.refused > 0]).toEqual([true, true]);
  });
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
