import { TooMany } from '@platform/errors';
import type { Outage } from '@platform/runtime';
import type { RateLimit } from './endpoint';

/** Counts in windows; the cache port of libs/data fits. */
export interface RateCounter {
  /** Adds one to `key`, whose window of `ttlSeconds` began with its first count; resolves to the count so far. */
  increment(key: string, ttlSeconds: number): Promise<number>;
}

export interface Counting {
  readonly counter: RateCounter;
  /** Called when the counter cannot be reached, and when it can again: a limit that is off must be known. */
  readonly counting?: Outage;
}

/**
 * Throws `TooMany` when `who` called `route` more often than `limit` allows within the current window. A counter that cannot
 * be reached lets the request pass, which is reported: an outage of the cache must not become an outage of the shop.
 */
export const enforceRate = async (
  { counter, counting }: Counting,
  limit: Pick<RateLimit, 'requests' | 'perSeconds'>,
  route: string,
  who: string,
): Promise<void> => {
  const count = await counter.increment(`rate:${route}:${who}`, limit.perSeconds).then(
    (counted) => (counting?.answered(), counted),
    (cause: unknown) => (counting?.failed({ cause }), 0),
  );
  const { requests, perSeconds } = limit;
  if (count > requests)
    throw new TooMany('Too Many Requests', { retryAfterSeconds: perSeconds, limit: { requests, perSeconds } });
};
