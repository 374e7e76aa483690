import type { CacheScript } from './cache.types';

/** KEYS: counter. ARGV: window in ms. */
export const INCREMENT: CacheScript<number> = {
  name: 'increment',
  lua: `local count = redis.call('INCR', KEYS[1])
    if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
    return count`,
  twin: (store, [key = ''], [ttlMs]) => {
    const count = Number(store.get(key) ?? 0) + 1;
    if (count === 1) store.set(key, '1', Number(ttlMs));
    else store.replace(key, String(count));
    return count;
  },
};

/** KEYS: lock, token counter. ARGV: ms. The counter starts at the time in microseconds, so that it grows even after it was lost. */
export const ACQUIRE: CacheScript<number | null> = {
  name: 'acquire',
  lua: `if redis.call('EXISTS', KEYS[1]) == 1 then return false end
    local time = redis.call('TIME')
    redis.call('SET', KEYS[2], string.format('%d%06d', time[1], time[2]), 'NX')
    local token = redis.call('INCR', KEYS[2])
    redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
    return token`,
  twin: (store, [lock = '', counter = ''], [ttlMs]) => {
    if (store.get(lock) !== undefined) return null;
    const token = (store.get<number>(counter) ?? Date.now() * 1000) + 1;
    store.set(counter, token);
    store.set(lock, String(token), Number(ttlMs));
    return token;
  },
};

/** KEYS: lock. ARGV: token. */
export const RELEASE: CacheScript<number> = {
  name: 'release',
  lua: `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])`,
  twin: (store, [lock = ''], [token]) => (store.get(lock) === token ? Number(store.delete(lock)) : 0),
};
