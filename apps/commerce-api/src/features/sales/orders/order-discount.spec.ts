import { untilWaiting } from '@platform/testing';
import { refused, type Answered } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Coupon } from '../coupons/coupons.dto';
import type { Order } from './orders.dto';
import { orderShop, type OrderShop } from './orders.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

/** A coupon that takes 1,000 off without its code, once, unless told otherwise. */
const couponIn = async (shop: OrderShop, more: object = {}): Promise<string> => {
  const coupon = { code: 'AUTO', auto: true, kind: 'fixed', value: 1_000, usage_limit: 1, ...more };
  return (await shop.ask<Coupon>('POST', '/coupon', coupon)).body.data.id;
};
const usesOf = async (shop: OrderShop, id: string): Promise<number> =>
  (await shop.ask<Coupon>('GET', `/coupon/${id}`)).body.data.used_count;

/** Asks all of it while the coupons are locked, so that everybody has counted before anybody gets one; then what `meanwhile` says. */
const atOnce = async (
  shop: OrderShop,
  asks: readonly (() => Promise<Answered<Order>>)[],
  meanwhile = 'SELECT 1 FROM coupon WHERE store_id = $1',
): Promise<Answered<Order>[]> => {
  const asked = await commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM coupon WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
    const answers = asks.map((ask) => ask());
    await untilWaiting(tx, ...answers);
    await tx.query(meanwhile, [shop.storeId]);
    return { answers };
  });
  return Promise.all(asked.answers);
};
const three = (shop: OrderShop, more: object = {}) =>
  Array.from({ length: 3 }, () => () => shop.ask<Order>('POST', '/order', { ...shop.cart(1), ...more }));
/** What the orders save, the least first; each is kept as it was answered. */
const savedBy = async (shop: OrderShop, answers: readonly Answered<Order>[]): Promise<number[]> => {
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [201, undefined]));
  for (const { body } of answers)
    expect((await shop.ask<Order>('GET', `/order/${body.data.id}`)).body.data).toEqual(body.data);
  const orders = answers.map(({ body }) => body.data);
  expect(orders.every(({ subtotal, discount, total }) => subtotal - discount === total)).toBe(true);
  expect(orders.map(({ items }) => items[0]?.discount_share)).toEqual(orders.map(({ discount }) => discount));
  return orders.map(({ discount }) => discount).sort((one, other) => one - other);
};

describe('a coupon that counts by itself', () => {
  it('with one use left is of one of three orders at once, and the others are placed without it', async () => {
    const shop = await orderShop(commerce, 9);
    const id = await couponIn(shop);
    expect(await savedBy(shop, await atOnce(shop, three(shop)))).toEqual([0, 0, 1_000]);
    expect([await usesOf(shop, id), await shop.levels()]).toEqual([1, ['9/3']]);
  });

  it('that is gone leaves its place to the next best one, and in the end to the code', async () => {
    const shop = await orderShop(commerce, 9);
    const ids = [
      await couponIn(shop, { value: 3_000 }),
      await couponIn(shop, { code: 'SECOND', value: 2_000 }),
      await couponIn(shop, { code: 'MINE', auto: false, value: 500 }),
    ];
    const answers = await atOnce(shop, three(shop, { coupon: 'MINE' }));
    expect(await savedBy(shop, answers)).toEqual([500, 2_000, 3_000]);
    expect(answers.map(({ body }) => body.data.coupon?.code).sort()).toEqual(['MINE', null, null]);
    expect(await Promise.all(ids.map((id) => usesOf(shop, id)))).toEqual([1, 1, 1]);
  });

  it('once a number is of one of three orders of it at once, and the others are placed without it', async () => {
    const shop = await orderShop(commerce, 9);
    const id = await couponIn(shop, { usage_limit: undefined, per_contact_limit: 1 });
    expect(await savedBy(shop, await atOnce(shop, three(shop)))).toEqual([0, 0, 1_000]);
    expect(await usesOf(shop, id)).toBe(1);
  });

  it('that is paused while orders are placed counts for none of them', async () => {
    const shop = await orderShop(commerce, 9);
    await couponIn(shop, { usage_limit: 9 });
    const pause = `UPDATE coupon SET status = 'paused' WHERE store_id = $1`;
    expect(await savedBy(shop, await atOnce(shop, three(shop), pause))).toEqual([0, 0, 0]);
  });

  it('that is gone makes another total than the buyer was told, who is refused with it', async () => {
    const shop = await orderShop(commerce, 9);
    await couponIn(shop);
    const answers = await atOnce(shop, three(shop, { expected_total: 9_000 }));
    const amounts = { subtotal: 10_000, discount: 0, shipping_total: 0, fee: 0, tax_total: 0, total: 10_000 };
    const told = refused(409, 'total_changed', 'The total has changed', amounts);
    expect(answers.filter(({ status }) => status !== 201)).toEqual([told, told]);
    expect(await shop.levels()).toEqual(['9/1']);
  });

  it('that makes an order cost nothing is of one of three at once: that one is paid, the others wait for their money', async () => {
    const shop = await orderShop(commerce, 9);
    await couponIn(shop, { kind: 'percent', value: 100 });
    const answers = await atOnce(shop, three(shop));
    expect(await savedBy(shop, answers)).toEqual([0, 0, 10_000]);
    expect(answers.map(({ body }) => body.data.payment_status).sort()).toEqual(['paid', 'unpaid', 'unpaid']);
    expect(await shop.levels()).toEqual(['8/2']);
  });

  it('with one use left is of one of two orders that are edited at once, and the other is written without it', async () => {
    const shop = await orderShop(commerce, 9);
    const orders = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
    const id = await couponIn(shop, { min_subtotal: 20_000 });
    const edits = orders.map(
      (order) => () => shop.ask<Order>('PUT', `/order/${order.id}`, { ...shop.cart(2), version: order.version }),
    );
    const answers = await atOnce(shop, edits);
    expect(answers.map(({ status, body }) => [status, body.data.version])).toEqual([
      [200, 2],
      [200, 2],
    ]);
    expect(answers.map(({ body }) => body.data.total).sort()).toEqual([19_000, 20_000]);
    expect([await usesOf(shop, id), await shop.levels()]).toEqual([1, ['9/4']]);
  });
});

describe('one discount an order, the best of its code and those that count by themselves', () => {
  const fixed = (code: string, value: number, more: object = {}) => ({ code, kind: 'fixed', value, ...more });
  const auto = { auto: true };
  it.each<[string, object[], { code: string | null; amount: number } | null]>([
    ['the code', [fixed('MINE', 1_000)], { code: 'MINE', amount: 1_000 }],
    ['the code where it saves more', [fixed('MINE', 2), fixed('SELF', 1, auto)], { code: 'MINE', amount: 2 }],
    ['the code where both save as much', [fixed('MINE', 2), fixed('SELF', 2, auto)], { code: 'MINE', amount: 2 }],
    ['the other one where it saves more', [fixed('MINE', 2), fixed('SELF', 3, auto)], { code: null, amount: 3 }],
    [
      'the best of several',
      [fixed('MINE', 2), fixed('SELF', 3, auto), { ...auto, code: 'HALF', kind: 'percent', value: 50 }],
      { code: null, amount: 10_000 },
    ],
    [
      'none that is for more than is bought',
      [fixed('MINE', 2), fixed('SELF', 9, { ...auto, min_subtotal: 20_001 })],
      { code: 'MINE', amount: 2 },
    ],
    [
      'a code that counts by itself as a code',
      [fixed('MINE', 3, auto), fixed('SELF', 2, auto)],
      { code: 'MINE', amount: 3 },
    ],
  ])('is %s', async (_, coupons, counts) => {
    const shop = await orderShop(commerce, 9);
    for (const coupon of coupons) expect((await shop.ask('POST', '/coupon', coupon)).status).toBe(201);
    const order = await shop.place({ ...shop.cart(2), coupon: 'mine' });
    expect([order.coupon, order.total]).toEqual([counts, 20_000 - (counts?.amount ?? 0)]);
    const uses = await commerce.database.query<{ uses: string }>(
      `SELECT coalesce(sum(used_count), 0)::text AS uses FROM coupon WHERE store_id = $1`,
      [shop.storeId],
    );
    expect(uses).toEqual([{ uses: '1' }]);
  });
});
