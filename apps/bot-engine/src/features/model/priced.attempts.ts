import { costMicros, type Price } from './cost';
import type { Attempt, PricedAttempt } from './model.attempts';

/** The call with what it cost; without an entry in the price list it has none, and one that told no usage is free. */
export const pricedAttempt = (attempt: Attempt, prices: ReadonlyMap<string, Price>): PricedAttempt => {
  const price = prices.get(attempt.model);
  const usage = attempt.reply?.usage;
  if (!price) return { ...attempt, costMicros: null };
  return { ...attempt, costMicros: usage ? costMicros(usage, price) : 0 };
};

export const priced = (attempts: readonly Attempt[], prices: ReadonlyMap<string, Price>): PricedAttempt[] =>
  attempts.map((attempt) => pricedAttempt(attempt, prices));
