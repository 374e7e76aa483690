import { randomBytes } from 'node:crypto';
import { once, EventEmitter } from 'node:events';
import { silentLogger } from '@platform/runtime';
import { openCache } from './cache';
import type { Cache, CacheScript } from './cache.types';

/** Moves everything from one list to the end of another, and answers the length of that. */
const MOVE: CacheScript<[string, number]> = {
  name: 'move',
  lua: `while redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT') do end
    redis.call('PEXPIRE', KEYS[2], ARGV[1])
    return {ARGV[2], redis.call('LLEN', KEYS[2])}`,
  twin: (store, [from = '', to = ''], [ttlMs, label = '']) => {
    const moved = [...(store.get<string[]>(to) ?? []), ...(store.get<string[]>(from) ?? [])];
    store.delete(from);
    store.set(to, moved, Number(ttlMs));
    return [label, moved.length];
  },
};
const PUSH: CacheScript<null> = {
  name: 'push',
  lua: `redis.call('RPUSH', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], 60000) return false`,
  twin: (store, [key = ''], [value = '']) => {
    store.set(key, [...(store.get<string[]>(key) ?? []), value]);
    store.expire(key, 60_000);
    return null;
  },
};
const BROKEN: CacheScript<never> = {
  name: 'broken',
  lua: `return redis.call('NO-SUCH-COMMAND')`,
  twin: () => {
    throw new Error('no such command');
  },
};

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise(setImmediate);
};

interface Suite {
  cache: Cache;
  /** A fresh cache for every test. */
  key: string;
  /** Messages logged as errors. */
  failures: unknown[];
}

const values = (suite: Suite): void =>
  describe('values', () => {
    it('are kept until they are deleted, replaced or expired', async () => {
      expect(await suite.cache.get(suite.key)).toBeNull();
      await suite.cache.set(suite.key, 'one', 60);
      expect(await suite.cache.get(suite.key)).toBe('one');
      await suite.cache.set(suite.key, '', 60);
      expect(await suite.cache.get(suite.key)).toBe('');
      await suite.cache.delete(suite.key);
      expect(await suite.cache.get(suite.key)).toBeNull();
      await suite.cache.set(suite.key, 'short', 0.02);
      await until(async () => (await suite.cache.get(suite.key)) === null);
    });

    it('need a time to live', async () => {
      for (const ttl of [0, -1, NaN, Infinity])
        await expect(suite.cache.set(suite.key, 'x', ttl)).rejects.toThrow(
          new RangeError(`A time to live of ${ttl} seconds is not possible: it must be more than zero, and finite.`),
        );
    });

    it('are healthy', async () => {
      await expect(suite.cache.check?.()).resolves.toBeUndefined();
    });
  });

const increment = (suite: Suite): void =>
  describe('increment', () => {
    it('gives every caller a different number', async () => {
      const counts = await Promise.all(Array.from({ length: 50 }, () => suite.cache.increment(suite.key, 60)));
      expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(await suite.cache.get(suite.key)).toBe('50');
    });

    it('starts over when the window that the first one opened has ended', async () => {
      expect(await suite.cache.increment(suite.key, 0.05)).toBe(1);
      await until(async () => (await suite.cache.increment(suite.key, 60)) === 1);
      expect(await suite.cache.increment(suite.key, 0.001)).toBe(2);
    });
  });

const lock = (suite: Suite): void =>
  describe('lock', () => {
    it('has one holder, and the next one a higher token', async () => {
      const before = Date.now() - 60_000;
      const attempts = await Promise.all(Array.from({ length: 10 }, () => suite.cache.lock(suite.key, 60)));
      const [first, ...others] = attempts.filter((release) => release !== null);
      expect(others).toEqual([]);
      // A time in microseconds: above every token of a counter that was lost
      expect(first?.token).toBeGreaterThan(before * 1000);
      await first?.();
      const second = await suite.cache.lock(suite.key, 60);
      expect(second?.token).toBeGreaterThan(first?.token ?? Infinity);
      await second?.();
    });

    it('leaves alone other keys, and the value under its own key', async () => {
      const [one, other] = [await suite.cache.lock(suite.key, 60), await suite.cache.lock(`${suite.key}-other`, 60)];
      expect([one, other, await suite.cache.get(suite.key)]).toEqual([
        expect.any(Function),
        expect.any(Function),
        null,
      ]);
      await one?.();
      expect(await suite.cache.lock(`${suite.key}-other`, 60)).toBeNull();
      await other?.();
    });

    it('is not released by a former holder after it expired', async () => {
      const late = await suite.cache.lock(suite.key, 0.02);
      let holder = null as Awaited<ReturnType<Cache['lock']>>;
      await until(async () => (holder = await suite.cache.lock(suite.key, 60)) !== null);
      await late?.();
      expect(await suite.cache.lock(suite.key, 60)).toBeNull();
      await holder?.();
      expect(await suite.cache.lock(suite.key, 60)).not.toBeNull();
    });
  });

const channels = (suite: Suite): void =>
  describe('channels', () => {
    it('deliver to all subscribers in order, despite one that throws, until they leave', async () => {
      const events = new EventEmitter();
      const received: string[] = [];
      const failing = await suite.cache.subscribe(suite.key, () => {
        throw new Error('bad subscriber');
      });
      const leave = await suite.cache.subscribe(
        suite.key,
        (message) => void (received.push(message), events.emit(message)),
      );
      const leaveToo = await suite.cache.subscribe(suite.key, (message) => void received.push(`too ${message}`));
      const two = once(events, 'two');
      await suite.cache.publish(suite.key, 'one');
      await suite.cache.publish(suite.key, 'two');
      await two;
      await leaveToo();
      await failing();
      const three = once(events, 'three');
      await suite.cache.publish(`${suite.key}-other`, 'elsewhere');
      await suite.cache.publish(suite.key, 'three');
      await three;
      await leave();
      expect(received.filter((message) => !message.startsWith('too'))).toEqual(['one', 'two', 'three']);
      expect(received.filter((message) => message.startsWith('too'))).toEqual(['too one', 'too two']);
      const failure = ['a subscriber failed', { channel: suite.key, error: new Error('bad subscriber') }];
      expect(suite.failures.splice(0)).toEqual([failure, failure]);
    });
  });

const leaving = (suite: Suite): void =>
  describe('leaving a channel', () => {
    it('twice unsubscribes nobody else', async () => {
      const leave = await suite.cache.subscribe(suite.key, () => undefined);
      await leave();
      const events = new EventEmitter();
      const heard = once(events, 'heard');
      const leaveToo = await suite.cache.subscribe(suite.key, (message) => void events.emit('heard', message));
      await leave();
      await suite.cache.publish(suite.key, 'still here');
      expect(await heard).toEqual(['still here']);
      await leaveToo();
    });
  });

const scripts = (suite: Suite): void =>
  describe('scripts', () => {
    it('return numbers, strings, arrays and null, and work on several keys at once', async () => {
      for (const value of ['a', 'b', 'c']) expect(await suite.cache.runScript(PUSH, [suite.key], [value])).toBeNull();
      expect(await suite.cache.runScript(MOVE, [suite.key, `${suite.key}-to`], [60_000, 'moved'])).toEqual([
        'moved',
        3,
      ]);
      await suite.cache.runScript(PUSH, [suite.key], ['d']);
      expect(await suite.cache.runScript(MOVE, [suite.key, `${suite.key}-to`], [60_000, 'again'])).toEqual([
        'again',
        4,
      ]);
    });

    it('run on a server that does not know them yet', async () => {
      const word = randomBytes(6).toString('hex');
      const fresh: CacheScript<string> = { name: 'fresh', lua: `return '${word}'`, twin: () => word };
      expect(await suite.cache.runScript(fresh, [], [])).toBe(word);
      expect(await suite.cache.runScript(fresh, [], [])).toBe(word);
    });

    it('fail with their own error when they are wrong', async () => {
      await expect(suite.cache.runScript(BROKEN, [suite.key], [])).rejects.toThrow(
        /no such command|unknown .*command/i,
      );
    });
  });

/** The behaviour of every cache, whatever its backend. */
export const cacheContract = (title: string, url: string | undefined): void =>
  describe(title, () => {
    const failures: unknown[] = [];
    const logger = { ...silentLogger, error: (...said: unknown[]) => void failures.push(said) };
    const name = `contract-${randomBytes(6).toString('hex')}`;
    const suite: Suite = { cache: openCache({ url, logger, name }), key: '', failures };
    let count = 0;

    beforeAll(() => suite.cache.start?.());
    afterAll(() => suite.cache.stop?.());
    beforeEach(() => {
      suite.key = `key-${(count += 1)}`;
    });
    for (const part of [values, increment, lock, channels, leaving, scripts]) part(suite);
  });
