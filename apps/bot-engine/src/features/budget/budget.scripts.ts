import type { CacheScript } from '@platform/data';

/** KEYS: counters. Their values; null for one that is missing. */
export const READ_COUNTERS: CacheScript<readonly (string | null)[]> = {
  name: 'read counters',
  lua: `local found = {}
    for i, key in ipairs(KEYS) do found[i] = redis.call('GET', key) end
    return found`,
  twin: (store, keys) => keys.map((key) => store.get<string>(key) ?? null),
};

/** KEYS: counters. ARGV: ms to live, then a value for each. One that somebody else has set meanwhile stays. */
export const KEEP_COUNTERS: CacheScript<null> = {
  name: 'keep counters',
  lua: `for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[i + 1], 'PX', ARGV[1], 'NX') end
    return false`,
  twin: (store, keys, [ttlMs, ...values]) => {
    keys.forEach((key, n) => {
      if (store.get(key) === undefined) store.set(key, values[n] ?? '0', Number(ttlMs));
    });
    return null;
  },
};

/** KEYS: counters. ARGV: by how much. One that is missing stays so: who reads it next counts everything anew. */
export const RAISE_COUNTERS: CacheScript<null> = {
  name: 'raise counters',
  lua: `for _, key in ipairs(KEYS) do
      if redis.call('EXISTS', key) == 1 then redis.call('INCRBY', key, ARGV[1]) end
    end
    return false`,
  twin: (store, keys, [by]) => {
    for (const key of keys) {
      const value = store.get<string>(key);
      if (value !== undefined) store.replace(key, String(Number(value) + Number(by)));
    }
    return null;
  },
};
