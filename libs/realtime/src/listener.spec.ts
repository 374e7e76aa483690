import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@platform/testing';
import { Server as Sockets } from 'socket.io';
import { listenTo } from './listener';

let server: Server;
let sockets: Sockets;
let url: string;
beforeAll(async () => {
  server = createServer();
  sockets = new Sockets(server);
  sockets.use((socket, next) =>
    next(socket.handshake.auth.token === 'good' ? undefined : new Error('Unauthenticated')),
  );
  sockets.on('connection', (socket) => {
    socket.emit('welcome', { first: true });
    socket.on('echo', (payload, answer: (given: unknown) => void) => answer(payload));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => sockets.close());

const hearing = () => {
  const heard: unknown[] = [];
  return {
    heard,
    listener: {
      event: (name: string, payload: unknown) => void heard.push([name, payload]),
      ended: () => void heard.push('ended'),
    },
  };
};

it('hears from the first event on, is answered, and is told once when it is over', async () => {
  const { heard, listener } = hearing();
  const listening = await listenTo(url, 'good', listener);
  expect(await listening.ask('echo', { a: 1 })).toEqual({ a: 1 });
  sockets.emit('news', 1);
  await until(() => heard.length === 2);
  sockets.disconnectSockets(true);
  await until(() => heard.length === 3);
  expect(heard).toEqual([['welcome', { first: true }], ['news', 1], 'ended']);
  await expect(listening.ask('echo', {})).rejects.toMatchObject({ kind: 'upstreamFailed' });
});

it.each([
  ['a token that is none', () => listenTo(url, 'bad', hearing().listener)],
  ['an address that nobody is at', () => listenTo('http://127.0.0.1:9', 'good', hearing().listener)],
])('%s is a failure of the sibling', async (_, listen) =>
  expect(listen()).rejects.toMatchObject({ kind: 'upstreamFailed' }),
);
