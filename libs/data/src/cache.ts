import type { Logger } from '@platform/runtime';
import { ACQUIRE, INCREMENT, RELEASE } from './cache.scripts';
import type { Cache, CacheBackend, Release } from './cache.types';
import { memoryBackend } from './memory.backend';
import { redisBackend } from './redis.backend';

export interface CacheOptions {
  /** Redis, `redis[s]://[[user]:password@]host[:port][/database]`; in process by default. */
  url?: string;
  logger: Logger;
  /** Prefix of every key (`name:key`), so that services on one Redis do not collide; none by default. */
  name?: string;
  /** The service does its job without it, also from the start: a lost Redis shows in /health and does not turn /ready red. */
  optional?: boolean;
}

const milliseconds = (ttlSeconds: number): number => {
  if (ttlSeconds > 0 && Number.isFinite(ttlSeconds)) return Math.ceil(ttlSeconds * 1000);
  throw new RangeError(
    `A time to live of ${ttlSeconds} seconds is not possible: it must be more than zero, and finite.`,
  );
};

const locks =
  (backend: CacheBackend, named: (key: string) => string) =>
  async (key: string, ttlSeconds: number): Promise<Release | null> => {
    const name = named(`lock:${key}`);
    const token = await backend.run(ACQUIRE, [name, named('lock-tokens')], [String(milliseconds(ttlSeconds))]);
    if (token === null) return null;
    return Object.assign(async () => void (await backend.run(RELEASE, [name], [String(token)])), { token });
  };

/**
 * See `Cache`. Nothing connects before `start()`. A Redis that is away then is done without when the cache is optional; else the start
 * waits for it, or throws `Unavailable` where nobody hears that it waits. One that refuses us (a wrong password) fails the start.
 */
export const openCache = ({ url, logger, name, optional = false }: CacheOptions): Cache => {
  const backend = url ? redisBackend(url, { name, logger, optional }) : memoryBackend();
  const named = (key: string) => (name ? `${name}:${key}` : key);
  const guarded = (channel: string, handler: (message: string) => void) => (message: string) => {
    try {
      handler(message);
    } catch (error) {
      logger.error('a subscriber failed', { channel, error });
    }
  };
  return {
    name: name ? `${name} cache` : 'cache',
    optional,
    get: (key) => backend.get(named(key)),
    set: async (key, value, ttlSeconds) => backend.set(named(key), value, milliseconds(ttlSeconds)),
    delete: (key) => backend.delete(named(key)),
    increment: async (key, ttlSeconds) => backend.run(INCREMENT, [named(key)], [String(milliseconds(ttlSeconds))]),
    lock: locks(backend, named),
    publish: (channel, message) => backend.publish(channel, message),
    subscribe: (channel, handler) => backend.subscribe(channel, guarded(channel, handler)),
    runScript: (script, keys, args) => backend.run(script, keys.map(named), args.map(String)),
    start: (starting) => backend.start(starting),
    stop: () => backend.stop(),
    check: () => backend.check(),
  };
};
