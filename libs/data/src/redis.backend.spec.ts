import { Unavailable } from '@platform/errors';
import { environment, silentLogger } from '@platform/runtime';
import { startGate } from '@platform/testing';
import { openCache } from './cache';
import type { CacheScript } from './cache.types';
import { redisConnection } from './redis.connection';

const eventually = async (attempt: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    const done = await attempt().then(
      () => true,
      () => false,
    );
    if (done) return;
    await new Promise(setImmediate);
  }
};

/** Log messages by level. */
const listening = () => {
  const told: unknown[] = [];
  const at = (level: string) => (message: string, fields?: unknown) => void told.push([level, message, fields]);
  return { told, logger: { ...silentLogger, info: at('info'), warn: at('warn') } };
};

describe('a Redis that is not reachable', () => {
  it('fails the start with Unavailable', async () => {
    const cache = openCache({ url: 'redis://127.0.0.1:1', logger: silentLogger });
    await expect(cache.start?.()).rejects.toBeInstanceOf(Unavailable);
    await cache.stop?.();
  });

  it('is done without by who does his job without it', async () => {
    const cache = openCache({ url: 'redis://127.0.0.1:1', logger: silentLogger, optional: true });
    await cache.start?.();
    const leave = await cache.subscribe('a', () => undefined);
    await expect(cache.get('a')).rejects.toBeInstanceOf(Unavailable);
    await leave();
    await cache.stop?.();
  });

  it('fails calls before the start with Unavailable', async () => {
    const cache = openCache({ url: 'redis://127.0.0.1:1', logger: silentLogger });
    for (const call of [
      () => cache.get('a'),
      () => cache.increment('a', 1),
      () => cache.lock('a', 1),
      () => cache.publish('a', ''),
      () => cache.check?.(),
    ])
      await expect(call()).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'Redis cannot be reached. Try again shortly.',
        retryAfterSeconds: 1,
        cause: expect.any(Error),
      });
  });

  it("is logged once by the driver's own client, which keeps trying", async () => {
    const { told, logger } = listening();
    const client = redisConnection('redis://127.0.0.1:1', logger);
    let tries = 0;
    const thrice = new Promise<void>((resolve) => client.on('error', () => void (++tries === 3 && resolve())));
    const connecting = client.connect().catch(() => undefined);
    await thrice;
    client.destroy();
    await connecting;
    const cause = expect.objectContaining({ code: 'ECONNREFUSED' });
    expect(told).toEqual([['warn', 'redis connection lost', { cause, failures: 1 }]]);
  });
});

const withRedis = (redis: string): void =>
  describe('a Redis that is away when a service starts', () => {
    const away = async (optional: boolean) => {
      const door = await startGate(redis);
      await door.close();
      return { door, cache: openCache({ url: door.url, logger: silentLogger, name: 'late', optional }) };
    };

    it('serves calls and the subscriptions of the meantime when it comes', async () => {
      const { door, cache } = await away(true);
      await cache.start?.();
      const received: string[] = [];
      const leave = await cache.subscribe('late', (message) => void received.push(message));
      const leaveToo = await cache.subscribe('late', () => void received.push('has left'));
      await leaveToo();
      await door.open();
      await eventually(async () => cache.check?.());
      await eventually(async () => {
        await cache.publish('late', 'here');
        expect(received).toContain('here');
      });
      await leave();
      expect(new Set(received)).toEqual(new Set(['here']));
      await cache.stop?.();
      await door.close();
    });

    it('is waited for, which is told, by who is nothing without it', async () => {
      const { door, cache } = await away(false);
      const { signal } = new AbortController();
      const waits: string[] = [];
      await cache.start?.({ signal, waits: (reason) => void (waits.push(reason), waits.length === 1 && door.open()) });
      expect(waits).toContain('Redis cannot be reached');
      await cache.set('a', 'here', 60);
      expect(await cache.get('a')).toBe('here');
      await cache.stop?.();
      await door.close();
    });

    it.each([true, false])(
      'fails the start when it refuses us, whether it is optional (%s) or not',
      async (optional) => {
        const url = new URL(redis);
        url.username = 'nobody';
        url.password = 'wrong';
        const cache = openCache({ url: url.href, logger: silentLogger, optional });
        const { signal } = new AbortController();
        await expect(cache.start?.({ signal, waits: () => undefined })).rejects.toThrow(/AUTH|WRONGPASS/);
        await cache.stop?.();
      },
    );
  });

const losing = (redis: string): void =>
  describe('a Redis that goes down', () => {
    it('fails calls with Unavailable, and serves calls and subscriptions again when it is back', async () => {
      const door = await startGate(redis);
      const { told, logger } = listening();
      const cache = openCache({ url: door.url, logger, name: 'away' });
      await cache.start?.();
      const received: string[] = [];
      await cache.subscribe('away', (message) => void received.push(message));
      await door.close();
      const { check, get, increment, publish } = cache;
      for (const call of [() => check?.(), () => get('a'), () => increment('a', 1), () => publish('away', 'lost')])
        await expect(call()).rejects.toBeInstanceOf(Unavailable);
      await door.open();
      await eventually(async () => cache.check?.());
      await cache.set('a', 'back', 60);
      expect(await cache.get('a')).toBe('back');
      await cache.publish('away', 'back');
      await eventually(async () => expect(received).toEqual(['back']));
      expect(told).toEqual([
        ['warn', 'the connection to redis was lost', { error: expect.any(String) }],
        ['info', 'redis is back', undefined],
      ]);
      await cache.stop?.();
      await expect(cache.get('a')).rejects.toBeInstanceOf(Unavailable);
      await door.close();
    });

    it('fails calls that hang within seconds', async () => {
      const door = await startGate(redis);
      const cache = openCache({ url: door.url, logger: silentLogger, name: 'hung' });
      await cache.start?.();
      door.hang(true);
      await expect(cache.get('a')).rejects.toBeInstanceOf(Unavailable);
      door.hang(false);
      await eventually(async () => cache.check?.());
      await cache.stop?.();
      await door.close();
    });

    it('fails calls that hang also while others are made all the time, and serves when it answers again', async () => {
      const door = await startGate(redis);
      const cache = openCache({ url: door.url, logger: silentLogger, name: 'asked' });
      await cache.start?.();
      door.hang(true);
      const hanging = cache.get('a');
      const asking = setInterval(() => void cache.get('b').catch(() => undefined), 50);
      await expect(hanging).rejects.toBeInstanceOf(Unavailable);
      await expect(cache.get('c')).rejects.toBeInstanceOf(Unavailable);
      door.hang(false);
      await eventually(async () => cache.check?.());
      clearInterval(asking);
      await cache.set('a', 'here', 60);
      expect(await cache.get('a')).toBe('here');
      await cache.stop?.();
      await door.close();
    });

    it('is Unavailable while its refusals are temporary, and not on a lasting one', async () => {
      const cache = openCache({ url: redis, logger: silentLogger });
      await cache.start?.();
      const saying = (lua: string): CacheScript<never> => ({ name: 'refusal', lua, twin: () => undefined as never });
      const refused = (words: string) => cache.runScript(saying(`return redis.error_reply('${words}')`), [], []);
      for (const words of [
        'LOADING Redis is loading',
        'MASTERDOWN Link is down',
        'READONLY You cannot',
        'OOM too much',
      ])
        await expect(refused(words)).rejects.toBeInstanceOf(Unavailable);
      for (const words of ['WRONGTYPE Operation', 'ERR OOM', 'LOADINGS of it'])
        await expect(refused(words)).rejects.toThrow(words);
      await cache.stop?.();
    });

    it('does not keep the cache from stopping', async () => {
      const door = await startGate(redis);
      const cache = openCache({ url: door.url, logger: silentLogger });
      await cache.start?.();
      const leave = await cache.subscribe('away', () => undefined);
      await door.close();
      await expect(cache.check?.()).rejects.toBeInstanceOf(Unavailable);
      await leave();
      await cache.stop?.();
      await expect(cache.get('a')).rejects.toBeInstanceOf(Unavailable);
    });
  });

if (environment.REDIS_URL) {
  withRedis(environment.REDIS_URL);
  losing(environment.REDIS_URL);
} else process.stderr.write('REDIS_URL is not set: the loss of Redis was not tested.\n');
