import type { Socket as Connection } from 'node:net';
import type { Socket } from 'socket.io-client';
import { useSockets } from './realtime.fixture';

interface Events {
  row: { text: string };
}

const TEXT = 'x'.repeat(10_000);
const sockets = useSockets<Events>();

const open = async (milliseconds: number) => {
  const { realtime, url } = await sockets.open({
    authenticate: () => ({ session: undefined, rooms: ['all'] }),
    patience: { events: 100, milliseconds },
  });
  return { realtime, connect: () => sockets.connected(url, { reconnection: false }) };
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
  sockets.ended({ stop: () => connection.destroy() });
  connection.pause();
  let told = 0;
  while (realtime.connections() > 1) {
    for (let n = 0; n < 50; n++) realtime.emit('all', 'row', { text: TEXT });
    told += 50;
    // However slow the machine, for the reader never more waits than patience allows
    while (heard < told) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect([heard, reader.connected]).toEqual([told, true]);
});

it('a burst at once is no reason to let a client go that reads', async () => {
  const { realtime, connect } = await open(5_000);
  const reader = await connect();
  let heard = 0;
  reader.on('row', () => (heard += 1));
  for (let n = 0; n < 5_000; n++) realtime.emit('all', 'row', { text: 'x' });
  while (heard < 5_000) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(realtime.connections()).toBe(1);
});
