import { environment } from '@platform/runtime';
import { asyncapi } from '@platform/realtime';
import { useDatabase, useRunning, watchSockets } from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { startBot, TABLES } from '../../app.fixture';
import { botSocketApi } from './notice.events';

const PATH = '/api/notify-new-message';
const FULL = {
  idStore: 'S1',
  idUser: '6281234567890',
  idMessage: '3EB0A1',
  instanceID: 'dev1',
  chatId: 'S1.c1',
  type: 'chat',
  timestamp: 1795157100000,
};

const { documented, misfits } = watchSockets(asyncapi(botSocketApi));
const database = useDatabase(TABLES);
/** For a second process without Redis: one database has one. */
const another = useDatabase(TABLES);
const bot = useRunning(() => startBot({ DATABASE_URL: database.url }));
const sockets: Socket[] = [];

/** A client without credentials, and the events it receives. */
const listener = async (url: string): Promise<unknown[]> => {
  const socket = documented(io(url, { transports: ['websocket'], reconnection: false }));
  sockets.push(socket);
  const heard: unknown[] = [];
  // The payload is followed by socket.io's own offset for reconnecting clients
  socket.onAny((event: string, payload: unknown) => heard.push([event, payload]));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return heard;
};
const next = (socket = sockets.at(-1)) => new Promise<unknown>((resolve) => socket?.once('newMessage', resolve));

afterEach(() => sockets.splice(0).forEach((socket) => socket.close()));
afterAll(() => expect(misfits()).toEqual([]));

describe('a notice of a new message', () => {
  it('is answered with exactly the documented text', async () => {
    const { status, body, headers } = await bot.post(PATH, FULL);
    expect([status, body, headers.get('content-type')]).toEqual([
      200,
      'Notification send to client',
      'text/plain; charset=utf-8',
    ]);
  });

  it('reaches every client, without a token, with exactly five members', async () => {
    const heard = [await listener(bot.url), await listener(bot.url)];
    const arrived = sockets.map((socket) => next(socket));
    await bot.post(PATH, { ...FULL, text: 'canary-text', name: 'canary-name', nohp: '628999' });
    await Promise.all(arrived);
    const event = { idStore: 'S1', chatId: 'S1.c1', idMessage: '3EB0A1', type: 'chat', timestamp: 1795157100000 };
    expect(heard).toEqual([[['newMessage', event]], [['newMessage', event]]]);
  });

  it('names the chat by a digest when no id is given, and never the customer', async () => {
    const heard = await listener(bot.url);
    const arrived = next();
    await bot.post(PATH, { idStore: 'S1', idUser: '6281234567890', idMessage: 'm2', timestamp: 1795157100000 });
    await arrived;
    expect(heard).toEqual([
      [
        'newMessage',
        {
          idStore: 'S1',
          chatId: expect.stringMatching(/^[0-9a-f]{16}$/),
          idMessage: 'm2',
          type: null,
          timestamp: 1795157100000,
        },
      ],
    ]);
    expect(JSON.stringify(heard)).not.toContain('6281234567890');
  });

  it.each<[string, unknown, number, string]>([
    ['bad JSON', '{broken', 400, 'invalid json'],
    ['a missing field', { idStore: 'S1' }, 422, 'validation error'],
    ['a long type', { ...FULL, type: 'x'.repeat(33) }, 422, 'validation error'],
    ['a body over the limit', { ...FULL, more: 'x'.repeat(300_000) }, 413, 'request too large'],
  ])('with %s is refused in plain text', async (_, sent, status, text) => {
    const answer = await bot.post(PATH, sent);
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([
      status,
      text,
      'text/plain; charset=utf-8',
    ]);
  });

  it('without credentials is refused in JSON, as on every route', async () => {
    const { status, body } = await bot.post(PATH, FULL, {});
    expect([status, body]).toEqual([401, { status: 'error', message: 'Unauthenticated' }]);
  });

  it('is accepted 600 times a minute from one caller', async () => {
    const busy = await startBot({ DATABASE_URL: another.url, ALLOWED_IPS: '127.0.0.1' }, { silent: true });
    const statuses = new Map<number, number>();
    for (let n = 0; n < 12; n += 1)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, () => busy.post(PATH, FULL, {}))))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const { status, body, headers } = await busy.post(PATH, FULL, {});
    await busy.stop();
    expect([...statuses]).toEqual([[200, 600]]);
    expect([status, body, headers.get('retry-after')]).toEqual([429, 'too many requests', '60']);
  });
});

const withRedis = (REDIS_URL: string): void => {
  it('a notice reaches clients of another replica', async () => {
    const replicas = [
      await startBot({ DATABASE_URL: database.url, REDIS_URL }),
      await startBot({ DATABASE_URL: database.url, REDIS_URL }),
    ] as const;
    const heard = await listener(replicas[1].url);
    const arrived = next();
    await replicas[0].post(PATH, FULL);
    await arrived;
    expect(heard).toHaveLength(1);
    sockets.splice(0).forEach((socket) => socket.close());
    await Promise.all(replicas.map((replica) => replica.stop()));
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: notices were tested with one replica only.\n');
