import { asyncapi } from '@platform/realtime';
import { watchSockets } from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { chatSocketApi } from './socket.api';

export interface HeardEvent<Payload> {
  readonly name: string;
  readonly payload: Payload;
}

export interface SocketClient<Payload> {
  readonly socket: Socket;
  readonly events: readonly HeardEvent<Payload>[];
  named(name: string): HeardEvent<Payload>[];
}

const open = new Set<Socket>();

const { documented, misfits } = watchSockets(asyncapi(chatSocketApi));
export { documented };

/** At the end of a suite: all that sockets made by `documented` heard was as it is described. */
export const expectDocumented = (): void => expect(misfits()).toEqual([]);

/** A connected client that keeps what it hears; rejects when it is refused. */
export const openClient = async <Payload>(url: string, token: string): Promise<SocketClient<Payload>> => {
  const events: HeardEvent<Payload>[] = [];
  const socket = documented(io(url, { auth: { token }, transports: ['websocket'], reconnection: false }));
  open.add(socket);
  socket.onAny((name: string, payload: Payload) => void events.push({ name, payload }));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return { socket, events, named: (name) => events.filter((event) => event.name === name) };
};

export const closeClients = (): void => {
  for (const socket of open) socket.close();
  open.clear();
  expectDocumented();
};
