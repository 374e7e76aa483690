import { TooMany } from '@platform/errors';
import type { RateLimit } from './endpoint';

/** Counts in windows; the cache port of libs/data fits. */
export interface RateCounter {
  /** Adds one to `key`, whose window of `ttlSeconds` began with its first count; returns the count so far. */
  increment(key: string, ttlSeconds: number): Promise<number>;
}

/**
 * Throws `TooMany` when `who` called `route` more often than `limit` allows within the current window. A counter that cannot
 * be reached lets the request pass: an outage of the cache must not become an outage of the shop.
 */
export const enforceRate = async (
  counter: RateCounter,
  limit: Pick<RateLimit, 'requests' | 'perSeconds'>,
  route: string,
  who: string,
): Promise<void> => {
  const count = await counter.increment(`rate:${route}:${who}`, limit.perSeconds).catch(() => 0);
  if (count > limit.requests) throw new TooMany('Too Many Requests', { retryAfterSeconds: limit.perSeconds });
};
