import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environment, silentLogger } from '@platform/runtime';
import { useOpened } from '@platform/testing';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { openRealtime } from './realtime';
import type { RedisConnection } from './redis-adapter';
import type { RealtimeOptions } from './realtime.types';

export const unique = () => `spec-${process.pid}-${Math.random().toString(36).slice(2)}`;

/** Runs the suites of several replicas, which need a Redis; prints what was not tested when there is none. */
export const withRedis = (untested: string, suites: (redis: () => RedisConnection) => void): void => {
  const url = environment.REDIS_URL;
  if (!url) {
    process.stderr.write(`REDIS_URL is not set: ${untested} were not tested.\n`);
    return;
  }
  // The driver belongs to libs/data; the test makes the connection that an app would hand in
  const { createClient } = jest.requireActual<{
    createClient(options: object): RedisConnection & { on(event: 'error', listener: () => void): unknown };
  }>('redis');
  suites(() => {
    const client = createClient({ url, RESP: 3, disableOfflineQueue: true });
    client.on('error', () => undefined);
    return client;
  });
};

export type ClientOptions = Partial<ManagerOptions & SocketOptions>;
export type Given<Session> = Pick<RealtimeOptions<Session>, 'authenticate'> & Partial<RealtimeOptions<Session>>;

/** The payload of the next such event. */
export const next = <T = unknown>(socket: Socket, event: string) =>
  new Promise<T>((resolve) => socket.once(event, resolve));

/** Sockets on their own servers, and their clients, for every test of the surrounding suite; all end with their test. */
export const useSockets = <Events extends object>() => {
  const ended = useOpened();
  const open = async <Session>(options: Given<Session>) => {
    const realtime = openRealtime<Events, Session>({ name: 'test', cors: '*', logger: silentLogger, ...options });
    const server = createServer();
    realtime.attach(server);
    await realtime.start?.();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const stop = async () => {
      await realtime.stop?.();
      server.closeAllConnections();
      server.close();
    };
    return ended({ realtime, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop });
  };
  /** A client that is connecting. */
  const connecting = (url: string, more: ClientOptions = {}): Socket =>
    ended(io(url, { forceNew: true, transports: ['websocket'], ...more }));
  const connected = async (url: string, more: ClientOptions = {}): Promise<Socket> => {
    const socket = connecting(url, more);
    await next(socket, 'connect');
    return socket;
  };
  return { open, connecting, connected, ended };
};
