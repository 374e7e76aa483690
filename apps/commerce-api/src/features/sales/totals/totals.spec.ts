import { random } from '@platform/testing';
import { sharesOf, sum } from './shares';
import { totalsOf } from './totals';
import { cartOf, discountOf, lineOf, NO_TAX } from './totals.fixture';
import type { Cart, CartLine, Discount, TaxRule, Totals } from './totals.types';

const ADDED: TaxRule = { ...NO_TAX, mode: 'added' };
const INCLUDED: TaxRule = { ...NO_TAX, mode: 'included' };

it('an order of two lines costs goods, shipping, fee and added tax', () => {
  const lines = [lineOf({ qty: 3 }), lineOf({ variantId: 'v2', price: 3_333, taxable: false })];
  const totals = totalsOf(cartOf({ lines, shipping: 9_000, fee: { fixed: 2_500, percentBp: 70 }, tax: ADDED }));
  expect(totals).toEqual({
    lines: [
      { variantId: 'v1', qty: 3, price: 10_000, total: 30_000, discountShare: 0, tax: 3_300 },
      { variantId: 'v2', qty: 1, price: 3_333, total: 3_333, discountShare: 0, tax: 0 },
    ],
    ...{ subtotal: 33_333, discount: 0, applied: null, shippingTotal: 9_000, fee: 2_796, taxTotal: 3_300 },
    ...{ tax: { mode: 'added', rateBp: 1200, base: 30_000 }, total: 48_429 },
  });
});

describe('shares', () => {
  it.each([
    ['of nothing', 0, [3, 4], [0, 0]],
    ['of equal weights give the spare unit to the first', 100, [1, 1, 1], [34, 33, 33]],
    ['give spare units to the largest remainders', 10, [1, 4, 5, 6], [1, 2, 3, 4]],
    ['of weights that are all 0 are alike', 5, [0, 0], [3, 2]],
    ['of a weight of 0 beside others are 0', 7, [0, 1], [0, 7]],
    ['of the largest amounts are exact', 1_000_000_000_000, [999_999_999_999, 1], [999_999_999_999, 1]],
  ])('%s', (_, whole, weights, shares) => {
    expect(sharesOf(whole, weights)).toEqual(shares);
  });
});

describe('the price of a unit', () => {
  const tiers = [
    { minQty: 6, price: 8_000, tagId: null },
    { minQty: 3, price: 9_000, tagId: null },
    { minQty: 2, price: 5_000, tagId: 'reseller' },
  ];
  const priced = (quantities: readonly number[], buyerTags: readonly string[] = []) =>
    totalsOf(cartOf({ lines: quantities.map((qty) => lineOf({ qty, tiers })), buyerTags })).lines.map(
      (line) => line.price,
    );

  it('is that of the variant below the first tier', () => expect(priced([2])).toEqual([10_000]));
  it('is the lowest tier that the quantity reaches', () => expect(priced([5])).toEqual([9_000]));
  it('counts the units of a variant in all its lines', () => expect(priced([3, 3])).toEqual([8_000, 8_000]));
  it('is a tier of a tag for buyers who have the tag', () => expect(priced([2], ['reseller'])).toEqual([5_000]));
  it('is never above the price of the variant', () => {
    const dear = [{ minQty: 2, price: 12_000, tagId: null }];
    expect(totalsOf(cartOf({ lines: [lineOf({ qty: 2, tiers: dear })] })).subtotal).toBe(20_000);
  });
});

describe('of the discounts of a cart', () => {
  const lines = [
    lineOf({ qty: 2 }),
    lineOf({ variantId: 'v2', productId: 'p2', categoryIds: ['k1', 'k0'], price: 5_000, qty: 4 }),
  ];
  const auto = (discount: Partial<Discount>): Discount => discountOf({ couponId: 'auto', code: null, ...discount });
  const inCategory = { productIds: [], categoryIds: ['k0'] };
  const cases: readonly [string, readonly Discount[], { applied: unknown; shares: number[]; shipping: number }][] = [
    ['none saves nothing', [], { applied: null, shares: [0, 0], shipping: 9_000 }],
    [
      'a percentage counts on all lines',
      [discountOf()],
      { applied: ['c1', 4_000], shares: [2_000, 2_000], shipping: 9_000 },
    ],
    [
      'a percentage is capped',
      [discountOf({ value: 50, maxDiscount: 5_001 })],
      { applied: ['c1', 5_001], shares: [2_501, 2_500], shipping: 9_000 },
    ],
    [
      'a percentage counts on a category and those below it',
      [discountOf({ scope: inCategory })],
      { applied: ['c1', 2_000], shares: [0, 2_000], shipping: 9_000 },
    ],
    [
      'an amount takes no more than the lines in its scope cost',
      [discountOf({ kind: 'fixed', value: 90_000, scope: { productIds: ['p1'], categoryIds: [] } })],
      { applied: ['c1', 20_000], shares: [20_000, 0], shipping: 9_000 },
    ],
    [
      'free shipping takes shipping off',
      [discountOf({ kind: 'free_shipping', value: 0 })],
      { applied: ['c1', 9_000], shares: [0, 0], shipping: 0 },
    ],
    [
      'free shipping is capped',
      [discountOf({ kind: 'free_shipping', value: 0, maxDiscount: 4_000 })],
      { applied: ['c1', 4_000], shares: [0, 0], shipping: 5_000 },
    ],
    [
      'two and one free makes the cheapest free',
      [discountOf({ kind: 'buy_get', buyQty: 2, getQty: 1 })],
      { applied: ['c1', 10_000], shares: [0, 10_000], shipping: 9_000 },
    ],
    [
      'one and one free goes over to the next line',
      [discountOf({ kind: 'buy_get', buyQty: 1, getQty: 5 })],
      { applied: ['c1', 30_000], shares: [10_000, 20_000], shipping: 9_000 },
    ],
    [
      'the one that saves most counts',
      [discountOf(), auto({ value: 25 })],
      { applied: ['auto', 10_000], shares: [5_000, 5_000], shipping: 9_000 },
    ],
    [
      'of equal ones the code counts, whatever their order',
      [auto({}), discountOf()],
      { applied: ['c1', 4_000], shares: [2_000, 2_000], shipping: 9_000 },
    ],
    [
      'one below its smallest subtotal does not count',
      [discountOf({ minSubtotal: 40_001 })],
      { applied: null, shares: [0, 0], shipping: 9_000 },
    ],
    [
      'one without a line in its scope does not count',
      [discountOf({ scope: { productIds: ['p3'], categoryIds: [] } })],
      { applied: null, shares: [0, 0], shipping: 9_000 },
    ],
  ];
  it.each(cases)('%s', (_, discounts, { applied, shares, shipping }) => {
    const totals = totalsOf(cartOf({ lines, shipping: 9_000, discounts }));
    expect({
      applied: totals.applied && [totals.applied.couponId, totals.applied.amount],
      shares: totals.lines.map(({ discountShare }) => discountShare),
      shipping: totals.shippingTotal,
    }).toEqual({ applied, shares, shipping });
    expect(totals.total).toBe(40_000 - sum(shares) + shipping);
  });
});

it('an order that is free has no fee', () => {
  const discounts = [discountOf({ value: 100 })];
  expect(totalsOf(cartOf({ discounts, fee: { fixed: 4_000, percentBp: 200 } }))).toMatchObject({ fee: 0, total: 0 });
});

it('tax on shipping falls on lines that cost nothing too, so that the lines add up', () => {
  const cart = cartOf({ lines: [lineOf(), lineOf()], shipping: 10_000, discounts: [discountOf({ value: 100 })] });
  const { lines, taxTotal } = totalsOf({ ...cart, tax: { ...ADDED, shipping: true } });
  expect([taxTotal, lines.map(({ tax }) => tax)]).toEqual([1_100, [550, 550]]);
});

const KINDS: readonly Discount['kind'][] = ['percent', 'fixed', 'free_shipping', 'buy_get'];
const MODES: readonly TaxRule['mode'][] = ['none', 'added', 'included'];

describe('10,000 random carts', () => {
  const { below, chance, pick } = random(11);
  const upTo = (most: number): number => below(most + 1);
  const ids = (prefix: string): string[] => (chance(0.5) ? [] : [`${prefix}${upTo(3)}`]);
  const line = (): CartLine => ({
    ...{ variantId: `v${upTo(4)}`, productId: `p${upTo(3)}`, categoryIds: ids('k'), taxable: chance(0.8) },
    ...{ price: pick([0, 1, upTo(99), upTo(10_000_000)]), qty: pick([1, 1 + upTo(20), 9_999]) },
    tiers: chance(0.7) ? [] : [{ minQty: 2 + upTo(10), price: upTo(1_000), tagId: pick([null, 'reseller']) }],
  });
  const discount = (): Discount => ({
    ...{
      couponId: `c${upTo(9)}`,
      code: pick(['SALE', null]),
      kind: pick(KINDS),
    },
    ...{ value: 1 + upTo(99), buyQty: 1 + upTo(3), getQty: 1 + upTo(2) },
    ...{ maxDiscount: pick([null, upTo(50_000)]), minSubtotal: pick([0, upTo(100_000)]) },
    scope: { productIds: ids('p'), categoryIds: ids('k') },
  });
  const many = <One>(count: number, make: () => One): One[] => Array.from({ length: count }, make);
  const cart = (): Cart => ({
    ...{ lines: many(1 + upTo(6), line), buyerTags: pick([[], ['reseller']]), shipping: pick([0, upTo(100_000)]) },
    ...{ discounts: many(upTo(3), discount), fee: { fixed: upTo(5_000), percentBp: upTo(500) } },
    tax: {
      mode: pick(MODES),
      rateBp: pick([0, 1_200, upTo(10_000)]),
      baseNum: 11,
      baseDen: 12,
      shipping: chance(0.5),
    },
  });

  /** The statements that are false of a cart. */
  const falseOf = (one: Cart, { lines, ...totals }: Totals): string[] => {
    const { subtotal, discount: off, shippingTotal, fee, taxTotal, total } = totals;
    const added = one.tax.mode === 'added' ? taxTotal : 0;
    const statements = {
      'prices add up': sum(lines.map(({ price, qty }) => price * qty)) === subtotal,
      'discount shares add up': sum(lines.map(({ discountShare }) => discountShare)) === off,
      'tax shares add up': sum(lines.map(({ tax }) => tax)) === taxTotal,
      'the total is its parts': subtotal - off + shippingTotal + fee + added === total,
      'what is applied is what is saved': (totals.applied?.amount ?? 0) === off + one.shipping - shippingTotal,
      'no line costs less than nothing': lines.every(
        (each) => each.discountShare >= 0 && each.discountShare <= each.total,
      ),
      'nothing is below 0': Math.min(off, shippingTotal, fee, taxTotal, total, ...lines.map(({ tax }) => tax)) >= 0,
      'the total is exact': Number.isSafeInteger(total),
    };
    return Object.entries(statements).flatMap(([statement, isTrue]) => (isTrue ? [] : [statement]));
  };

  it('add up in lines, shares and tax, and are never below 0', () => {
    const wrong = many(10_000, cart).flatMap((one) => {
      const found = falseOf(one, totalsOf(one));
      return found.length > 0 ? [{ cart: one, found }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('are taxed as rational numbers say, half a unit up', () => {
    const isRight = (one: Cart): boolean => {
      const { tax, taxTotal } = totalsOf(one);
      if (!tax) return true;
      const part = BigInt(tax.rateBp * one.tax.baseNum);
      const whole = BigInt(10_000 * one.tax.baseDen) + (tax.mode === 'included' ? part : 0n);
      const twiceTheDistance = 2n * (BigInt(taxTotal) * whole - BigInt(tax.base) * part);
      return twiceTheDistance > -whole && twiceTheDistance <= whole;
    };
    expect(many(10_000, cart).filter((one) => !isRight(one))).toEqual([]);
  });
});

it('an included tax is part of the total, an added one is not', () => {
  const total = (tax: TaxRule) => totalsOf(cartOf({ lines: [lineOf({ price: 111_000 })], tax }));
  expect(total(INCLUDED)).toMatchObject({ total: 111_000, taxTotal: 11_000 });
  expect(total(ADDED)).toMatchObject({ total: 123_210, taxTotal: 12_210 });
});
