import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { chatEnvelope } from '@platform/envelopes';
import { NotFound } from '@platform/errors';
import {
  Binary,
  endpointsOf,
  publicGuard,
  Reply,
  startService,
  type Endpoint,
  type RunningService,
} from '@platform/http';
import { silentLogger } from '@platform/runtime';
import { Text } from '@platform/validation';
import { ServedElsewhere, servedElsewhere, tellsItIsAlive } from './elsewhere';

class Words {
  @Text({ optional: true }) text?: string;
}

const endpoint = endpointsOf<{ public: undefined }>();
const SILENCE_MS = 1_000;
const routes = (hasIt: (headers: object) => void | Promise<void>): Endpoint[] => [
  endpoint({
    post: '/v1/form',
    summary: 'Forms and JSON',
    guard: 'public',
    body: Words,
    accepts: ['json', 'multipart'],
    files: { file: { maxBytes: 1024 * 1024 } },
    formLimit: 2 * 1024 * 1024,
    reply: 'json',
    handle: ({ body, files: [file], headers }) => {
      hasIt(headers);
      const stored = file && { name: file.originalName, bytes: readFileSync(file.path).toString('hex') };
      return new Reply({ ...body, stored: stored ?? null, for: headers['x-forwarded-for'] }, { status: 202 });
    },
  }),
  endpoint({
    post: '/v1/signed',
    summary: 'Raw bytes',
    guard: 'public',
    rawBody: true,
    reply: 'json',
    handle: ({ rawBody, headers }) => {
      hasIt(headers);
      return { raw: rawBody.toString('hex') };
    },
  }),
  endpoint({
    get: '/v1/things/{id}',
    summary: 'Bytes',
    guard: 'public',
    query: Words,
    reply: 'bytes',
    handle: async ({ params, query, headers }) => {
      await hasIt(headers);
      return new Binary(Buffer.from(`${params.id} ${query.text}`), 'image/png');
    },
  }),
];

let owner: RunningService;
let other: RunningService;
let passedOn: Record<string, unknown>[] = [];
let address = '';
let atWork: Promise<void> | undefined;
const start = (hasIt: (headers: object) => void | Promise<void>): Promise<RunningService> =>
  startService(
    {
      name: 'gateway',
      description: 'A service that runs twice',
      endpoints: routes(hasIt),
      guards: { public: publicGuard },
      envelope: chatEnvelope,
      components: [],
      intercept: servedElsewhere(SILENCE_MS),
      attach: tellsItIsAlive,
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
const elsewhere = () =>
  new ServedElsewhere({
    baseUrl: address,
    otherwise: new NotFound('on its way', { code: 'moving' }),
  });

beforeAll(async () => {
  owner = await start((headers) => {
    passedOn.push(headers as Record<string, unknown>);
    return atWork;
  });
  other = await start(() => {
    throw elsewhere();
  });
});
beforeEach(() => {
  passedOn = [];
  atWork = undefined;
  address = owner.url;
});
afterAll(async () => {
  await owner.stop();
  await other.stop();
});

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(other.url + path, init);
  return { status: answer.status, body: await answer.text(), type: answer.headers.get('content-type') };
};
const json = (body: string, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body,
});

describe('a request that another process serves', () => {
  it('goes there with its body and headers, marked, and comes back with status and headers', async () => {
    const answer = await ask('/v1/form', json('{"text":"halo"}', { 'x-api-key': 'k', 'x-request-id': 'r-1' }));
    expect(answer).toEqual({
      status: 202,
      body: JSON.stringify({ result: true, text: 'halo', stored: null, for: '127.0.0.1' }),
      type: 'application/json; charset=utf-8',
    });
    expect(passedOn).toEqual([
      expect.objectContaining({ 'x-api-key': 'k', 'x-request-id': 'r-1', 'x-gateway-forwarded': '1' }),
    ]);
  });

  it('takes its files along', async () => {
    const form = new FormData();
    form.append('text', 'foto');
    form.append('file', new Blob([new Uint8Array([0, 13, 10, 255])]), 'é.png');
    const { status, body } = await ask('/v1/form', { method: 'POST', body: form });
    expect([status, JSON.parse(body)]).toEqual([
      202,
      { result: true, text: 'foto', stored: { name: 'é.png', bytes: '000d0aff' }, for: '127.0.0.1' },
    ]);
  });

  it('keeps the bytes that were signed', async () => {
    const { body } = await ask('/v1/signed', json('{ "a" :1 }'));
    expect(JSON.parse(body)).toEqual({ result: true, raw: Buffer.from('{ "a" :1 }').toString('hex') });
  });

  it('may be a GET that answers bytes', async () => {
    expect(await ask('/v1/things/a%20b?text=c%26d')).toEqual({ status: 200, body: 'a b c&d', type: 'image/png' });
  });

  it('is passed on once: a second process that has not got it either refuses', async () => {
    address = other.url;
    expect(await ask('/v1/form', json('{}'))).toMatchObject({ body: expect.stringContaining('on its way') });
    expect(passedOn).toEqual([]);
  });

  it('is refused as agreed when that process cannot be reached', async () => {
    address = 'http://127.0.0.1:1';
    expect(await ask('/v1/form', json('{}'))).toMatchObject({ body: expect.stringContaining('on its way') });
  });

  it('is refused as agreed when that process hangs', async () => {
    const hung = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(hung, 'listening');
    address = `http://127.0.0.1:${(hung.address() as AddressInfo).port}`;
    expect(await ask('/v1/form', json('{}'))).toMatchObject({ body: expect.stringContaining('on its way') });
    hung.close();
  });

  it('is waited for when that process works on it, for longer than for one that hangs', async () => {
    atWork = new Promise((resolve) => setTimeout(resolve, SILENCE_MS * 2));
    expect(await ask('/v1/things/a?text=b')).toMatchObject({ status: 200, body: 'a b' });
  });
});
