import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { freePort, overTcp, useDatabase, useRunning } from '@platform/testing';
import { gatewayEnvironment, gatewayTables, until } from './gateway.fixture';
import { customersWrite } from './held-messages.fixture';
import { useProcess } from './process.fixture';
import { Receiver } from './receiver.fixture';

/** Stands between the gateway and its database; while it is cut, there is no database. */
class Line {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private port = 0;

  constructor(private readonly to: URL) {
    this.server = createServer((near) => {
      const far = connect({ host: to.hostname, port: Number(to.port) });
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
  }

  get url(): string {
    return Object.assign(new URL(this.to), { port: String(this.port) }).href;
  }

  async open(): Promise<this> {
    this.port ||= await freePort();
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    return this;
  }

  async cut(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  stop(): Promise<void> {
    return this.cut().catch(() => undefined);
  }
}

const PEOPLE = ['628120000401', '628120000402', '628120000403'];
const database = useDatabase(gatewayTables);
const line = useRunning(() => new Line(overTcp(database.url)).open());
const receiver = useRunning(() => new Receiver().start());
const gateway = useProcess(() => ({
  ...gatewayEnvironment(line.url, receiver.url),
  LEASE_TTL: '3s',
  LEASE_HEARTBEAT: '1s',
}));
beforeAll(async () => {
  await gateway.start();
  await gateway.client.link('dev1');
});

/** In the order in which they came first. */
const texts = () => [...new Set(receiver.messages().map(({ fields }) => fields.text))];
const leases = () => database.query('SELECT 1 FROM lease WHERE expires_at > now()');

it('a database that is away for longer than a lease costs nothing: sends are refused, lines close, everything arrives afterwards', async () => {
  const { client } = gateway;
  await Promise.all(PEOPLE.map((from, n) => client.customer(from, 'dev1', `orang-${n}`)));
  await until(texts, ({ length }) => length === PEOPLE.length);
  const underWay = `SELECT 1 FROM outbox_row WHERE state = 'queued' UNION ALL SELECT 1 FROM sim_message WHERE direction = 'in' AND level = 0`;
  await until(
    () => database.query(underWay),
    ({ length }) => length === 0,
  );
  receiver.reset();
  await line.cut();
  const refused = await until(
    () => client.send('O-1', PEOPLE[0] ?? '', 'halo'),
    ({ status }) => status === 503,
  );
  expect(refused.body).toEqual({
    success: false,
    message: 'store unavailable',
    error: { code: 'UNAVAILABLE', retryable: true },
  });
  expect((await client.get('/ready').catch(() => ({ status: 503 }))).status).toBe(503);
  for (const n of PEOPLE.keys()) await customersWrite(database, `orang-${n}`, 10);
  // The lease ends: by then the line was closed, or two processes could have one device
  await until(leases, ({ length }) => length === 0);
  const held = await database.query(`SELECT 1 FROM sim_message WHERE direction = 'in' AND level = 0`);
  expect([held.length, texts()]).toEqual([30, []]);
  await line.open();
  await until(texts, ({ length }) => length >= 30);
  expect(texts()).toHaveLength(30);
  for (const n of PEOPLE.keys())
    expect(texts().filter((text) => text?.startsWith(`orang-${n} `))).toEqual(
      Array.from({ length: 10 }, (_, k) => `orang-${n} ${k + 1}`),
    );
  expect(await client.send('O-1', PEOPLE[0] ?? '', 'halo')).toMatchObject({ status: 200 });
  await until(
    () => client.shows(PEOPLE[0] ?? ''),
    (shown) => shown.includes('halo'),
  );
});
