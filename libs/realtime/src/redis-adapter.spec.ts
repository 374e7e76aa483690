import { silentLogger } from '@platform/runtime';
import type { Socket } from 'socket.io-client';
import { openRealtime } from './realtime';
import { next, unique, useSockets, withRedis } from './realtime.fixture';

interface Events {
  newMessage: { text: string };
}

const { open, connected } = useSockets<Events>();

withRedis('sockets over two replicas', (redis) => {
  const replica = (name: string, barred: ReadonlySet<string> = new Set()) =>
    open<string>({
      name,
      authenticate: ({ auth }) => ({
        session: String(auth.user),
        rooms: [`user:${String(auth.user)}`],
        ...(auth.life === undefined ? {} : { expiresAt: new Date(Date.now() + Number(auth.life)) }),
      }),
      requests: { chatJoin: ({ join }) => join('chat:1') },
      mayStay: (user) => !barred.has(user),
      redis,
    });
  const connect = (at: string, user: string, life?: number) =>
    connected(at, { auth: { user, life }, reconnectionDelay: 20 });

  /** The reader of a replica starts in the background: emits until the other side receives. */
  const untilHeard = async (tell: () => void, heard: Promise<unknown>): Promise<void> => {
    let done = false;
    void heard.then(() => (done = true));
    while (!done) {
      tell();
      await new Promise(setImmediate);
    }
  };

  describe('two replicas on one Redis', () => {
    it('reach each other’s clients, and only in the room', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const [ani, budi] = await Promise.all([connect(two.url, 'ani'), connect(two.url, 'budi')]);
      const foreign: unknown[] = [];
      budi.on('newMessage', (payload) => foreign.push(payload));
      await untilHeard(() => one.realtime.emit('user:ani', 'newMessage', { text: 'halo' }), next(ani, 'newMessage'));
      const mark = next(budi, 'newMessage');
      one.realtime.emit('user:budi', 'newMessage', { text: 'mark' });
      await mark;
      expect(foreign).toEqual([{ text: 'mark' }]);
    });

    it('close a user’s sockets on both', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const ani = await connect(two.url, 'ani');
      await untilHeard(() => one.realtime.disconnect('user:ani'), next(ani, 'disconnect'));
      expect(ani.active).toBe(false);
    });

    it('end a session with authExpired, received before the connection closes', async () => {
      const one = await replica(unique());
      for (const life of [50, 100, 150]) {
        const ani = await connect(one.url, 'ani', life);
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
      await untilHeard(() => two.realtime.emit('user:ani', 'newMessage', { text: 'before' }), next(ani, 'newMessage'));
      const texts: string[] = [];
      ani.on('newMessage', ({ text }: { text: string }) => void (text === 'before' || texts.push(text)));
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
