import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { silentLogger } from '@platform/runtime';
import { startHttpServer, useOpened } from '@platform/testing';
import { useSockets } from './realtime.fixture';
import { SessionRelay, type ReplicaDirectory } from './session-relay';

const OTHER = 'otherreplica';
const ended = useOpened();

/** A Redis that knows one other replica, or does what `get` does. */
const directoryOf = (get: ReplicaDirectory['get']): ReplicaDirectory => ({ get, set: () => Promise.resolve() });

/** A replica that hands over requests of another's sessions, and answers `here` to the rest. */
const relayThat = async (get: ReplicaDirectory['get']) => {
  const options = { name: 'spec', address: 'http://127.0.0.1:1', logger: silentLogger, patienceMs: 50 };
  const relay = new SessionRelay(directoryOf(get), options);
  const server = ended(
    await startHttpServer((request, response) => void relay.request(request, response, () => response.end('here'))),
  );
  return { relay, url: server.url };
};
const replicaThat = async (get: ReplicaDirectory['get']) => (await relayThat(get)).url;

/** The other replica: answers, and records its requests. */
const otherReplica = async () => {
  const asked: IncomingMessage[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request);
    response.end('other');
  };
  const server = ended(await startHttpServer(answer));
  return { asked, url: server.url };
};

/** Sends the lines as they are and reads until the server closes: fetch would tidy them up. */
const say = async (url: string, ...lines: string[]): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write([...lines, 'host: shop', 'connection: close', '', ''].join('\r\n'));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

describe("a request of another replica's session", () => {
  it.each(['/socket.io/../v1/send', '/socket.io/%2e%2e/v1/send', '/socket.io/..\\v1/send', '//elsewhere/socket.io/'])(
    'reaches no path of the internal port but the requested one: %s',
    async (path) => {
      const other = await otherReplica();
      const url = await replicaThat(() => Promise.resolve(other.url));
      expect(await say(url, `GET ${path}?sid=${OTHER}.x HTTP/1.1`)).toContain('other');
      expect(other.asked.map((request) => request.url)).toEqual([`${path}?sid=${OTHER}.x`]);
    },
  );

  it.each([['trailer: x'], ['trailer: x', 'expect: 100-continue'], ['te: trailers', 'keep-alive: timeout=5']])(
    'is handed over without hop-by-hop headers: %s %s',
    async (...headers) => {
      const other = await otherReplica();
      const url = await replicaThat(() => Promise.resolve(other.url));
      expect(await say(url, `GET /socket.io/?sid=${OTHER}.x HTTP/1.1`, ...headers)).toContain('other');
      const names = other.asked.flatMap((request) => Object.keys(request.headers));
      expect(names.sort()).toEqual(['connection', 'host', 'x-socket-relayed']);
    },
  );

  it('is handed over by a replica that stood still while it was connecting, longer than its patience', async () => {
    const other = await otherReplica();
    const url = await replicaThat(() => {
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100));
      return Promise.resolve(other.url);
    });
    expect(await say(url, `GET /socket.io/?sid=${OTHER}.x HTTP/1.1`)).toContain('other');
  });

  it('that is not answered yet ends when this replica stops: it would keep its server open', async () => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const other = ended(await startHttpServer(() => arrived()));
    const { relay, url } = await relayThat(() => Promise.resolve(other.url));
    const said = say(url, `GET /socket.io/?sid=${OTHER}.x HTTP/1.1`);
    await arrival;
    relay.stop();
    expect(await said.catch(() => '')).toBe('');
  });

  it('is refused while Redis does not answer', async () => {
    const url = await replicaThat(() => new Promise(() => undefined));
    expect(await say(url, `GET /socket.io/?sid=${OTHER}.x HTTP/1.1`)).toContain('here');
  });

  it('is refused when nothing answers at the address of a vanished replica', async () => {
    // A listener whose backlog is full answers no new connection, like a vanished machine
    const silent = new Worker(
      `const { parentPort } = require('node:worker_threads');
       const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         // At once: it is to take none of those that come
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       });`,
      { eval: true },
    );
    const [port] = (await once(silent, 'message')) as [number];
    const queue: Socket[] = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    const url = await replicaThat(() => Promise.resolve(`http://127.0.0.1:${port}`));
    const answer = await say(url, `GET /socket.io/?sid=${OTHER}.x HTTP/1.1`);
    for (const socket of queue) socket.destroy();
    await silent.terminate();
    expect(answer).toContain('here');
  });
});

describe('a client that resets its connection at an upgrade', () => {
  const { open } = useSockets();
  const upgrade = (path: string) =>
    [`GET ${path} HTTP/1.1`, 'host: shop', 'connection: upgrade', 'upgrade: websocket', '', ''].join('\r\n');

  it.each(['/elsewhere', '/socket.io/?EIO=4&transport=websocket'])('ends only that connection: %s', async (path) => {
    const { realtime, url } = await open({ authenticate: () => ({ session: undefined, rooms: [] }) });
    const server = createServer((_, response) => response.end());
    realtime.attach(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(upgrade(path));
    const [, socket] = (await once(server, 'upgrade')) as [IncomingMessage, Socket];
    // `once` of node:events would listen to errors too
    const closed = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    await closed;
    server.close();
    expect((await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).status).toBe(200);
  });
});
