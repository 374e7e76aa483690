import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Unavailable } from '@platform/errors';
import { environment, silentLogger } from '@platform/runtime';
import { openCache } from './cache';

/** Stands between the client and the real Redis, and can be taken away or made to hang. */
const gate = async (target: string) => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let hanging = false;
  const server = createServer((socket) => {
    const upstream = connect(Number(port || 6379), hostname);
    for (const end of [socket, upstream]) {
      sockets.add(
        end.on('error', () => undefined).on('close', () => (socket.destroy(), upstream.destroy(), sockets.delete(end))),
      );
    }
    upstream.on('data', (data) => hanging || socket.write(data));
    socket.on('data', (data) => upstream.write(data));
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    open: () => listen(own),
    hang: (on: boolean) => void (hanging = on),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

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
      const door = await gate(redis);
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
      const door = await gate(redis);
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
      const door = await gate(redis);
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
