import { TooMany } from '@platform/errors';
import { LruCache, steadyClock, type Outage } from '@platform/runtime';
import type { RateLimit } from './endpoint';

/** Counts in windows; the cache port of libs/data fits. */
export interface RateCounter {
  /** Adds one to `key`, whose window of `ttlSeconds` began with its first count; resolves to the count so far. */
  increment(key: string, ttlSeconds: number): Promise<number>;
}

export interface Counting {
  readonly counter: RateCounter;
  /** Called when the counter cannot be reached, and when it can again: that a limit is another one must be known. */
  readonly counting?: Outage;
}

/** Most windows that a process counts in; of those beyond, the one that was used least recently begins anew. */
const MOST_WINDOWS = 10_000;

/** Counts for this process alone. */
const ownCounter = (): RateCounter => {
  const windows = new LruCache<string, { readonly until: number; count: number }>({ limit: MOST_WINDOWS });
  return {
    increment: (key, ttlSeconds) => {
      const now = steadyClock.now().getTime();
      const known = windows.get(key);
      const window = known && known.until > now ? known : { until: now + ttlSeconds * 1000, count: 0 };
      window.count += 1;
      windows.set(key, window);
      return Promise.resolve(window.count);
    },
  };
};

const own = ownCounter();

/**
 * Throws `TooMany` when `who` called `route` more often than `limit` allows within the current window. While the counter cannot
 * be reached each process counts for itself, which is reported: an outage of the cache must not become an outage of the shop, and takes no
 * limit away (docs/adr/0195).
 */
export const enforceRate = async (
  { counter, counting }: Counting,
  limit: Pick<RateLimit, 'requests' | 'perSeconds'>,
  route: string,
  who: string,
): Promise<void> => {
  const key = `rate:${route}:${who}`;
  const count = await counter.increment(key, limit.perSeconds).then(
    (counted) => (counting?.answered(), counted),
    (cause: unknown) => (counting?.failed({ cause }), own.increment(key, limit.perSeconds)),
  );
  const { requests, perSeconds } = limit;
  if (count > requests)
    throw new TooMany('Too Many Requests', { retryAfterSeconds: perSeconds, limit: { requests, perSeconds } });
};
