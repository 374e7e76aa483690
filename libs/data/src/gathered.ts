import { microBatch } from './micro-batch';

/** Who comes while one statement is under way need not wait for its end. */
const READERS = 2;
/** Bounds what one statement answers. */
const MOST_KEYS = 64;

/**
 * One read for all who ask at the same time: those of one turn of the event loop share a statement, and who comes while statements
 * are under way shares the next, as in a micro-batch. An answer is read after it was asked for, never before; undefined where
 * `read` found nothing. Keys that cannot be read together are read one by one, so that a bad one fails alone.
 */
export const gathered = <Found>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): ((key: string) => Promise<Found | undefined>) => {
  const reads = microBatch<string, Found | undefined>({
    writers: READERS,
    maxBatch: MOST_KEYS,
    // Callers wait here instead of in the pool
    maxQueue: Number.POSITIVE_INFINITY,
    write: async (keys) => {
      const found = await read(keys);
      return keys.map((key) => found.get(key));
    },
  });
  return (key) => reads.add(key);
};

/** The same for a question that is answered by those keys which it is true of. */
export const anyGathered = (
  find: (keys: readonly string[]) => Promise<readonly string[]>,
): ((key: string) => Promise<boolean>) => {
  const found = gathered(async (keys) => new Map((await find(keys)).map((key) => [key, true])));
  return async (key) => (await found(key)) ?? false;
};
