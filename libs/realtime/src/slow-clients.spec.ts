import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as Connection } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { io, type Socket } from 'socket.io-client';
import { openRealtime } from './realtime';

interface Events {
  row: { text: string };
}

const TEXT = 'x'.repeat(10_000);
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const open = async (milliseconds: number) => {
  const realtime = openRealtime<Events, undefined>({
    name: 'test',
    cors: '*',
    authenticate: () => ({ session: undefined, rooms: ['all'] }),
    patience: { events: 100, milliseconds },
    logger: silentLogger,
  });
  const server = createServer();
  realtime.attach(server);
  await realtime.start?.();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(async () => {
    await realtime.stop?.();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connect = async () => {
    const socket = io(url, { forceNew: true, transports: ['websocket'], reconnection: false });
    ends.push(() => socket.disconnect());
    await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
    return socket;
  };
  return { realtime, connect };
};

/** The TCP connection under a client. */
const connectionOf = ({ io: { engine } }: Socket): Connection =>
  (engine.transport as unknown as { ws: { _socket: Connection } }).ws._socket;

it('a client that stops reading is let go, and the others hear everything meanwhile', async () => {
  const { realtime, connect } = await open(200);
  const [reader, stuck] = [await connect(), await connect()];
  let heard = 0;
  reader.on('row', () => (heard += 1));
  const connection = connectionOf(stuck);
  ends.push(() => connection.destroy());
  connection.pause();
  let told = 0;
  while (realtime.connections() > 1) {
    for (let n = 0; n < 100; n++) realtime.emit('all', 'row', { text: TEXT });
    told += 100;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  while (heard < told) await new Promise((resolve) => setTimeout(resolve, 10));
  expect([heard, reader.connected]).toEqual([told, true]);
}, 20_000);

it('a burst at once is no reason to let a client go that reads', async () => {
  const { realtime, connect } = await open(5_000);
  const reader = await connect();
  let heard = 0;
  reader.on('row', () => (heard += 1));
  for (let n = 0; n < 5_000; n++) realtime.emit('all', 'row', { text: 'x' });
  while (heard < 5_000) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(realtime.connections()).toBe(1);
});
