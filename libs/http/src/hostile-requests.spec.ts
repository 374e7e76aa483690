import { once as event } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { plainEnvelope } from '@platform/envelopes';
import { silentLogger } from '@platform/runtime';
import { Text } from '@platform/validation';
import { endpointsOf } from './endpoint';
import type { IdempotencyStore } from './idempotency';
import { Binary, PlainText, Reply } from './replies';
import { startService, type RunningService } from './server';
import { fixtureService, memoryStore, type Caller, type Ledger } from './service.fixture';

const endpoint = endpointsOf<{ public: undefined; token: Caller }, Ledger>();
const common = { summary: 'Meets strangers', guard: 'public', envelope: plainEnvelope } as const;

class Reason {
  @Text({ optional: true }) reason?: string;
}

let ended: () => void;
const over = new Promise<void>((resolve) => (ended = resolve));
const signals: { asked(): Promise<void>; seen(aborted: boolean): void } = {
  asked: () => Promise.resolve(),
  seen: () => undefined,
};

const endpoints = [
  endpoint({
    post: '/orders/{id}/refund',
    summary: 'Charges back',
    guard: 'token',
    query: Reason,
    idempotency: 'required',
    reply: 'json',
    handle: ({ once, params, query }) =>
      once(async (ledger) => ({ id: params.id, reason: query.reason ?? null, n: ledger.charge(1) })),
  }),
  endpoint({
    ...common,
    get: '/etag',
    etag: true,
    reply: 'text',
    handle: () => new PlainText('x'.repeat(3000)),
  }),
  endpoint({
    ...common,
    get: '/unsendable',
    reply: 'json',
    handle: () =>
      new Reply({ a: 1 }, { headers: { 'Set-Cookie': 'session=1', 'Cache-Control': 'public', 'X-Name': '日本' } }),
  }),
  endpoint({
    ...common,
    get: '/unsendable/file',
    reply: 'bytes',
    handle: () =>
      new Binary(
        Readable.from([]).on('close', () => ended()),
        'text/日本',
      ),
  }),
  endpoint({
    ...common,
    get: '/late',
    reply: 'json',
    handle: async (input) => {
      await signals.asked();
      signals.seen(input.signal.aborted);
      return {};
    },
  }),
  endpoint({ ...common, post: '/said', body: Reason, reply: Reason, handle: ({ body }) => body }),
];

let service: RunningService;
beforeAll(async () => {
  const idempotency = memoryStore() as IdempotencyStore;
  service = await startService(fixtureService({ endpoints, idempotency }), {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
  });
});
afterAll(() => service.stop());

const socket = () => connect(Number(new URL(service.url).port), '127.0.0.1');

/** The server's answer to these bytes, until it closes the connection. */
const raw = async (...lines: string[]): Promise<{ status: number; headers: string; body: string }> => {
  const pieces: unknown[] = await socket()
    .setEncoding('latin1')
    .on('connect', function (this: ReturnType<typeof socket>) {
      this.write([...lines, 'Host: x', 'Connection: close', '', ''].join('\r\n'));
    })
    .toArray();
  const [headers = '', body = ''] = pieces.join('').split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body };
};

describe('an Idempotency-Key belongs to one request', () => {
  const refund = async (path: string) => {
    const headers = { authorization: 'Bearer S1', 'idempotency-key': 'one-key' };
    const answer = await fetch(service.url + path, { method: 'POST', headers });
    return (await answer.json()) as unknown;
  };

  it.each(['/orders/2/refund', '/orders/1/refund?reason=b'])('%s under the key of another is refused', async (path) => {
    const first = await refund('/orders/1/refund?reason=a');
    expect(first).toMatchObject({ id: '1', reason: 'a' });
    expect(await refund(path)).toEqual({
      result: false,
      message: 'Idempotency-Key was used with a different request',
      code: 'idempotency_mismatch',
    });
  });
});

describe('the header If-None-Match', () => {
  const etag = async () => String((await fetch(`${service.url}/etag`)).headers.get('etag'));

  it("with the text's ETag gets 304 with the headers of the text and neither length nor body", async () => {
    const { status, headers, body } = await raw('GET /etag HTTP/1.1', `If-None-Match: "a" , ${await etag()}`);
    expect([status, body]).toEqual([304, '']);
    expect(headers).toContain('vary: accept-encoding');
    expect(headers).not.toContain('content-length');
  });

  it('is compared weakly', async () => {
    const strong = (await etag()).replace('W/', '');
    expect((await raw('GET /etag HTTP/1.1', `If-None-Match: ${strong}`)).status).toBe(304);
  });

  it.each(['""', ',,,', 'W/', '"a"', `a${' '.repeat(9000)}b`])('with %j matches nothing', async (tags) =>
    expect((await raw('GET /etag HTTP/1.1', `If-None-Match: ${tags}`)).status).toBe(200),
  );
});

describe('an answer whose headers cannot be sent', () => {
  it('leaves none of its headers to the refusal', async () => {
    const { status, headers } = await raw('GET /unsendable HTTP/1.1');
    expect(status).toBe(500);
    expect(headers).not.toMatch(/set-cookie|cache-control|x-name/);
  });

  it('destroys its stream', async () => {
    expect((await raw('GET /unsendable/file HTTP/1.1')).status).toBe(500);
    await over;
  });
});

it('a request target with scheme and host finds its route', async () =>
  expect((await raw('GET http://x/etag?a=http://y/z HTTP/1.1')).status).toBe(200));

it.each(['.', '..', '%2e%2e', '.%2E'])('%s is no path parameter', async (id) => {
  const { body } = await raw(`POST /orders/${id}/refund HTTP/1.1`, 'Authorization: Bearer S1', 'Idempotency-Key: a');
  expect(JSON.parse(body)).toEqual({ result: false, message: 'Not found' });
});

it('a media type is read regardless of case', async () => {
  const answer = await fetch(`${service.url}/said`, {
    method: 'POST',
    headers: { 'content-type': 'Application/JSON; Charset=UTF-8' },
    body: '{"reason":"why"}',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { reason: 'why' }]);
});

it('a signal that is read after the caller has gone is aborted', async () => {
  const client = socket();
  const seen = new Promise<boolean>((resolve) => {
    signals.seen = resolve;
    signals.asked = async () => {
      const gone = event(client, 'close');
      client.destroy();
      await gone;
      // The server notices at its end of the connection, before it answers on another one
      await fetch(`${service.url}/etag`).then((answer) => answer.text());
    };
  });
  client.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await seen).toBe(true);
});
