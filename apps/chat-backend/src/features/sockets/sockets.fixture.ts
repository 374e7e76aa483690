import { io, type Socket } from 'socket.io-client';

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

/** A connected client that keeps what it hears; rejects when it is refused. */
export const openClient = async <Payload>(url: string, token: string): Promise<SocketClient<Payload>> => {
  const events: HeardEvent<Payload>[] = [];
  const socket = io(url, { auth: { token }, transports: ['websocket'], reconnection: false });
  open.add(socket);
  socket.onAny((name: string, payload: Payload) => void events.push({ name, payload }));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return { socket, events, named: (name) => events.filter((event) => event.name === name) };
};

export const closeClients = (): void => {
  for (const socket of open) socket.close();
  open.clear();
};
