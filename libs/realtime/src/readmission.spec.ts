import { Unauthenticated, Unavailable } from '@platform/errors';
import { until } from '@platform/testing';
import { next, useSockets } from './realtime.fixture';
import type { Handshake } from './realtime.types';

interface Events {
  newMessage: { text: string };
}

const { open, connected, connecting } = useSockets<Events>();

/** A server that admits its clients anew all the time, and their rights. */
const start = async (readmitSeconds = 0.02) => {
  const rights = {
    answer: (): void | Promise<void> => undefined,
    teams: ['team:3'],
    mayStay: (): boolean => true,
    rounds: 0,
  };
  const { realtime, url } = await open({
    readmitSeconds,
    authenticate: async ({ auth }: Handshake) => {
      const { teams } = rights;
      await rights.answer();
      rights.rounds += 1;
      return { session: undefined, identity: 'ani', rooms: auth.token === 'newer' ? ['team:newer'] : teams };
    },
    requests: { chatJoin: ({ join }) => join('chat:1') },
    mayStay: () => rights.mayStay(),
  });
  const rounds = async (more: number) => {
    const then = rights.rounds + more;
    await until(() => rights.rounds >= then);
  };
  return { realtime, url, rights, rounds };
};

describe('a client whose rights changed without a word', () => {
  it('leaves its rooms, and enters those it got', async () => {
    const { realtime, url, rights } = await start();
    const socket = await connected(url);
    await socket.emitWithAck('chatJoin');
    expect(await realtime.audience('chat:1')).toBe(1);
    Object.assign(rights, { teams: ['team:4'], mayStay: () => false });
    await until(async () => (await realtime.audience('team:4')) === 1 && (await realtime.audience('chat:1')) === 0);
    expect(await realtime.audience('team:3')).toBe(0);
  });

  it('is closed when it is not admitted any more', async () => {
    const { url, rights } = await start();
    const socket = await connected(url);
    const closed = next(socket, 'disconnect');
    rights.answer = () => Promise.reject(new Unauthenticated({ reason: 'invalid' }));
    expect(await closed).toBe('io server disconnect');
  });

  it('stays with what it had while its rights cannot be looked up', async () => {
    const { realtime, url, rights, rounds } = await start();
    const socket = await connected(url);
    await socket.emitWithAck('chatJoin');
    let asked = 0;
    rights.answer = () => Promise.reject(++asked > 0 && new Unavailable('away'));
    await until(() => asked > 2);
    rights.answer = () => undefined;
    rights.mayStay = () => {
      throw new Unavailable('away');
    };
    await rounds(3);
    expect([await realtime.audience(['chat:1']), await realtime.audience('team:3')]).toEqual([1, 1]);
  });
});

describe('a client whose rights cannot be looked up when they have changed', () => {
  const away = (): never => {
    throw new Unavailable('away');
  };
  const joined = async () => {
    const started = await start(3_600);
    const socket = await connected(started.url);
    await socket.emitWithAck('chatJoin');
    const { realtime, rights } = started;
    const audience = (expected: number) => until(async () => (await realtime.audience('chat:1')) === expected);
    await audience(1);
    rights.mayStay = away;
    return { ...started, socket, audience };
  };

  it('hears nothing of a chat until they can, and then goes on', async () => {
    const { realtime, rights, audience } = await joined();
    realtime.recheck('chat:');
    await audience(0);
    rights.mayStay = () => true;
    await audience(1);
  });

  it('and who has brought a newer token meanwhile also goes on', async () => {
    const { rights, socket, audience } = await joined();
    expect(await socket.emitWithAck('authRefresh', { token: 'newer' })).toMatchObject({ result: true });
    await audience(0);
    rights.mayStay = () => true;
    await audience(1);
  });

  it('stays outside when it turns out that it has lost them', async () => {
    const { realtime, rights, audience } = await joined();
    realtime.recheck('chat:');
    await audience(0);
    const asked = new Promise<void>((resolve) => {
      rights.mayStay = () => {
        resolve();
        return false;
      };
    });
    await asked;
    await new Promise(setImmediate);
    expect(await realtime.audience('chat:1')).toBe(0);
  });

  it('is disconnected in a way after which it comes back by itself', async () => {
    const { realtime, rights, socket } = await joined();
    rights.answer = () => Promise.reject(new Unavailable('away'));
    const closed = next(socket, 'disconnect');
    await realtime.readmit('team:3');
    expect([await closed, socket.active]).toEqual(['transport close', true]);
  });
});

it('a client whose rights are lost while it connects is closed', async () => {
  const { realtime, url, rights } = await start(3_600);
  let release = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    rights.answer = () => {
      resolve();
      return new Promise((answer) => (release = answer));
    };
  });
  const socket = connecting(url);
  const closed = next(socket, 'disconnect');
  await asked;
  rights.answer = () => Promise.reject(new Unauthenticated({ reason: 'invalid' }));
  realtime.disconnect('team:3');
  release();
  expect(await closed).toBe('io server disconnect');
});

it('a client that brings a newer token while it is admitted anew keeps the rights of the newer one', async () => {
  const { realtime, url, rights } = await start();
  const socket = await connected(url);
  let release = (): void => undefined;
  await new Promise<void>((resolve) => {
    rights.answer = () => {
      rights.answer = () => undefined;
      resolve();
      return new Promise((answer) => (release = answer));
    };
  });
  expect(await socket.emitWithAck('authRefresh', { token: 'newer' })).toMatchObject({ result: true });
  release();
  await socket.emitWithAck('authRefresh', { token: 'newer' });
  expect([await realtime.audience('team:newer'), await realtime.audience('team:3')]).toEqual([1, 0]);
});
