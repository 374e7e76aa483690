import { costMicros, type Price, type PricedAttempt } from '../model/public';

const dearest = (prices: ReadonlyMap<string, Price>): Price | undefined =>
  [...prices.values()].reduce<Price | undefined>(
    (most, price) => (most && most.input + most.output >= price.input + price.output ? most : price),
    undefined,
  );

/** What caps count of an attempt: one without a price costs as much as with the dearest model, or no cap would ever trip. */
export const capMicros = ({ costMicros: cost, reply }: PricedAttempt, prices: ReadonlyMap<string, Price>): number => {
  const highest = dearest(prices);
  return cost ?? (reply?.usage && highest ? costMicros(reply.usage, highest) : 0);
};

/** What a further call would cost at most, with nothing cached. */
export const estimateMicros = (
  model: string,
  usage: { readonly in: number; readonly out: number },
  prices: ReadonlyMap<string, Price>,
): number => {
  const price = prices.get(model) ?? dearest(prices);
  return price ? costMicros({ ...usage, cached: 0 }, price) : 0;
};
