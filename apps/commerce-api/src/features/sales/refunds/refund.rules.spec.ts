import { random } from '@platform/testing';
import {
  bearerOf,
  feeShareOf,
  sharesOfAmount,
  sharesOfLines,
  type PaidPayment,
  type SoldLine,
  type SoldOrder,
} from './refund.rules';

const NOTHING = { qty: 0, amount: 0, tax: 0 };
const lineOf = (id: string, qty: number, net: number, tax = 0): SoldLine => ({ id, qty, net, tax, back: NOTHING });
const orderOf = (lines: readonly SoldLine[], rest = 0): SoldOrder => ({
  total: lines.reduce((sum, { net }) => sum + net, rest),
  tax: lines.reduce((sum, { tax }) => sum + tax, 0),
  lines,
  back: { amount: 0, tax: 0 },
  surplus: 0,
});

it.each([
  [2, [1, 1]],
  [7, [1, 6]],
  [7, [2, 2, 2, 1]],
  [3, [3]],
])('pieces of a line of 100 in %i add up to the line, however it is split', (qty, split) => {
  let line = lineOf('a', qty, 100, 9);
  for (const each of split) {
    const order = orderOf([line, lineOf('b', 1, 50)]);
    const [share] = sharesOfLines(order, [{ order_item_id: 'a', qty: each }]).lines;
    const { amount = 0, tax = 0 } = share ?? {};
    line = {
      ...line,
      back: { qty: line.back.qty + each, amount: line.back.amount + amount, tax: line.back.tax + tax },
    };
  }
  expect(line.back).toEqual({ qty, amount: 100, tax: 9 });
});

it('the last pieces of an order give shipping and fee back too', () => {
  const order = orderOf([lineOf('a', 1, 100), lineOf('b', 1, 50)], 12_000);
  const first = sharesOfLines(order, [{ order_item_id: 'a', qty: 1 }]);
  expect(first.amount).toBe(100);
  const [a, b] = order.lines as [SoldLine, SoldLine];
  const then = { ...order, lines: [{ ...a, back: { qty: 1, amount: 100, tax: 0 } }, b], back: { amount: 100, tax: 0 } };
  expect(sharesOfLines(then, [{ order_item_id: 'b', qty: 1 }]).amount).toBe(12_050);
});

it.each([
  ['more pieces than are left', [{ order_item_id: 'a', qty: 3 }], /^lines\[0\].qty must be 2 or less/],
  ['a line that is none of it', [{ order_item_id: 'x', qty: 1 }], /^lines\[0\].order_item_id is not a line/],
  [
    'a line that is named twice',
    [
      { order_item_id: 'a', qty: 1 },
      { order_item_id: 'a', qty: 1 },
    ],
    /^lines\[1\].order_item_id is named twice/,
  ],
])('%s: refused, and told where', (_what, wanted, text) => {
  const order = orderOf([lineOf('a', 2, 100)]);
  expect(() => sharesOfLines(order, wanted)).toThrow(text);
});

/** Gives an order back in random steps, some of which fail afterwards, until nothing is left; resolves to what has come together. */
const giveBack = (seed: number) => {
  const { below, chance, pick } = random(seed);
  const lines = Array.from({ length: 1 + below(6) }, (_, at) => {
    const net = below(3) === 0 ? below(5) : below(2_000_000);
    return lineOf(`l${at}`, 1 + below(9), net, Math.floor((net * 11) / 111));
  });
  let order = orderOf(lines, pick([0, below(30_000)]));
  let [amount, tax] = [0, 0];
  for (;;) {
    const open = order.lines.filter((line) => line.back.qty < line.qty);
    if (open.length === 0) return { order, amount, tax };
    const wanted = open
      .filter(() => chance(0.6))
      .map((line) => ({ order_item_id: line.id, qty: 1 + below(line.qty - line.back.qty) }));
    if (wanted.length === 0) continue;
    const shares = sharesOfLines(order, wanted);
    expect([shares.amount >= 0, shares.tax >= 0, shares.tax <= shares.amount]).toEqual([true, true, true]);
    if (chance(0.2)) continue; // this one failed
    amount += shares.amount;
    tax += shares.tax;
    order = {
      ...order,
      back: { amount, tax },
      lines: order.lines.map((line) => {
        const share = shares.lines.find(({ order_item_id }) => order_item_id === line.id);
        if (!share) return line;
        const { qty, ...money } = share;
        return {
          ...line,
          back: { qty: line.back.qty + qty, amount: line.back.amount + money.amount, tax: line.back.tax + money.tax },
        };
      }),
    };
  }
};

it('of two thousand random orders every split of the lines comes to exactly the total and exactly the tax', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const { order, amount, tax } = giveBack(seed);
    expect([seed, amount, tax]).toEqual([seed, order.total, order.tax]);
  }
});

it('amounts have their part of the tax, and all of them together all of it', () => {
  let order = orderOf([lineOf('a', 3, 1_110, 110)]);
  const taxes = [1, 333, 333, 443].map((amount) => {
    const { tax } = sharesOfAmount(order, amount);
    order = { ...order, back: { amount: order.back.amount + amount, tax: order.back.tax + tax } };
    return tax;
  });
  expect(taxes).toEqual([0, 33, 33, 44]);
});

const payment = (more: Partial<PaidPayment> = {}): PaidPayment => ({
  ...{
    id: 'p',
    provider: 'b',
    provider_ref: 'inv-1',
    mode: 'platform',
    amount: 1_000,
    platform_fee: 30,
    currency: 'IDR',
  },
  back: { amount: 0, fee: 0 },
  ...more,
});

it('the parts of a fee come to the whole fee', () => {
  const first = feeShareOf(payment(), 333);
  const second = feeShareOf(payment({ back: { amount: 333, fee: first } }), 333);
  const last = feeShareOf(payment({ back: { amount: 666, fee: first + second } }), 334);
  expect([first, second, last]).toEqual([9, 10, 11]);
});

it('the newest payment that bears an amount gives it back', () => {
  const payments = [payment({ id: 'new', amount: 400 }), payment({ id: 'old' })];
  const bearer = (amount: number) => bearerOf(payments, { amount, method: 'provider', field: 'amount' }).id;
  expect([bearer(400), bearer(401)]).toEqual(['new', 'old']);
  expect(() => bearer(1_001)).toThrow(/1000 or less/);
});

it.each([
  ['provider', { provider: 'a' }],
  ['provider', { provider_ref: null }],
  ['payout', { mode: 'direct' }],
] as const)('%s is not supported by a payment of %j', (method, more) =>
  expect(() => bearerOf([payment(more)], { amount: 1, method, field: 'amount' })).toThrow(
    expect.objectContaining({ code: 'not_supported' }),
  ),
);
