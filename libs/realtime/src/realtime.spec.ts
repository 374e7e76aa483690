import { openDatabase } from '@platform/data';
import { NotFound, Unauthenticated } from '@platform/errors';
import { environment, fixedClock, silentLogger, systemClock } from '@platform/runtime';
import type { Socket } from 'socket.io-client';
import { next, useSockets, type ClientOptions, type Given } from './realtime.fixture';
import type { Admission, RealtimeOptions } from './realtime.types';

interface Events {
  newMessage: { text: string };
  totalNotif: { total: number };
}
interface Person {
  readonly user: string;
}

const sockets = useSockets<Events>();

/** A token is `user`, or `user:milliseconds to live`; `foreign` is refused. */
const admitting =
  (clock = systemClock) =>
  ({ auth }: { auth: Readonly<Record<string, unknown>> }): Admission<Person> => {
    const [user = '', life] = String(auth.token ?? '').split(':');
    if (!user || user === 'foreign') throw new Unauthenticated({ reason: user ? 'invalid' : 'missing' });
    const expiresAt = life === undefined ? undefined : new Date(clock.now().getTime() + Number(life));
    return { session: { user }, rooms: ['store', `user:${user}`], identity: user, expiresAt };
  };

const open = (more: Partial<Given<Person>> = {}) => sockets.open({ authenticate: admitting(more.clock), ...more });

const connect = (url: string, token?: string, more: ClientOptions = {}) => {
  const socket = sockets.connecting(url, { auth: { token }, ...more });
  const heard: unknown[] = [];
  socket.onAny((event, payload) => heard.push([event, payload]));
  return { socket, heard };
};
const connected = async (url: string, token: string, more: ClientOptions = {}) => {
  const client = connect(url, token, more);
  await next(client.socket, 'connect');
  return client;
};
const ask = (socket: Socket, event: string, payload?: unknown): Promise<unknown> =>
  socket.timeout(5_000).emitWithAck(event, payload);

describe('connecting a socket', () => {
  it.each([
    ['foreign', 'invalid'],
    [undefined, 'missing'],
  ])('with token %j is refused with the reason', async (token, reason) => {
    const { url, realtime } = await open();
    const refusal = await next<Error & { data?: unknown }>(connect(url, token).socket, 'connect_error');
    expect([refusal.message, refusal.data]).toEqual(['Unauthenticated', { kind: 'unauthenticated', reason }]);
    expect(realtime.connections()).toBe(0);
  });

  it('while tokens cannot be checked is refused as temporary, without the cause', async () => {
    const broken = () => Promise.reject(new Error('secret host away'));
    const { url } = await open({ authenticate: broken });
    const refusal = await next<Error & { data?: unknown }>(connect(url, 'ani').socket, 'connect_error');
    expect([refusal.message, refusal.data]).toEqual(['Unavailable', { kind: 'unavailable' }]);
  });

  it('needs no token when the server is open to all', async () => {
    const { realtime, url } = await sockets.open({ authenticate: () => ({ session: undefined, rooms: [] }) });
    const socket = await sockets.connected(url);
    const message = next(socket, 'newMessage');
    realtime.emit('everyone', 'newMessage', { text: 'halo' });
    expect(await message).toEqual({ text: 'halo' });
  });
});

describe('an event to a room', () => {
  it('reaches its room, each client once, and nobody else', async () => {
    const { realtime, url } = await open();
    const [ani, budi] = await Promise.all([connected(url, 'ani'), connected(url, 'budi')]);
    const last = Promise.all([ani, budi].map(({ socket }) => next(socket, 'totalNotif')));
    realtime.emit('user:ani', 'newMessage', { text: 'for ani' });
    realtime.emit(['user:budi', 'store'], 'newMessage', { text: 'for both' });
    realtime.emit([], 'newMessage', { text: 'for nobody' });
    realtime.emit('everyone', 'totalNotif', { total: 1 });
    await last;
    const both = [
      ['newMessage', { text: 'for both' }],
      ['totalNotif', { total: 1 }],
    ];
    expect([ani.heard, budi.heard]).toEqual([[['newMessage', { text: 'for ani' }], ...both], both]);
  });

  it('skips sockets in an excluded room, as does an eviction', async () => {
    const { realtime, url } = await open();
    const [ani, budi] = await Promise.all([connected(url, 'ani'), connected(url, 'budi')]);
    const last = Promise.all([ani, budi].map(({ socket }) => next(socket, 'totalNotif')));
    realtime.emit('store', 'newMessage', { text: 'not for ani' }, ['user:ani']);
    realtime.evict('store', ['store'], ['user:ani']);
    realtime.emit('store', 'newMessage', { text: 'who stayed' });
    realtime.emit('everyone', 'totalNotif', { total: 1 });
    await last;
    const end = ['totalNotif', { total: 1 }];
    expect([ani.heard, budi.heard]).toEqual([
      [['newMessage', { text: 'who stayed' }], end],
      [['newMessage', { text: 'not for ani' }], end],
    ]);
  });

  it('counts its audience on request', async () => {
    const { url, realtime } = await open();
    await connected(url, 'ani');
    await connected(url, 'budi');
    const targets = ['everyone', 'user:ani', ['user:ani', 'store'], 'user:nobody', []];
    expect(await Promise.all(targets.map((target) => realtime.audience(target)))).toEqual([2, 1, 2, 0, 0]);
  });

  it('of a transaction is sent after the commit, and never after a rollback', async () => {
    const database = sockets.ended(
      openDatabase({ url: environment.TEST_DATABASE_URL ?? '', schema: 'public', logger: silentLogger }),
    );
    const { realtime, url } = await open();
    const { socket, heard } = await connected(url, 'ani');
    const rolledBack = database.tx(async (tx) => {
      realtime.afterCommit(tx).emit('store', 'newMessage', { text: 'never' });
      await tx.query('SELECT 1/0');
    });
    await expect(rolledBack).rejects.toThrow('division by zero');
    const told = next(socket, 'newMessage');
    await database.tx(async (tx) => {
      realtime.afterCommit(tx).emit('store', 'newMessage', { text: 'committed' });
      await tx.query('SELECT 1');
    });
    await told;
    expect(heard).toEqual([['newMessage', { text: 'committed' }]]);
  });

  it('from a client reaches nobody', async () => {
    const { url } = await open({ requests: { ping: () => 'pong' } });
    const [ani, budi] = await Promise.all([connected(url, 'ani'), connected(url, 'budi')]);
    ani.socket.emit('newMessage', { text: 'forged' });
    expect(await ask(ani.socket, 'ping')).toBe('pong');
    expect(await ask(budi.socket, 'ping')).toBe('pong');
    expect(budi.heard).toEqual([]);
  });
});

describe('a request over a socket', () => {
  const requests: RealtimeOptions<Person>['requests'] = {
    chatJoin: ({ session, payload, join }) => {
      if (session.user !== payload) throw new NotFound('chat tidak ditemukan');
      join(`chat:${payload}`);
      return { result: true };
    },
    chatLeave: ({ payload, leave }) => leave(`chat:${String(payload)}`),
  };

  it('lets a client into a room after the access check, and out again', async () => {
    const { realtime, url } = await open({ requests });
    const { socket, heard } = await connected(url, 'ani');
    expect(await ask(socket, 'chatJoin', 'ani')).toEqual({ result: true });
    const told = next(socket, 'newMessage');
    realtime.emit('chat:ani', 'newMessage', { text: 'in' });
    await told;
    await ask(socket, 'chatLeave', 'ani');
    realtime.emit('chat:ani', 'newMessage', { text: 'out' });
    await ask(socket, 'chatLeave', 'ani');
    expect(heard).toEqual([['newMessage', { text: 'in' }]]);
  });

  it("that fails is answered with the failure, in the service's format", async () => {
    const plain = await open({ requests });
    expect(await ask((await connected(plain.url, 'ani')).socket, 'chatJoin', 'budi')).toEqual({
      error: 'request failed',
    });
    const own = await open({ requests, failure: (thrown) => ({ result: false, message: (thrown as Error).message }) });
    const { socket } = await connected(own.url, 'ani');
    expect(await ask(socket, 'chatJoin', 'budi')).toEqual({ result: false, message: 'chat tidak ditemukan' });
  });

  it('above 64 KB ends the connection', async () => {
    const { url } = await open({ requests });
    const { socket } = await connected(url, 'ani', { reconnection: false });
    const lost = next(socket, 'disconnect');
    socket.emit('chatJoin', 'x'.repeat(65 * 1024));
    expect(await lost).toBe('transport close');
  });
});

describe('a socket session', () => {
  it('ends with its token: authExpired, then closed', async () => {
    const { url, realtime } = await open();
    const { socket, heard } = connect(url, 'ani:50');
    expect(await next(socket, 'disconnect')).toBe('io server disconnect');
    expect(heard).toEqual([['authExpired', {}]]);
    expect(realtime.connections()).toBe(0);
  });

  it('goes on with a newer token of the same person', async () => {
    const clock = fixedClock('2026-03-01T08:00:00.000Z');
    const { url, realtime } = await open({ clock });
    const { socket, heard } = await connected(url, 'ani:50');
    const ended = next(socket, 'disconnect');
    expect(await ask(socket, 'authRefresh', { token: 'ani:100' })).toEqual({
      result: true,
      expiresAt: '2026-03-01T08:00:00.100Z',
    });
    clock.advance(50);
    // It is looked at the clock when the first token ends, and by then at every further end
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([realtime.connections(), heard]).toEqual([1, []]);
    clock.advance(50);
    expect(await ended).toBe('io server disconnect');
    expect(heard).toEqual([['authExpired', {}]]);
  });

  it('leaves requested rooms that a newer token no longer allows', async () => {
    const mayEnter = ['team:1', 'team:2'];
    const { realtime, url } = await open({
      requests: { enter: ({ join }) => join('team:1', 'team:2') },
      mayStay: (_, room) => mayEnter.includes(room),
    });
    const { socket } = await connected(url, 'ani');
    await ask(socket, 'enter');
    mayEnter.shift();
    expect(await ask(socket, 'authRefresh', { token: 'ani' })).toEqual({ result: true, expiresAt: null });
    expect([await realtime.audience('team:1'), await realtime.audience('team:2')]).toEqual([0, 1]);
  });

  it('leaves a room whose rights change at once, and enters it again where it may stay', async () => {
    const mayEnter = new Set(['ani', 'budi', 'citra']);
    const { realtime, url } = await open({
      requests: { enter: ({ join }) => join('chat:1') },
      mayStay: ({ user }) => mayEnter.has(user),
    });
    const [ani, budi, citra] = [
      await connected(url, 'ani'),
      await connected(url, 'budi'),
      await connected(url, 'citra'),
    ];
    for (const { socket } of [ani, budi, citra]) await ask(socket, 'enter');
    mayEnter.delete('budi');
    realtime.recheck('chat:1', ['user:citra']);
    realtime.emit('chat:1', 'newMessage', { text: 'rahasia' });
    await next(citra.socket, 'newMessage');
    while ((await realtime.audience('chat:1')) < 2) await new Promise(setImmediate);
    const heard = Promise.all([next(ani.socket, 'newMessage'), next(citra.socket, 'newMessage')]);
    realtime.emit('chat:1', 'newMessage', { text: 'lagi' });
    await heard;
    expect([budi.heard, citra.heard.length]).toEqual([[], 2]);
  });

  it('that loses its rights between the check and the entry receives nothing of the room', async () => {
    const mayEnter = new Set(['ani', 'budi']);
    let goOn = (): void => undefined;
    const between = new Promise<void>((resolve) => (goOn = resolve));
    const { realtime, url } = await open({
      requests: {
        enter: async ({ session, join }) => {
          if (session.user === 'budi') await between;
          join('chat:1');
        },
      },
      mayStay: ({ user }) => mayEnter.has(user),
    });
    const [ani, budi] = [await connected(url, 'ani'), await connected(url, 'budi')];
    await ask(ani.socket, 'enter');
    const entered = ask(budi.socket, 'enter');
    mayEnter.delete('budi');
    realtime.recheck('chat:1');
    goOn();
    await entered;
    while ((await realtime.audience('chat:1')) !== 1) await new Promise(setImmediate);
    const heard = next(ani.socket, 'newMessage');
    realtime.emit('chat:1', 'newMessage', { text: 'rahasia' });
    await heard;
    expect(budi.heard).toEqual([]);
  });

  it('whose rights change twice in quick succession stays out, whichever check ends last', async () => {
    let rights = true;
    const checks: ((stays: boolean) => void)[] = [];
    const { realtime, url } = await open({
      requests: { enter: ({ join }) => join('chat:1') },
      mayStay: () => (rights ? new Promise<boolean>((resolve) => checks.push(resolve)) : false),
    });
    const { socket } = await connected(url, 'ani');
    await ask(socket, 'enter');
    checks.shift()?.(true);
    realtime.recheck('chat:1');
    rights = false;
    realtime.recheck('chat:1');
    checks.shift()?.(true);
    await new Promise(setImmediate);
    expect(await realtime.audience('chat:1')).toBe(0);
  });

  it('enters further rooms when all sockets of its room are joined to them', async () => {
    const { realtime, url } = await open();
    await connected(url, 'ani');
    realtime.enter('user:ani', ['team:new']);
    expect(await realtime.audience('team:new')).toBe(1);
  });

  it('is not taken over with the token of another person, an invalid one or none', async () => {
    const { url } = await open({ requests: { who: ({ session }) => session } });
    const { socket } = await connected(url, 'ani:60000');
    for (const payload of [{ token: 'budi' }, { token: 'foreign' }, {}, undefined])
      expect(await ask(socket, 'authRefresh', payload)).toEqual({
        result: false,
        message: 'Unauthenticated',
      });
    expect(await ask(socket, 'who')).toEqual({ user: 'ani' });
  });

  it('follows its rights while it lasts: it leaves and enters rooms, and is closed without any', async () => {
    const rights = { rooms: ['team:1'] as string[] | undefined, chats: ['chat:kept', 'chat:lost'] };
    const { realtime, url } = await open({
      authenticate: () => {
        if (!rights.rooms) throw new Unauthenticated({ reason: 'invalid' });
        return { session: { user: 'ani' }, rooms: ['user:ani', ...rights.rooms], identity: 'ani' };
      },
      requests: { chatJoin: ({ payload, join }) => join(String(payload)) },
      mayStay: (_, room) => rights.chats.includes(room),
    });
    const { socket, heard } = await connected(url, 'ani');
    for (const room of rights.chats) await ask(socket, 'chatJoin', room);
    Object.assign(rights, { rooms: ['team:2'], chats: ['chat:kept'] });
    await realtime.readmit('user:ani');
    for (const room of ['team:1', 'chat:lost', 'team:2', 'chat:kept'])
      realtime.emit(room, 'newMessage', { text: room });
    const last = next(socket, 'totalNotif');
    realtime.emit('user:ani', 'totalNotif', { total: 1 });
    await last;
    expect(heard).toEqual([
      ['newMessage', { text: 'team:2' }],
      ['newMessage', { text: 'chat:kept' }],
      ['totalNotif', { total: 1 }],
    ]);
    rights.rooms = undefined;
    const closed = next(socket, 'disconnect');
    await realtime.readmit('user:ani');
    expect(await closed).toBe('io server disconnect');
  });

  it('is closed for good when its room is disconnected, and leaves rooms it is evicted from', async () => {
    const { realtime, url } = await open();
    const { socket, heard } = await connected(url, 'ani');
    const closed = next(socket, 'disconnect');
    realtime.evict('user:ani', ['store']);
    realtime.emit('store', 'newMessage', { text: 'not for ani' });
    realtime.disconnect('user:ani');
    expect(await closed).toBe('io server disconnect');
    expect([heard, socket.active]).toEqual([[], false]);
  });
});
