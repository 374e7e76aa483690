import { costMicros, type Price } from './cost';
import type { Attempt, PricedAttempt } from './model.attempts';

/** The calls with what they cost; a call without a price list entry has none, one that told no usage is free. */
export const priced = (attempts: readonly Attempt[], prices: ReadonlyMap<string, Price>): PricedAttempt[] =>
  attempts.map((attempt) => {
    const price = prices.get(attempt.model);
    const usage = attempt.reply?.usage;
    if (!price) return { ...attempt, costMicros: null };
    return { ...attempt, costMicros: usage ? costMicros(usage, price) : 0 };
  });
