import { Unavailable } from '@platform/errors';
import { environment, silentLogger } from '@platform/runtime';
import { startGate } from '@platform/testing';
import { openCache } from './cache';

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

describe('a Redis that is not there', () => {
  it('fails the start with Unavailable', async () => {
    const cache = openCache({ url: 'redis://127.0.0.1:1', logger: silentLogger });
    await expect(cache.start?.()).rejects.toBeInstanceOf(Unavailable);
    await cache.stop?.();
  });

  it('fails calls before the start with Unavailable', async () => {
    const cache = openCache({ url: 'redis://127.0.0.1:1', logger: silentLogger });
    for (const call of [
      cache.get('a'),
      cache.increment('a', 1),
      cache.lock('a', 1),
      cache.publish('a', ''),
      cache.check?.(),
    ])
      await expect(call).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
  });
});

const withRedis = (redis: string): void =>
  describe('a Redis that goes away', () => {
    it('fails calls with Unavailable, and serves calls and subscriptions again when it is back', async () => {
      const door = await startGate(redis);
      const cache = openCache({ url: door.url, logger: silentLogger, name: 'away' });
      await cache.start?.();
      const received: string[] = [];
      await cache.subscribe('away', (message) => void received.push(message));
      await door.close();
      for (const call of [cache.check?.(), cache.get('a'), cache.increment('a', 1), cache.publish('away', 'lost')])
        await expect(call).rejects.toBeInstanceOf(Unavailable);
      await door.open();
      await eventually(async () => cache.check?.());
      await cache.set('a', 'back', 60);
      expect(await cache.get('a')).toBe('back');
      await cache.publish('away', 'back');
      await eventually(async () => expect(received).toEqual(['back']));
      await cache.stop?.();
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

    it('stops while it is away', async () => {
      const door = await startGate(redis);
      const cache = openCache({ url: door.url, logger: silentLogger });
      await cache.start?.();
      await door.close();
      await expect(cache.check?.()).rejects.toBeInstanceOf(Unavailable);
      await cache.stop?.();
      await expect(cache.get('a')).rejects.toBeInstanceOf(Unavailable);
    });
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: the loss of Redis was not tested.\n');
