import { io, type Socket } from 'socket.io-client';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { startChat, type Chat } from '../../chat.fixture';
import { documented } from '../sockets/sockets.fixture';
import { DevicePoll } from './device.poll';

let chat: Chat;
let socket: Socket;
const told: unknown[] = [];
beforeAll(async () => {
  chat = await startChat({ environment: { DEVICE_POLL_S: '1' } });
  socket = documented(
    io(chat.url, { auth: { token: chat.tokens.tokenFor({ sub: 'u-rina' }) }, transports: ['websocket'] }),
  );
  socket.on('deviceStatus', (device) => told.push(device));
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
});
afterAll(async () => {
  socket.close();
  await chat.stop();
});

const statuses = async () =>
  Object.fromEntries(
    (await chat.database.query<{ instance: string; status: string }>('SELECT instance, status FROM devices')).map(
      ({ instance, status }) => [instance, status],
    ),
  );

it("takes over the gateway's states, and tells the store’s people of changes only", async () => {
  chat.gateway.known.push(
    { instance: 'dev1', status: 'connected' },
    { instance: 'vip', status: 'qr' },
    { instance: 'dev2', status: 'reconnecting' },
    { instance: 'somebody-else', status: 'connected' },
  );
  await until(() => told.length === 2 || undefined);
  expect(await statuses()).toEqual({ dev1: 'connected', vip: 'qr', dev2: 'disconnected' });
  expect(told).toContainEqual({
    instance: 'dev1',
    nama: 'Satu',
    nohp: null,
    status: 'connected',
    team: '3',
    default_team: '3',
    last_seen: expect.any(Number),
    waktu: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
  });
  chat.gateway.known.splice(1, 1);
  await until(() => told.length === 3 || undefined);
  expect(told[2]).toMatchObject({ instance: 'vip', status: 'disconnected' });
});

it('asks the gateway as soon as it starts, not only after the first pause', async () => {
  let asked = 0;
  const poll = new DevicePoll({
    sql: chat.database,
    gateway: { devices: async () => (asked++, [...chat.gateway.known]) },
    announcer: { deviceChanged: () => undefined },
    notifications: { notified: () => undefined },
    everySeconds: 3600,
    logger: silentLogger,
  });
  await poll.start();
  await poll.stop();
  expect(asked).toBe(1);
});

it('changes nothing while the gateway cannot say', async () => {
  const before = await statuses();
  const poll = new DevicePoll({
    sql: chat.database,
    gateway: { devices: () => Promise.reject(new Error('away')) },
    announcer: { deviceChanged: () => undefined },
    notifications: { notified: () => undefined },
    everySeconds: 0,
    logger: silentLogger,
  });
  await expect(poll.poll()).rejects.toThrow('away');
  expect(await statuses()).toEqual(before);
});
