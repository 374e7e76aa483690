import { request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { plainEnvelope } from '@platform/envelopes';
import { createLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { csv } from './csv';
import { endpointsOf } from './endpoint';
import { oneOf } from './one-of';
import { Binary, JsonText, Page, PlainText, Redirect, Reply } from './replies';
import { takesGzip } from './send';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const endpoint = endpointsOf<{ public: undefined }>();
const common = { summary: 'Answers', guard: 'public', envelope: plainEnvelope } as const;
const more = { headers: { 'X-More': '1', 'Content-Language': 'id' }, status: 203 };
const breaking = function* () {
  yield Buffer.from('the first half');
  throw new Error('the disk is gone');
};

let endless: Readable;

const endpoints = [
  endpoint({ ...common, get: '/page', reply: 'page', handle: () => new Page('<p>hi</p>') }),
  endpoint({
    ...common,
    get: '/page/more',
    reply: 'page',
    handle: () => new Reply(new Page('<p>hi</p>'), { headers: { 'Referrer-Policy': 'no-referrer' } }),
  }),
  endpoint({ ...common, get: '/json', reply: 'json', handle: () => new JsonText('{"a" : 1}') }),
  endpoint({ ...common, get: '/object', reply: 'json', handle: () => new Reply({ a: 1 }, more) }),
  endpoint({ ...common, get: '/text', reply: 'text', handle: () => new Reply(new PlainText('hi'), more) }),
  endpoint({ ...common, get: '/away', reply: 'redirect', handle: () => new Reply(new Redirect('/x', 307), more) }),
  endpoint({ ...common, get: '/nothing', reply: 'nothing', handle: () => undefined }),
  endpoint({ ...common, get: '/nothing/more', reply: 'nothing', handle: () => new Reply(undefined, more) }),
  endpoint({
    ...common,
    get: '/bytes',
    reply: 'bytes',
    handle: () =>
      new Reply(new Binary(Buffer.from('abc'), 'image/png', { 'X-Own': '1', 'X-More': '0' }), {
        headers: { 'X-More': '1' },
      }),
  }),
  endpoint({
    ...common,
    get: '/stream',
    reply: 'bytes',
    handle: () => new Binary(Readable.from(['a', 'b']), 'image/png'),
  }),
  endpoint({
    ...common,
    get: '/rows',
    reply: csv<{ n: number }>([['N', 'n']]),
    handle: () => new Reply([{ n: 1 }], { status: 203, headers: { 'X-More': '1' } }),
  }),
  endpoint({
    ...common,
    get: '/either/{which}',
    reply: oneOf('text', 'json'),
    handle: ({ params }) => (params.which === 'text' ? new PlainText('hi') : { anything: [1] }),
  }),
  endpoint({
    ...common,
    get: '/long/{length}',
    reply: 'text',
    handle: ({ params }) => new PlainText('x'.repeat(Number(params.length))),
  }),
  endpoint({
    ...common,
    get: '/etag/{status}',
    etag: true,
    reply: 'text',
    handle: ({ params }) => new Reply(new PlainText('hi'), { status: Number(params.status) }),
  }),
  endpoint({
    ...common,
    get: '/unsendable',
    reply: 'json',
    handle: () => new Reply({}, { headers: { 'X-Content-Type-Options': 'sniff', 'X-Bad': '日本' } }),
  }),
  endpoint({
    ...common,
    get: '/breaks',
    reply: 'bytes',
    handle: () => new Binary(Readable.from(breaking()), 'image/png'),
  }),
  endpoint({
    ...common,
    get: '/endless',
    reply: 'bytes',
    handle: () => {
      endless = new Readable({ read: () => undefined });
      endless.push('the first');
      return new Binary(endless, 'text/event-stream');
    },
  }),
];

let service: RunningService;
const lines: string[] = [];
beforeAll(async () => {
  const logger = createLogger({ service: 'fixture', write: (line) => lines.push(line) });
  service = await startService(fixtureService({ endpoints }), { port: 0, host: '127.0.0.1', logger });
});
afterAll(() => service.stop());

/** The answer on the wire, without the headers that every answer has. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status?: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(service.url + path, { headers, agent: false }, (response) => {
      const { date, connection, 'x-request-id': id, 'x-content-type-options': sniff, ...rest } = response.headers;
      void [date, connection, id, sniff];
      buffer(response).then((body) => resolve({ status: response.statusCode, headers: rest, body }), reject);
    })
      .once('error', reject)
      .end();
  });
const shown = async (path: string, headers: Record<string, string> = {}) => {
  const { body, ...rest } = await get(path, headers);
  return { ...rest, body: body.toString() };
};
const JSON_TYPE = 'application/json; charset=utf-8';
const MORE = { 'x-more': '1', 'content-language': 'id' };

describe('an answer on the wire', () => {
  it.each<[string, number, Record<string, string>, string]>([
    [
      '/page',
      200,
      { 'content-type': 'text/html; charset=utf-8', 'content-length': '9', 'referrer-policy': 'same-origin' },
      '<p>hi</p>',
    ],
    [
      '/page/more',
      200,
      { 'content-type': 'text/html; charset=utf-8', 'content-length': '9', 'referrer-policy': 'no-referrer' },
      '<p>hi</p>',
    ],
    ['/json', 200, { 'content-type': JSON_TYPE, 'content-length': '9' }, '{"a" : 1}'],
    ['/object', 203, { 'content-type': JSON_TYPE, 'content-length': '7', ...MORE }, '{"a":1}'],
    ['/text', 203, { 'content-type': 'text/plain; charset=utf-8', 'content-length': '2', ...MORE }, 'hi'],
    ['/away', 307, { location: '/x', 'content-length': '0', ...MORE }, ''],
    ['/nothing', 204, {}, ''],
    ['/nothing/more', 203, { 'content-length': '0', ...MORE }, ''],
    ['/bytes', 200, { 'content-type': 'image/png', 'content-length': '3', 'x-own': '1', 'x-more': '1' }, 'abc'],
    ['/stream', 200, { 'content-type': 'image/png', 'transfer-encoding': 'chunked' }, 'ab'],
    [
      '/rows',
      203,
      {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="export.csv"',
        'transfer-encoding': 'chunked',
        'x-more': '1',
      },
      'N\r\n1\r\n',
    ],
    ['/either/text', 200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': '2' }, 'hi'],
    ['/either/json', 200, { 'content-type': JSON_TYPE, 'content-length': '16' }, '{"anything":[1]}'],
  ])('has the headers of its kind and those of its handler: %s', async (path, status, headers, body) =>
    expect(await shown(path)).toStrictEqual({ status, headers, body }),
  );

  it('that cannot be sent leaves earlier headers as they were', async () => {
    const answer = await fetch(`${service.url}/unsendable`);
    await answer.text();
    const { status, headers } = answer;
    expect([status, headers.get('x-content-type-options'), headers.get('x-bad')]).toEqual([500, 'nosniff', null]);
  });

  it('that fails halfway is cut, so that it is not taken for complete, and its reason is logged', async () => {
    await expect(get('/breaks')).rejects.toThrow('aborted');
    expect(lines.filter((line) => line.includes('the disk is gone'))).toHaveLength(1);
  });

  it('that its reader leaves before its end is over, and no failure', async () => {
    const before = lines.length;
    const leaving = new AbortController();
    const { body } = await fetch(`${service.url}/endless`, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
    await until(() => endless.destroyed && lines.length > before);
    expect(lines.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('a text answer', () => {
  const ZIP = { 'accept-encoding': 'gzip' };
  const plain = (length: number, rest: object = {}) => ({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': String(length), ...rest },
    body: 'x'.repeat(length),
  });

  it('below 1 KB is sent uncompressed, whatever the client accepts', async () =>
    expect(await shown('/long/1023', ZIP)).toStrictEqual(plain(1023)));

  it('from 1 KB on is compressed for a client that accepts gzip', async () => {
    const { status, headers, body } = await get('/long/1024', ZIP);
    expect({ status, headers, body: gunzipSync(body).toString() }).toStrictEqual({
      status: 200,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(body.length),
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      },
      body: 'x'.repeat(1024),
    });
  });

  it('is sent uncompressed to a client that does not accept gzip', async () =>
    expect(await shown('/long/1024')).toStrictEqual(plain(1024, { vary: 'Accept-Encoding' })));
});

it('only a success carries a validator', async () => {
  const [good, other] = [await get('/etag/200'), await get('/etag/203')];
  expect(good.headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
  expect(other.headers.etag).toBeUndefined();
});

it.each([
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['br, gzip', true],
  ['br,gzip', true],
  ['gzip, br', true],
  ['gzip ,br', true],
  ['gzip;q=0.5', true],
  ['gzip ; q=1, br', true],
  ['gzip;q=0.001', true],
  ['gzip;level=0', true],
  ['gzip;q=0', false],
  ['gzip;Q=0', false],
  ['gzip; q=0', false],
  ['gzip;  q=0.000', false],
  ['gzip;q=0, br', false],
  ['gzip;q=0 , br', false],
  ['br;q=1.0, gzip;q=0', false],
  ['gzip;q=0.0, gzip', true],
  ['agzip', false],
  ['a gzip', false],
  ['gzipped', false],
  ['gzip2, br', false],
  ['xx-gzip', false],
  ['br', false],
  ['', false],
  [undefined, false],
  [['gzip'], false],
])('Accept-Encoding %j accepts gzip: %s', (accepted, takes) => expect(takesGzip(accepted)).toBe(takes));
