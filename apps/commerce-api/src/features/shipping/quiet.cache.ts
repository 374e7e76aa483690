import type { Cache } from '@platform/data';
import type { Logger } from '@platform/runtime';

export interface QuietCache {
  readonly cache: Pick<Cache, 'get' | 'set'>;
  readonly logger: Logger;
}

/** What was kept under the key; undefined also while the cache is away: it is only quicker with it. */
export const readKept = async <T>({ cache, logger }: QuietCache, key: string): Promise<T | undefined> => {
  try {
    const text = await cache.get(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch (cause) {
    logger.warn('the cache did not answer', { cause });
    return undefined;
  }
};

/** Keeps it, unless the cache is away. */
export const keep = async (
  { cache, logger }: QuietCache,
  key: string,
  value: unknown,
  seconds: number,
): Promise<void> => {
  try {
    await cache.set(key, JSON.stringify(value), seconds);
  } catch (cause) {
    logger.warn('the cache did not answer', { cause });
  }
};

/** What was kept, else what `make` resolves to. */
export const kept = async <T>(quiet: QuietCache, key: string, seconds: number, make: () => Promise<T>): Promise<T> => {
  const before = await readKept<T>(quiet, key);
  if (before !== undefined) return before;
  const value = await make();
  await keep(quiet, key, value, seconds);
  return value;
};
