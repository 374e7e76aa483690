import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import type { Socket } from 'socket.io-client';
import { openRealtime } from './realtime';
import type { RedisConnection } from './redis-adapter';
import { next, unique, useSockets, withRedis } from './realtime.fixture';

interface Events {
  newMessage: { text: string };
}

const { open, connected, connecting, ended } = useSockets<Events>();

type Reader = RedisConnection & { xRead(streams: unknown, options: object): Promise<unknown> };
/** Connections of a replica that has found nothing new in its stream, and is kept from looking again until it may go on. */
const pausingRedis = (redis: () => RedisConnection) => {
  let [goOn, tell] = [(): void => undefined, (): void => undefined];
  const [resumed, idle] = [
    new Promise<void>((resolve) => (goOn = resolve)),
    new Promise<void>((resolve) => (tell = resolve)),
  ];
  const connection = (): RedisConnection => {
    const client = redis();
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (overrides) => {
      const reader = duplicate(overrides) as Reader;
      const read = reader.xRead.bind(reader);
      reader.xRead = async (streams, options) => {
        const found = await read(streams, { ...options, BLOCK: 1 });
        tell();
        if (!found) await resumed;
        return found;
      };
      return reader;
    };
    return client;
  };
  return { idle, goOn, connection };
};

withRedis('sockets over two replicas', (redis) => {
  const replica = (name: string, barred: ReadonlySet<string> = new Set(), own = redis) =>
    open<string>({
      name,
      authenticate: ({ auth }) => ({
        session: String(auth.user),
        rooms: [`user:${String(auth.user)}`],
        ...(auth.life === undefined ? {} : { expiresAt: new Date(Date.now() + Number(auth.life)) }),
      }),
      requests: { chatJoin: ({ join }) => join('chat:1') },
      mayStay: (user) => !barred.has(user),
      redis: own,
    });
  const connect = (at: string, user: string) => connected(at, { auth: { user }, reconnectionDelay: 20 });

  describe('two replicas on one Redis', () => {
    it('reach each other’s clients, and only in the room', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const [ani, budi] = await Promise.all([connect(two.url, 'ani'), connect(two.url, 'budi')]);
      const foreign: unknown[] = [];
      budi.on('newMessage', (payload) => foreign.push(payload));
      const heard = next(ani, 'newMessage');
      one.realtime.emit('user:ani', 'newMessage', { text: 'halo' });
      expect(await heard).toEqual({ text: 'halo' });
      const mark = next(budi, 'newMessage');
      one.realtime.emit('user:budi', 'newMessage', { text: 'mark' });
      await mark;
      expect(foreign).toEqual([{ text: 'mark' }]);
    });

    it('reach each other’s clients with the first event too, written while nobody reads it', async () => {
      const name = unique();
      const { idle, goOn, connection } = pausingRedis(redis);
      const [one, two] = [await replica(name), await replica(name, new Set(), connection)];
      const ani = await connect(two.url, 'ani');
      const heard: unknown[] = [];
      ani.on('newMessage', (payload) => heard.push(payload));
      await idle;
      one.realtime.emit('user:ani', 'newMessage', { text: 'halo' });
      const stream = ended(redis());
      await stream.connect();
      await until(async () => (await stream.xRevRange(`${name}:socket.io`, '+', '-', { COUNT: 1 }))?.length);
      goOn();
      await until(() => heard.length);
      expect(heard).toEqual([{ text: 'halo' }]);
    });

    it('close a user’s sockets on both', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const ani = await connect(two.url, 'ani');
      const closed = next(ani, 'disconnect');
      one.realtime.disconnect('user:ani');
      await closed;
      expect(ani.active).toBe(false);
    });

    it('end a session with authExpired, received before the connection closes', async () => {
      const one = await replica(unique());
      for (const life of [50, 100, 150]) {
        const ani = connecting(one.url, { auth: { user: 'ani', life } });
        const heard: string[] = [];
        ani.onAny((event: string) => heard.push(event));
        expect([await next(ani, 'disconnect'), heard]).toEqual(['io server disconnect', ['authExpired']]);
      }
    });

    it('recheck the rights of all sockets in a room, on both, and leave others alone', async () => {
      const barred = new Set<string>();
      const name = unique();
      const [one, two] = [await replica(name, barred), await replica(name, barred)];
      const clients = await Promise.all([connect(one.url, 'ani'), connect(two.url, 'budi'), connect(two.url, 'citra')]);
      for (const client of clients) await client.emitWithAck('chatJoin');
      const count = async (expected: number) => {
        while ((await one.realtime.audience('chat:1')) !== expected) one.realtime.recheck('chat:');
      };
      await count(3);
      for (const user of ['ani', 'budi']) barred.add(user);
      await count(1);
      const foreign: unknown[] = [];
      for (const client of clients.slice(0, 2)) client.on('newMessage', (payload) => foreign.push(payload));
      const heard = next(clients[2] as Socket, 'newMessage');
      one.realtime.emit('chat:1', 'newMessage', { text: 'rahasia' });
      expect([await heard, foreign]).toEqual([{ text: 'rahasia' }, []]);
    });

    it('hand a client over: the second sends the events it missed when the first stopped', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const ani = await connect(one.url, 'ani');
      const before = next(ani, 'newMessage');
      two.realtime.emit('user:ani', 'newMessage', { text: 'before' });
      await before;
      const texts: string[] = [];
      ani.on('newMessage', ({ text }: { text: string }) => void texts.push(text));
      const lost = next(ani, 'disconnect');
      ani.io.on('reconnect_attempt', () => Object.assign(ani.io, { uri: two.url }));
      await one.stop();
      await lost;
      two.realtime.emit('user:ani', 'newMessage', { text: 'missed' });
      await next(ani, 'connect');
      const mark = next(ani, 'newMessage');
      two.realtime.emit('user:ani', 'newMessage', { text: 'later' });
      await mark;
      expect([ani.recovered, texts]).toEqual([true, ['missed', 'later']]);
    });
  });
});

it('a replica alone needs no Redis', async () => {
  const realtime = openRealtime<Events, undefined>({
    name: 'alone',
    cors: '*',
    authenticate: () => ({ session: undefined, rooms: [] }),
    logger: silentLogger,
  });
  await realtime.start?.();
  await expect(realtime.stop?.()).resolves.toBeUndefined();
});
