import { environment } from '@platform/runtime';
import { io, type Socket } from 'socket.io-client';
import { documented, startGateway, useGateway, until, type Gateway } from '../../gateway.fixture';

const sockets: Socket[] = [];
const connect = (gateway: Gateway, auth: object = {}): Socket => {
  const socket = documented(io(gateway.client.url, { transports: ['websocket'], forceNew: true, auth }));
  sockets.push(socket);
  return socket;
};

interface Listener {
  readonly socket: Socket;
  readonly heard: [event: string, payload: unknown][];
}

/** A client that is connected, has joined these rooms and remembers what it hears. */
const listener = async (gateway: Gateway, rooms?: object, auth?: object): Promise<Listener> => {
  const socket = connect(gateway, auth);
  const heard: Listener['heard'] = [];
  socket.onAny((event: string, payload: unknown) => heard.push([event, payload]));
  await until(() => socket.connected, Boolean);
  if (rooms) await socket.emitWithAck('join', rooms);
  return { socket, heard };
};
const has = (count: number) => (listeners: Listener[]) => listeners.every(({ heard }) => heard.length === count);

afterAll(() => sockets.forEach((socket) => socket.disconnect()));

describe('events that sockets alone hear of', () => {
  let clients: Listener[];
  const gateway = useGateway();
  beforeAll(async () => {
    clients = [await listener(gateway), await listener(gateway, { instance: 'toko-1' })];
  });
  beforeEach(() => clients.forEach(({ heard }) => heard.splice(0)));

  it.each([
    [
      'push-notif',
      'pushNotif',
      { team: '3', instance: 'toko-1', title: 'Pesan baru', message: 'Budi menulis', data: { chat: 7 } },
    ],
    ['update-chatlist', 'updateChatlist', { instance: 'toko-1', nohp: '628123456789', team: '3', data: { unread: 2 } }],
    // By who hides the number
    ['update-chatlist', 'updateChatlist', { instance: 'toko-1', nohp: `ID.ENT.${'1'.repeat(128)}@bsuid` }],
    ['update-teamchat', 'updateTeamchat', { team: '3', data: { unread_chat: 4 } }],
    [
      'submit-pixel',
      'submitPixel',
      { pixel_id: '77', event_name: 'Purchase', event_id: 'E-1', nohp: '628123456789', data: { value: 250000 } },
    ],
  ])('POST /api/%s reaches everybody with the fields of the request', async (path, event, body) => {
    expect(await gateway.client.post(`/api/${path}`, { ...body, unknown: 'left out' })).toEqual({
      status: 200,
      body: { success: true, message: `success ${path.replace('-', ' ')}`, data: { event, clients: 2 } },
    });
    await until(() => clients, has(1));
    expect(clients.map(({ heard }) => heard)).toEqual([[[event, body]], [[event, body]]]);
  });

  it.each([
    ['push-notif', { title: 'x' }, ['message']],
    ['push-notif', { message: 'x' }, ['title']],
    ['update-chatlist', { nohp: '628123456789' }, ['instance']],
    ['update-chatlist', { instance: 'toko-1' }, ['nohp']],
    ['update-teamchat', { data: {} }, ['team']],
    ['update-teamchat', { team: '3' }, ['data']],
    ['submit-pixel', { event_name: 'Purchase' }, ['pixel_id']],
    ['submit-pixel', {}, ['pixel_id', 'event_name']],
  ])('POST /api/%s refuses %j', async (path, body, missing) => {
    const errors = missing.map((field) => ({ field, tag: 'required', message: `${field} is required` }));
    expect(await gateway.client.post(`/api/${path}`, body)).toEqual({
      status: 422,
      body: {
        success: false,
        message: `${missing[0]} is required`,
        error: { code: 'VALIDATION', retryable: false, errors },
      },
    });
  });
});

describe('REALTIME_SCOPE=room', () => {
  const gateway = useGateway({ REALTIME_SCOPE: 'room', REALTIME_TOKEN: 'the-token' });

  it('reaches only those who joined the room of the device or of the team, each once', async () => {
    const auth = { token: 'the-token' };
    const both = await listener(gateway, { instance: 'toko-1', team: '3' }, auth);
    const team = await listener(gateway, { team: '3' }, auth);
    const stranger = await listener(gateway, { instance: 'toko-2', team: '4' }, auth);
    const body = { team: '3', instance: 'toko-1', title: 'a', message: 'b' };
    expect(await gateway.client.data(gateway.client.post('/api/push-notif', body))).toEqual({
      event: 'pushNotif',
      clients: 2,
    });
    expect(
      await gateway.client.data(gateway.client.post('/api/update-chatlist', { instance: 'toko-9', nohp: '1' })),
    ).toEqual({ event: 'updateChatlist', clients: 0 });
    await until(() => [both, team], has(1));
    // What a room hears nobody else does; an event without a room is for everybody, and the last one sent
    await gateway.client.data(gateway.client.post('/api/submit-pixel', { pixel_id: '1', event_name: 'x' }));
    await until(() => [stranger], has(1));
    expect(stranger.heard).toEqual([['submitPixel', { pixel_id: '1', event_name: 'x' }]]);
  });

  it('answers a join with the rooms that were entered', async () => {
    const { socket } = await listener(gateway, undefined, { token: 'the-token' });
    expect(await socket.emitWithAck('join', { instance: 'toko-1', team: '3' })).toEqual({
      joined: ['instance:toko-1', 'team:3'],
    });
    expect(await socket.emitWithAck('join', { instance: '../x', team: 7 })).toEqual({ joined: [] });
  });

  it.each([[{}], [{ token: 'another' }], [{ token: 7 }]])('lets nobody in with %j', async (auth) => {
    const socket = connect(gateway, auth);
    const refusal = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    expect(refusal.message).toBe('Unauthenticated');
  });
});

const onRedis = (REDIS_URL: string) =>
  describe('two replicas on one Redis', () => {
    it('count and reach the clients of both', async () => {
      const replicas = [await startGateway({ REDIS_URL }), await startGateway({ REDIS_URL })];
      const clients = await Promise.all(replicas.map((replica) => listener(replica)));
      const [first] = replicas as [Gateway, Gateway];
      const body = { title: 'a', message: 'b' };
      expect(await first.client.data(first.client.post('/api/push-notif', body))).toEqual({
        event: 'pushNotif',
        clients: 2,
      });
      await until(() => clients, has(1));
      for (const replica of replicas) await replica.stop();
    });
  });

if (environment.REDIS_URL) onRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: sockets of several replicas were not counted.\n');
