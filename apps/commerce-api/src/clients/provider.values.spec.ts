import { amountOf, linesOf, majorOf, minutesUntil, timeAt, webAddressAt } from './provider.values';

it.each([
  [150_000, 'IDR', 150_000],
  ['150000', 'IDR', 150_000],
  ['150000.00', 'IDR', 150_000],
  [0, 'IDR', 0],
  [12.5, 'USD', 1_250],
  ['12.50', 'USD', 1_250],
  ['12', 'USD', 1_200],
  [999_999_999_999, 'IDR', 999_999_999_999],
])('%p %s is %p', (given, currency, expected) => {
  expect(amountOf(given, currency)).toBe(expected);
});

it.each([
  ...['150000.50', '150,000', '-1', '', ' 1', '1e5', '0x10', 'NaN', '９', '1.', '.5', '99999999999999999'],
  ...[-1, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 1e21, null, undefined, {}, [], ['1'], true],
])('%p is no amount of rupiah', (given) => {
  expect(amountOf(given, 'IDR')).toBeUndefined();
});

it('amounts leave as they came', () => {
  expect([majorOf(150_000, 'IDR'), majorOf(1_250, 'USD')]).toEqual([150_000, 12.5]);
});

it('lines are shown where they add up', () => {
  const lines = [
    { name: 'a', qty: 2, price: 500 },
    { name: 'b', qty: 1, price: 1 },
  ];
  expect([linesOf(lines, 1_001), linesOf(lines, 1_002)]).toEqual([lines, []]);
});

it('a time needs its offset, and an address its protocol', () => {
  const row = {
    ...{ z: '2026-11-20T07:00:00Z', wib: '2026-11-20T14:00:00+07:00', bare: '2026-11-20T07:00:00', odd: 'yesterday' },
    ...{ good: 'https://pay.example/x', script: 'javascript:alert(1)', data: 'data:text/html,x', number: 5 },
  };
  expect(['z', 'wib', 'bare', 'odd', 'none'].map((name) => timeAt(row, name)?.toISOString() ?? null)).toEqual([
    ...['2026-11-20T07:00:00.000Z', '2026-11-20T07:00:00.000Z'],
    ...[null, null, null],
  ]);
  expect(['good', 'script', 'data', 'number'].map((name) => webAddressAt(row, name))).toEqual([
    ...['https://pay.example/x', undefined, undefined, undefined],
  ]);
});

it('what is nearly over still lasts a minute', () => {
  const now = new Date('2026-11-20T07:00:00Z');
  const at = (seconds: number) => minutesUntil(new Date(now.getTime() + seconds * 1_000), now);
  expect([at(-5), at(59), at(119), at(3_600)]).toEqual([1, 1, 1, 60]);
});
