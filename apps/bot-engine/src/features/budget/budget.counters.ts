import { joined, type Cache } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { costMicros, type Prices } from '../model/public';
import type { Store } from '../stores/public';
import { KEEP_COUNTERS, READ_COUNTERS } from './budget.scripts';
import type { BudgetSums, Sum } from './budget.sums';
import { highestPrice } from './highest.price';
import { calendarAt, type Span } from './local.calendar';

/** A counter lives so long, then it is counted anew: whatever was lost on the way to it counts again. */
const KEPT_MS = 3_600_000;

export interface CountersDeps {
  readonly cache: Pick<Cache, 'runScript'>;
  readonly sums: BudgetSums;
  readonly prices: Prices;
  readonly clock: Clock;
}

/** The spans in which a store is counted now. */
export interface Spans {
  readonly day: Span;
  readonly month: Span;
  /** Of the plan's replies. */
  readonly period: Pick<Span, 'from' | 'until'>;
}

export interface Spent {
  readonly day: number;
  readonly month: number;
  readonly replies: number;
}

const MINUTE_MS = 60_000;

/** A period whose end has passed is over: the next began there, and commerce-api will soon say how long it lasts. */
const periodOf = ({ periodStart, periodEnd }: Store, month: Span, now: Date): Spans['period'] => {
  if (!periodStart || !periodEnd) return { from: periodStart ?? month.from, until: periodEnd ?? month.until };
  if (periodEnd > now) return { from: periodStart, until: periodEnd };
  return { from: periodEnd, until: new Date(now.getTime() + 15 * MINUTE_MS) };
};

export const spansOf = (store: Store, now: Date): Spans => {
  const { day, month } = calendarAt(now, store.timezone);
  return { day, month, period: periodOf(store, month, now) };
};

/** Keys of the counters of a store: the day's, the month's, the replies'. */
export const counterKeys = ({ id }: Store, { day, month, period }: Spans) =>
  [
    `budget:${id}:day:${day.name}`,
    `budget:${id}:month:${month.name}`,
    `budget:${id}:replies:${period.from.toISOString()}`,
  ] as const;

/** What was spent in the spans: from the counters, or where one is missing, from the rows, which then fill it. */
export const readCounters = ({ cache, sums, prices, clock }: CountersDeps) => {
  const once = joined<Spent>();
  const withUnpriced = async ({ micros, unpriced }: Sum): Promise<number> =>
    micros + costMicros({ ...unpriced, cached: 0 }, highestPrice(await prices.current()));
  const count = async ({ id }: Store, { day, month, period }: Spans): Promise<Spent> => {
    const [costs, replies] = await Promise.all([sums.costs(id, day.from, month.from), sums.replies(id, period.from)]);
    return { day: await withUnpriced(costs.day), month: await withUnpriced(costs.month), replies };
  };
  return async (store: Store): Promise<{ readonly spent: Spent; readonly spans: Spans }> => {
    const spans = spansOf(store, clock.now());
    const keys = counterKeys(store, spans);
    const read = async (): Promise<Spent | undefined> => {
      const [day = null, month = null, replies = null] = await cache.runScript(READ_COUNTERS, keys, []);
      if (day === null || month === null || replies === null) return undefined;
      return { day: Number(day), month: Number(month), replies: Number(replies) };
    };
    const fill = async (): Promise<Spent> => {
      const found = await read();
      if (found) return found;
      const counted = await count(store, spans);
      await cache.runScript(KEEP_COUNTERS, keys, [KEPT_MS, counted.day, counted.month, counted.replies]);
      return (await read()) ?? counted;
    };
    return { spent: (await read()) ?? (await once(keys.join(' '), fill)), spans };
  };
};
