import { once } from 'node:events';
import { connect } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { createMetrics } from './metrics';
import { listenersOf, startService, type ListenOptions, type RunningService } from './server';
import { endpoints, fixtureService } from './service.fixture';

const SHOP = 'https://shop.example';
const options: ListenOptions = { port: 0, host: '127.0.0.1', logger: silentLogger };
const service = fixtureService({ crossOrigin: { origins: [SHOP], prefix: '/v1/' } });
let running: RunningService;
beforeAll(async () => {
  running = await startService(service, { ...options, hsts: true });
});
afterAll(() => running.stop());

/** Everything that the server answers to these bytes. */
const raw = async (text: string): Promise<string> => {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.end(text);
  await once(socket, 'close');
  return answer;
};

const HTTPS_ONLY = 'max-age=31536000';

describe('every answer', () => {
  it.each([
    ['JSON', '/v1/created', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"a"}' }],
    ['a refusal', '/v1/echo', { method: 'POST' }],
    ['a text', '/text', {}],
    ['bytes', '/picture', {}],
    ['a redirect', '/away', { redirect: 'manual' }],
    ['nothing there', '/nowhere', {}],
    ['a path that cannot be read', '/things/%ff/parts/1', {}],
    [
      'a preflight',
      '/v1/echo',
      { method: 'OPTIONS', headers: { origin: SHOP, 'access-control-request-method': 'POST' } },
    ],
    ['an operation', '/ready', {}],
    ['the description', '/docs.json', {}],
  ] as const)('%s forbids browsers to sniff the type, and requires HTTPS (nosniff, HSTS)', async (_, path, init) => {
    const { headers } = await fetch(running.url + path, init);
    expect([headers.get('x-content-type-options'), headers.get('strict-transport-security')]).toEqual([
      'nosniff',
      HTTPS_ONLY,
    ]);
  });

  it('does not require HTTPS when no proxy in front speaks it', async () => {
    const plain = await startService(service, options);
    const { headers } = await fetch(`${plain.url}/text`);
    await plain.stop();
    expect(headers.get('strict-transport-security')).toBeNull();
  });
});

it.each(['Host: a.example\r\nHost: a.example', 'Host: a.example\r\nhOST: b.example'])(
  'a request with two Host headers is malformed: %j',
  async (hosts) => {
    const answer = await raw(`GET /text HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('a request has one Host header');
  },
);

it('a slow request is aborted after half a minute, one with files after two', () => {
  const limits = (of = service) => {
    const [{ server } = { server: undefined }] = listenersOf(of, options, createMetrics('limits'), () => true);
    return [server?.headersTimeout, server?.requestTimeout];
  };
  const fileless = { ...service, endpoints: endpoints.filter(({ files }) => !files) };
  expect([limits(fileless), limits()]).toEqual([
    [15_000, 30_000],
    [15_000, 120_000],
  ]);
});

describe('the content type of a body', () => {
  const send = async (headers: Record<string, string>, body = '{"text":"hi"}') => {
    const { port } = new URL(running.url);
    const lines = Object.entries({
      Host: `127.0.0.1:${port}`,
      ...headers,
      'Content-Length': String(body.length),
      Connection: 'close',
    });
    const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    return (await raw(`POST /v1/created HTTP/1.1\r\n${head}\r\n\r\n${body}`)).split(' ')[1];
  };

  it.each([
    'application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset=utf-8',
    ' application/json ',
  ])('a body is JSON when its type is: %j', async (type) => expect(await send({ 'Content-Type': type })).toBe('201'));

  it.each(['application/jsonp', 'application/json-seq', 'application/json5', 'text/plain', 'text/json', ';', 'json'])(
    'a body of another type is malformed: %j',
    async (type) => expect(await send({ 'Content-Type': type })).toBe('400'),
  );

  it.each([
    ['a cookie', { Cookie: 'a=1' }],
    ['an origin', { Origin: 'https://evil.example' }],
    ['where it comes from', { 'Sec-Fetch-Site': 'same-site' }],
  ])('a body without a type is malformed from a browser, recognised by %s', async (_, headers) =>
    expect(await send(headers)).toBe('400'),
  );

  it('a body without a type is JSON from a client other than a browser', async () =>
    expect(await send({})).toBe('201'));
});
