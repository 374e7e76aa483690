import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createLogger } from '@platform/runtime';
import { FUZZ_CANARY, fuzz, type FuzzIngredients } from '@platform/testing';
import { useGateway, timePasses, until } from './gateway.fixture';
import { accepted, type Answer } from './receiver.fixture';

const REQUESTS = 10_000;
/** Another one finds other requests; a failure names it. */
const SEED = 20_261_122;
const SECRETS = ['the-secret-of-all-callbacks', 'the-token-of-all-sockets', 'the-secret-of-this-device'];
const BUDI = '628123456789';
const log: string[] = [];
const gateway = useGateway(
  {
    WEBHOOK_SECRET: SECRETS[0] ?? '',
    REALTIME_TOKEN: SECRETS[1] ?? '',
    // Nobody outside of this machine is called
    WA_CLOUD_BASE_URL: 'http://127.0.0.1:1',
    MEDIA_URL_ALLOW: 'nowhere.invalid:1',
  },
  { logger: createLogger({ service: 'wa-gateway', level: 'debug', write: (line) => void log.push(line) }) },
);
beforeAll(async () => {
  jest.spyOn(gateway.app.fleet, 'supports').mockImplementation((engine) => engine === 'simulator');
});

/** Devices come and go with the requests; one is linked again before each round. */
const prepare = async (): Promise<FuzzIngredients> => {
  const { client, database, app } = gateway;
  const others = await database.query<{ id: string }>(
    `DELETE FROM device WHERE instance_id <> 'dev1' RETURNING instance_id AS id`,
  );
  for (const { id } of others) await app.fleet.retire(id).catch(() => undefined);
  await client.data(client.post('/sim/faults', { drop: false, nack463: false, dup: false, delay_ms: 0 }));
  await client.data(client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
  await client.get('/api/logout?instanceID=dev1');
  await client.link('dev1', { secret: SECRETS[2] });
  const { key } = await app.files.keep(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]));
  const { id } = await client.customer(BUDI, 'dev1', 'halo');
  return {
    tokens: ['t'],
    service: 's',
    texts: ['dev1', BUDI, 'halo', '7', 'true', 'agent'],
    fields: {
      engine: ['simulator'],
      instanceID: ['dev1'],
      instance: ['dev1'],
      number: [BUDI, '0812 3456 789', '120363000000000001@g.us', '9628110000001@lid'],
      numbers: [BUDI],
      nohp: [BUDI],
      from: [BUDI],
      to: ['dev1', '628110000001'],
      group_id: ['120363000000000001'],
      data: [JSON.stringify({ instanceID: 'dev1', number: BUDI, text: FUZZ_CANARY }), '{"note":1}', '{'],
      id: [id],
      ids: [id],
      filename: [key, '..%2f..%2fetc%2fpasswd', 'network', `${key}%00`],
      file: [key, '../../etc/passwd'],
      base64: [Buffer.from('%PDF-1.7').toString('base64')],
      url: ['http://127.0.0.1:1/a.jpg', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'http://[::1]:1/'],
      webhook_url: [gateway.receiver.url, 'http://169.254.169.254/'],
      latitude: ['-6.2'],
      longitude: ['106.8'],
      type: ['image', 'document'],
      format: ['json', 'png'],
      delay_ms: ['0'],
      cursor: ['1', '99999999999999999999'],
    },
  };
};

it('ten thousand strange requests over every route: no 500, no crash, and no text or secret in the log', async () => {
  const { broken, statuses } = await fuzz({
    url: gateway.client.url,
    service: gateway.app.service,
    seed: SEED,
    requests: REQUESTS,
    prepare,
    // What an engine cannot do or refuses, and media that cannot be had (design 2.1)
    allowed: [501, 502],
    tooLarge: 1_000_000,
  });
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
  expect((await fetch(`${gateway.client.url}/ready`)).status).toBe(200);
  for (const status of [200, 400, 404, 409, 422]) expect([...statuses]).toContain(status);
  const unexpected = log.filter((line) => line.includes('request failed unexpectedly'));
  expect(unexpected.slice(0, 3)).toEqual([]);
  expect(log.length).toBeGreaterThan(REQUESTS * 0.9);
  const told = [FUZZ_CANARY, ...SECRETS, BUDI, 'sim:link/'].filter((secret) =>
    log.some((line) => line.includes(secret)),
  );
  expect(told).toEqual([]);
});

describe('a receiver of callbacks that answers nonsense', () => {
  let broken: Server | undefined;
  afterAll(() => broken?.close());
  let state = SEED;
  const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit;
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const BODIES = [
    '',
    'null',
    '[]',
    '{',
    '"x"',
    '{"result":"false"}',
    '{"result":false}',
    '{"result":false,"message":{}}',
    '\0',
    'x'.repeat(100_000),
  ];
  const nonsense = (): Answer => ({
    status: pick([200, 200, 201, 204, 206, 300, 302, 304, 307, 401, 404, 408, 409, 413, 425, 429, 451, 500, 502, 599]),
    body: pick(BODIES),
    headers: pick<Record<string, string>>([
      {},
      { 'retry-after': '-1' },
      { 'retry-after': 'NaN' },
      { location: '//' },
      { 'content-type': 'x/y' },
    ]),
  });

  it('loses nothing, mixes nothing up and brings nothing down', async () => {
    const { client, database, receiver } = gateway;
    await prepare();
    // In this order: of a row that comes in between, its lane may stay, but never the row without a lane
    await database.query(`DELETE FROM outbox_lane; DELETE FROM outbox_row`);
    receiver.reset();
    receiver.answer = () => nonsense();
    const people = Array.from({ length: 10 }, (_, n) => `62812000020${n}`);
    for (let n = 0; n < 10; n++)
      await Promise.all(people.map((from, person) => client.customer(from, 'dev1', `${person}:${n}`)));
    await until(
      () => timePasses(database).then(() => receiver.calls.length),
      (calls) => calls > 300,
    );
    receiver.answer = () => accepted;
    await until(
      () => timePasses(database).then(() => database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`)),
      ({ length }) => length === 0,
    );
    // Nonsense with a 2xx counts as taken: what is judged is the order of the first arrival of every message
    for (const person of people.keys()) {
      const texts = receiver.calls
        .map(({ fields }) => fields.text ?? '')
        .filter((text) => text.startsWith(`${person}:`));
      expect([...new Set(texts)]).toEqual(Array.from({ length: 10 }, (_, n) => `${person}:${n}`));
    }
    expect((await fetch(`${client.url}/ready`)).status).toBe(200);
  });

  it('in bytes that are no HTTP at all, or breaks off, counts as away', async () => {
    const { client, database, receiver } = gateway;
    const BYTES = [
      '',
      'HTTP/1.1 200',
      'HTTP/9.9 200 OK\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort',
      '\0\0\0\0',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ];
    let connections = 0;
    broken = createServer((socket: Socket) => {
      connections += 1;
      socket.on('error', () => undefined).once('data', () => socket.end(pick(BYTES)));
    });
    await once(broken.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/v1`;
    await client.data(client.post('/api/new', { instanceID: 'dev1', webhook_url: address }));
    receiver.reset();
    const { id } = await client.customer('628120000301', 'dev1', 'sampai juga');
    await until(
      () => timePasses(database).then(() => connections),
      (count) => count > 12,
    );
    expect(await database.query('SELECT state FROM outbox_row WHERE payload @> $1', [{ callback: { id } }])).toEqual([
      { state: 'queued' },
    ]);
    await client.data(client.post('/api/new', { instanceID: 'dev1', webhook_url: receiver.url }));
    await client.customer('628120000301', 'dev1', 'dan ini');
    await until(
      () => receiver.messages().length,
      (count) => count === 2,
    );
    expect(receiver.messages().map(({ fields }) => fields.text)).toEqual(['sampai juga', 'dan ini']);
  });
});
