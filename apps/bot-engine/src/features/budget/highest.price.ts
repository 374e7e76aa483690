import type { Price } from '../model/public';

/** Where no model has a price: dearer, in micro-dollars a million tokens, than most models are. */
const WITHOUT_ANY: Price = { input: 15_000_000n, cached: 15_000_000n, output: 75_000_000n };

const most = (amounts: readonly bigint[]): bigint => amounts.reduce((high, next) => (next > high ? next : high), 0n);

/**
 * What a model without a price counts with: as much as the dearest that is known, for each kind of token. A cap that is fed
 * by unknown prices would never be reached (design 3.4).
 */
export const highestPrice = (prices: ReadonlyMap<string, Price>): Price => {
  if (prices.size === 0) return WITHOUT_ANY;
  const known = [...prices.values()];
  const input = most(known.map((price) => price.input));
  return { input, cached: input, output: most(known.map((price) => price.output)) };
};
