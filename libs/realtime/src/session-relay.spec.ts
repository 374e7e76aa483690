import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect as openConnection, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { openRealtime } from './realtime';
import { unique, withRedis } from './realtime.fixture';

interface Events {
  newMessage: { text: string };
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const listening = async (server: Server | ReturnType<typeof createTcpServer>): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A balancer: each connection goes to the next replica, with everything that is sent over it. */
const roundRobin = async (replicas: readonly string[]): Promise<string> => {
  let turn = 0;
  const balancer = createTcpServer((client) => {
    const { hostname, port } = new URL(replicas[turn++ % replicas.length] ?? '');
    const server = openConnection(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  ends.push(() => balancer.close());
  return listening(balancer);
};

withRedis('sessions over several replicas', (redis) => {
  const replica = async (name: string) => {
    const server = createServer((request, response) => void response.writeHead(404).end(request.url));
    // A balancer that opens a connection per request, as the default client's polling needs it to be told apart
    server.keepAliveTimeout = 1;
    server.maxRequestsPerSocket = 1;
    const url = await listening(server);
    const realtime = openRealtime<Events, undefined>({
      name,
      address: url,
      cors: '*',
      authenticate: ({ auth }) => ({ session: undefined, rooms: [`user:${String(auth.user)}`] }),
      requests: { ping: () => 'pong' },
      redis,
      logger: silentLogger,
    });
    realtime.attach(server);
    await realtime.start?.();
    const stop = async () => {
      await realtime.stop?.();
      server.closeAllConnections();
      server.close();
    };
    ends.push(stop);
    return { realtime, url, stop };
  };
  const connect = (at: string, user: string, transports?: string[]): Socket => {
    const socket = io(at, { auth: { user }, forceNew: true, reconnectionDelay: 20, ...(transports && { transports }) });
    ends.push(() => socket.disconnect());
    return socket;
  };
  /** A client and everything that happens to it. */
  const followed = (socket: Socket, n: number) => {
    const story: unknown[] = [];
    socket
      .on('connect', () => story.push('connect'))
      .on('connect_error', (error) => story.push(error.message))
      .on('disconnect', (reason) => story.push(reason))
      .on('newMessage', (payload) => story.push(payload));
    return { n, socket, story };
  };
  type Followed = ReturnType<typeof followed>;
  /** Fails with what happened to those that it does not come true for. */
  const untilAll = (clients: readonly Followed[], holds: (client: Followed) => boolean) =>
    until(
      () => clients.filter((client) => !holds(client)).map(({ n, story }) => ({ n, story })),
      ({ length }) => length === 0,
    );
  const connected = (socket: Socket) => new Promise<void>((resolve) => socket.once('connect', resolve));

  describe('behind a load balancer without session affinity', () => {
    it('every client with the default transports connects at the first attempt, is answered and receives its events', async () => {
      const name = unique();
      const [one, two, three] = [await replica(name), await replica(name), await replica(name)];
      const balancer = await roundRobin([one.url, two.url, three.url]);
      const clients = Array.from({ length: 30 }, (_, n) => followed(connect(balancer, `user ${n}`), n));
      await untilAll(clients, ({ story }) => story.includes('connect'));
      for (const { socket, story } of clients)
        void socket.emitWithAck('ping', null).then(
          (answer) => story.push(answer),
          (error: Error) => story.push(error.message),
        );
      await untilAll(clients, ({ story }) => story.length > 1);
      for (let n = 0; n < 30; n++) one.realtime.emit(`user:user ${n}`, 'newMessage', { text: `to ${n}` });
      await untilAll(clients, ({ story }) => story.length > 2);
      expect(clients.map(({ story }) => story)).toEqual(
        Array.from({ length: 30 }, (_, n) => ['connect', 'pong', { text: `to ${n}` }]),
      );
    });

    it('a client that only polls is served by the replica that has its session', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const socket = connect(await roundRobin([one.url, two.url]), 'ani', ['polling']);
      await connected(socket);
      for (let n = 0; n < 5; n++) expect(await socket.emitWithAck('ping', null)).toBe('pong');
      expect([one.realtime.connections(), two.realtime.connections()].sort()).toEqual([0, 1]);
    });

    it('a client whose replica has died starts over on another one', async () => {
      const name = unique();
      const [one, two] = [await replica(name), await replica(name)];
      const socket = connect(one.url, 'ani', ['polling']);
      await connected(socket);
      socket.io.on('reconnect_attempt', () => Object.assign(socket.io, { uri: two.url }));
      const again = connected(socket);
      await one.stop();
      await again;
      expect(await socket.emitWithAck('ping', null)).toBe('pong');
    });

    it('a session id that names no replica, or was already relayed, is refused as unknown', async () => {
      const { url } = await replica(unique());
      const ask = async (sid: string, headers = {}) => {
        const answer = await fetch(`${url}/socket.io/?EIO=4&transport=polling&sid=${sid}`, { headers });
        return [answer.status, await answer.json()];
      };
      const unknown = [400, { code: 1, message: 'Session ID unknown' }];
      expect(await ask('nobodynobody.abc')).toEqual(unknown);
      expect(await ask('nobodynobody.abc', { 'x-socket-relayed': 'other' })).toEqual(unknown);
      expect(await ask(`${'x'.repeat(5_000)}.abc`)).toEqual(unknown);
      expect(await ask('%00')).toEqual(unknown);
    });
  });
});

it('without Redis a server has the ids of engine.io and serves both of its ports', async () => {
  const realtime = openRealtime<Events, undefined>({
    name: 'alone',
    address: 'http://127.0.0.1:1',
    cors: '*',
    authenticate: () => ({ session: undefined, rooms: [] }),
    logger: silentLogger,
  });
  const servers = [createServer(), createServer()];
  for (const server of servers) realtime.attach(server);
  const [first = '', second = ''] = await Promise.all(servers.map(listening));
  const begun = await (await fetch(`${first}/socket.io/?EIO=4&transport=polling`)).text();
  const { sid } = JSON.parse(begun.slice(1)) as { sid: string };
  expect(sid).toMatch(/^[\w-]{20}$/);
  const said = await fetch(`${second}/socket.io/?EIO=4&transport=polling&sid=${sid}`, { method: 'POST', body: '40' });
  expect([said.status, await said.text()]).toEqual([200, 'ok']);
  await realtime.stop?.();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
