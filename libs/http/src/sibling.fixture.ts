import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenCall {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Behaviour = (response: ServerResponse) => void;

export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

export const hangs: Behaviour = () => undefined;
export const resets: Behaviour = (response) => void response.socket?.destroy();

/** Sends up to a gigabyte, until the client has gone; resolves to the bytes that were accepted. */
export const flood = () => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = 2 ** 30;
  let end: (bytes: number) => void;
  const taken = new Promise<number>((resolve) => (end = resolve));
  const does: Behaviour = (response) => {
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', pour);
      }
      response.end();
    };
    response.once('close', () => end(2 ** 30 - left));
    response.writeHead(200);
    pour();
  };
  return { does, taken };
};

/** A sibling that answers every request as the test says. */
export const startSibling = async () => {
  const seen: SeenCall[] = [];
  const state: { does: Behaviour; connections: number; mostConnections: number } = {
    does: answers(200, {}),
    connections: 0,
    mostConnections: 0,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body });
      state.does(response);
    });
  });
  server.on('connection', (socket) => {
    state.connections += 1;
    state.mostConnections = Math.max(state.mostConnections, state.connections);
    socket.on('close', () => (state.connections -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    state,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type Sibling = Awaited<ReturnType<typeof startSibling>>;
