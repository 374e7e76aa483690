import { environment, silentLogger } from '@platform/runtime';
import { cacheContract } from './cache.contract';
import { openCache } from './cache';
import type { CacheScript } from './cache.types';
import type { ExpiringStore } from './memory.backend';

cacheContract('in process', undefined);

describe('a cache', () => {
  const KEYS: CacheScript<readonly string[]> = { name: 'keys', lua: 'return KEYS', twin: (_, keys) => keys };

  it('a cache with a name shows it in its own name and as prefix of every key', async () => {
    const [named, unnamed] = [
      openCache({ logger: silentLogger, name: 'shop', optional: true }),
      openCache({ logger: silentLogger }),
    ];
    expect([named.name, named.optional, unnamed.name, unnamed.optional]).toEqual(['shop cache', true, 'cache', false]);
    expect(await named.runScript(KEYS, ['a', 'b'], [])).toEqual(['shop:a', 'shop:b']);
    expect(await unnamed.runScript(KEYS, ['a', 'b'], [])).toEqual(['a', 'b']);
  });

  it('a cache in process frees expired values every half minute, until it is stopped', async () => {
    const SIZE: CacheScript<number> = {
      name: 'size',
      lua: '',
      twin: (store) => (store as ExpiringStore)['entries'].size,
    };
    jest.useFakeTimers();
    try {
      const cache = openCache({ logger: silentLogger });
      await cache.start?.();
      await cache.start?.();
      await cache.set('a', '1', 1);
      jest.advanceTimersByTime(29_999);
      expect(await cache.runScript(SIZE, [], [])).toBe(1);
      jest.advanceTimersByTime(1);
      expect(await cache.runScript(SIZE, [], [])).toBe(0);
      await cache.stop?.();
      await cache.set('b', '1', 1);
      jest.advanceTimersByTime(90_000);
      expect(await cache.runScript(SIZE, [], [])).toBe(1);
    } finally {
      jest.useRealTimers();
    }
  });
});

if (environment.REDIS_URL) cacheContract('Redis', environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: the cache was tested in process only.\n');
