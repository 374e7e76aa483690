import { highestPrice } from '../budget/public';
import { costMicros, type Price, type PricedAttempt } from '../model/public';

/** Where no price is known at all, steps and tokens are the only limits of a turn. */
const highest = (prices: ReadonlyMap<string, Price>): Price | undefined =>
  prices.size === 0 ? undefined : highestPrice(prices);

/** What caps count of an attempt: one without a price costs as much as with the dearest model, or no cap would ever trip. */
export const capMicros = ({ costMicros: cost, reply }: PricedAttempt, prices: ReadonlyMap<string, Price>): number => {
  const price = highest(prices);
  return cost ?? (reply?.usage && price ? costMicros(reply.usage, price) : 0);
};

/** What a further call would cost at most, with nothing cached. */
export const estimateMicros = (
  model: string,
  usage: { readonly in: number; readonly out: number },
  prices: ReadonlyMap<string, Price>,
): number => {
  const price = prices.get(model) ?? highest(prices);
  return price ? costMicros({ ...usage, cached: 0 }, price) : 0;
};
