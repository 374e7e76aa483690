import type { Cache } from '@platform/data';
import type { Logger } from '@platform/runtime';
import { costMicros } from '../model/public';
import type { Store } from '../stores/public';
import { counterKeys, readCounters, spansOf, type CountersDeps } from './budget.counters';
import { RAISE_COUNTERS } from './budget.scripts';
import type { Budget, Exhausted } from './budget.types';
import { highestPrice } from './highest.price';

export interface BudgetDeps extends CountersDeps {
  readonly cache: Pick<Cache, 'runScript'>;
  /** Of stores without caps of their own, micro-dollars. */
  readonly dayCapMicros: number;
  readonly monthCapMicros: number;
  readonly logger: Logger;
}

const latest = (all: readonly Exhausted[]): Exhausted | undefined =>
  all.reduce<Exhausted | undefined>((last, next) => (last && last.until >= next.until ? last : next), undefined);

/**
 * What the bots of a store have cost and said, counted by all processes together (design 3.4). The counters only speed up
 * what the rows tell: one that is missing, or an hour old, is counted from them. Turns that run at the same time look before
 * any of them has spent: a cap is exceeded by at most what they may cost together.
 */
export const createBudget = (deps: BudgetDeps): Budget => {
  const { cache, prices, clock, logger } = deps;
  const counters = readCounters(deps);
  const raise = (keys: readonly string[], by: number): Promise<null> => cache.runScript(RAISE_COUNTERS, keys, [by]);
  /** Nobody waits: what is lost here is found when the counter is counted anew. */
  const unawaited = (raised: Promise<unknown>): void =>
    void raised.catch((cause: unknown) => logger.warn('a budget was not counted', { cause: String(cause) }));
  const costOf = async (cost: number | null, { in: tokensIn, out }: { in: number; out: number }): Promise<number> =>
    cost ?? costMicros({ in: tokensIn, cached: 0, out }, highestPrice(await prices.current()));
  const keysOf = (store: Store) => counterKeys(store, spansOf(store, clock.now()));
  return {
    exhausted: async (store) => {
      const { spent, spans } = await counters(store);
      const over: Exhausted[] = [];
      if (spent.day >= (store.dayCapMicros ?? deps.dayCapMicros)) over.push({ why: 'day', until: spans.day.until });
      if (spent.month >= (store.monthCapMicros ?? deps.monthCapMicros))
        over.push({ why: 'month', until: spans.month.until });
      if (store.replyLimit !== null && spent.replies >= store.replyLimit)
        over.push({ why: 'replies', until: spans.period.until });
      return latest(over);
    },
    spent: (store, cost, usage) => {
      const [day, month] = keysOf(store);
      unawaited(costOf(cost, usage).then((micros) => raise([day, month], micros)));
    },
    replied: (store) => {
      const [, , replies] = keysOf(store);
      unawaited(raise([replies], 1));
    },
  };
};
