import { costMicros, dollars } from './cost';

const PRICE = { input: 150_000n, cached: 75_000n, output: 600_000n };

it('the cost of a call matches the documented test vector', () => {
  expect(dollars(costMicros({ in: 812, cached: 0, out: 57 }, PRICE))).toBe('0.000156');
});

it('a cost is rounded up, with cached tokens at their own price and never more of them than there were', () => {
  expect(costMicros({ in: 1, cached: 0, out: 0 }, PRICE)).toBe(1);
  expect(costMicros({ in: 1_000_000, cached: 400_000, out: 0 }, PRICE)).toBe(90_000 + 30_000);
  expect(costMicros({ in: 100, cached: 500, out: 0 }, PRICE)).toBe(8);
  expect(dollars(0)).toBe('0.000000');
});
