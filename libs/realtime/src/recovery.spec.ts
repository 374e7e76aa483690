import { Unauthenticated } from '@platform/errors';
import type { Socket } from 'socket.io-client';
import { next, unique, useSockets, withRedis } from './realtime.fixture';
import type { RedisConnection } from './redis-adapter';

interface Events {
  newMessage: { text: string };
  mark: { n: number };
}

const { open, connected } = useSockets<Events>();

const suites = (where: string, redis?: () => RedisConnection): void => {
  /** A server on which rights change; `arrivals` counts the authentications. */
  const start = async () => {
    const rights = { admitted: true, mayStay: (): boolean | Promise<boolean> => true, arrivals: 0 };
    const { realtime, url } = await open({
      name: unique(),
      redis,
      authenticate: () => {
        rights.arrivals += 1;
        if (!rights.admitted) throw new Unauthenticated({ reason: 'invalid' });
        return { session: undefined, rooms: ['store'] };
      },
      requests: { chatJoin: ({ join }) => join('chat:1') },
      mayStay: () => rights.mayStay(),
    });
    const socket = await connected(url, { auth: { token: 'ani' }, reconnectionDelay: 20 });
    await socket.emitWithAck('chatJoin');
    /** Everything that came over the wire, also before the client took it for its own. */
    const received: string[] = [];
    socket.io.on('packet', ({ data }: { data?: unknown }) => void received.push(JSON.stringify(data)));
    const heard: string[] = [];
    socket.on('newMessage', ({ text }: { text: string }) => void heard.push(text));
    const tell = (text: string) => realtime.emit('chat:1', 'newMessage', { text });
    /** When the client hears this, it has heard what was told before. */
    const mark = async () => {
      const marked = next(socket, 'mark');
      realtime.emit('store', 'mark', { n: 1 });
      await marked;
    };
    tell('before');
    while (heard.length === 0) await mark();
    return { realtime, rights, socket, heard, received, tell, mark };
  };
  const lose = async (socket: Socket) => {
    const lost = next(socket, 'disconnect');
    socket.io.engine.close();
    await lost;
  };

  describe(`a client that lost its connection for a moment, ${where},`, () => {
    it('goes on where it was, with what it missed', async () => {
      const { socket, heard, tell, mark } = await start();
      await lose(socket);
      tell('missed');
      await next(socket, 'connect');
      tell('later');
      await mark();
      expect([socket.recovered, heard]).toEqual([true, ['before', 'missed', 'later']]);
    });

    it('hears nothing of a room that it may not stay in, and begins anew', async () => {
      const { socket, heard, received, rights, tell, mark } = await start();
      await lose(socket);
      rights.mayStay = () => false;
      tell('missed');
      await next(socket, 'connect');
      tell('later');
      await mark();
      expect([socket.recovered, heard]).toEqual([false, ['before']]);
      expect(received.filter((packet) => /missed|later/.test(packet))).toEqual([]);
    });

    it('gets nothing that it missed when it is not admitted any more', async () => {
      const { socket, received, rights, tell } = await start();
      await lose(socket);
      rights.admitted = false;
      tell('missed');
      const refusal = await next<Error>(socket, 'connect_error');
      expect(refusal.message).toBe('Unauthenticated');
      expect(received.filter((packet) => packet.includes('missed'))).toEqual([]);
    });

    it('hears what was told while its rights were looked up, in order and once', async () => {
      const { socket, heard, rights, tell, mark } = await start();
      await lose(socket);
      let release = (): void => undefined;
      const asked = new Promise<void>((resolve) => {
        rights.mayStay = () => {
          resolve();
          return new Promise((answer) => (release = () => answer(true)));
        };
      });
      tell('missed');
      await asked;
      tell('meanwhile');
      release();
      await next(socket, 'connect');
      tell('later');
      await mark();
      expect([socket.recovered, heard]).toEqual([true, ['before', 'missed', 'meanwhile', 'later']]);
    });
  });
};

suites('in one process');
withRedis('recoveries by Redis', (redis) => suites('by Redis', redis));
