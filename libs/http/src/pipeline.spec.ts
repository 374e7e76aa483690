import { request as rawRequest } from 'node:http';
import { once as event } from 'node:events';
import { plainEnvelope } from '@platform/envelopes';
import { NotFound } from '@platform/errors';
import { createLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { Text } from '@platform/validation';
import { endpointsOf } from './endpoint';
import type { IdempotencyStore } from './idempotency';
import { publicGuard, type RequestView } from './request-view';
import { startService, type RunningService } from './server';
import type { Exchange } from './service';
import { fixtureService, memoryStore, type Ledger } from './service.fixture';

interface Named {
  readonly name?: string;
}
class Filter {
  @Text({ optional: true }) q?: string;
}

const endpoint = endpointsOf<{ public: undefined; named: Named }, Ledger>();
const common = { summary: 'For a test', guard: 'public', envelope: plainEnvelope, reply: 'json' } as const;
let entered: (signal: AbortSignal) => void = () => undefined;
let release: Promise<void> = Promise.resolve();

const endpoints = [
  endpoint({ ...common, get: '/address', handle: ({ address }) => ({ address }) }),
  endpoint({
    ...common,
    get: '/plain/{id}',
    handle: ({ body, query, params, files }) => ({ body, query, params, files }),
  }),
  endpoint({ ...common, get: '/headers', handle: ({ headers, variant }) => ({ kind: headers['x-kind'], variant }) }),
  endpoint({ ...common, get: '/queried', query: Filter, handle: ({ query }) => query }),
  endpoint({ ...common, post: '/bodiless', handle: ({ body }) => ({ body }) }),
  endpoint({
    ...common,
    get: '/slow',
    handle: async ({ signal }) => {
      entered(signal);
      await release;
      return {};
    },
  }),
  endpoint({
    ...common,
    post: '/forgets',
    idempotency: 'required',
    handle: (async () => ({ done: true })) as never,
  }),
  endpoint({
    ...common,
    guard: 'named',
    post: '/once',
    body: Filter,
    rawBody: true,
    idempotency: 'optional',
    handle: ({ once }) => once(async (ledger) => ({ n: ledger.charge(1) })),
  }),
  endpoint({
    ...common,
    guard: 'named',
    post: '/once/form',
    accepts: ['multipart'],
    files: { file: { maxBytes: 100 }, other: { maxBytes: 100 } },
    idempotency: 'optional',
    handle: ({ once }) => once(async (ledger) => ({ n: ledger.charge(1) })),
  }),
  endpoint({
    ...common,
    post: '/refuses',
    body: Filter,
    handle: () => {
      throw new NotFound('no such thing');
    },
  }),
];

let service: RunningService;
const lines: string[] = [];
const exchanges: Exchange[] = [];
beforeAll(async () => {
  const logger = createLogger({ service: 'fixture', write: (line) => lines.push(line) });
  const named = { label: 'named', authenticate: async ({ headers }: RequestView) => ({ name: headers.from }) };
  const definition = fixtureService({
    endpoints,
    variants: {},
    guards: { public: publicGuard, named },
    callerKey: (caller) => (caller as Named | undefined)?.name,
    clientAddress: (remote, forwarded) => `${forwarded ?? 'nobody'} through ${remote}`,
    idempotency: memoryStore() as IdempotencyStore,
    intercept: (_, exchange) => void exchanges.push(exchange) as undefined,
  });
  service = await startService(definition, { port: 0, host: '127.0.0.1', logger });
});
beforeEach(() => void exchanges.splice(0));
afterAll(() => service.stop());

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(service.url + path, init);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const good = (body: object) => ({ status: 200, body });

describe('a handler gets', () => {
  it('the address that the proxies in front report', async () => {
    expect(await call('/address')).toEqual(good({ address: 'nobody through 127.0.0.1' }));
    expect(await call('/address', { headers: { 'x-forwarded-for': '1.1.1.1, 2.2.2.2' } })).toEqual(
      good({ address: '1.1.1.1, 2.2.2.2 through 127.0.0.1' }),
    );
  });

  it('nothing that its endpoint did not declare', async () => {
    expect(await call('/plain/7?q=1')).toEqual(good({ body: {}, query: {}, params: { id: '7' }, files: [] }));
    expect(await call('/bodiless', { method: 'POST', body: '{"a":1}' })).toEqual(good({ body: {} }));
  });

  it('what its query declares, and all headers where it declares none', async () => {
    expect(await call('/queried?q=a&other=1')).toEqual(good({ q: 'a' }));
    expect(await call('/headers', { headers: { 'x-kind': 'k' } })).toEqual(good({ kind: 'k' }));
  });
});

describe('the signal that a handler gets', () => {
  const asked = (): Promise<AbortSignal> => new Promise((resolve) => (entered = resolve));

  it('aborts when the caller goes away while the handler works', async () => {
    const gone = asked();
    const request = rawRequest(`${service.url}/slow`).on('error', () => undefined);
    request.end();
    let finish: () => void = () => undefined;
    release = new Promise((resolve) => (finish = resolve));
    const signal = await gone;
    expect(signal.aborted).toBe(false);
    const over = event(signal, 'abort');
    request.destroy();
    await over;
    finish();
    await until(() => lines.some((line) => line.includes('"aborted":true')));
  });

  it('does not abort once the answer was sent', async () => {
    release = Promise.resolve();
    const seen = asked();
    const before = lines.length;
    await call('/slow');
    await until(() => lines.length > before);
    expect((await seen).aborted).toBe(false);
    expect(lines.slice(before).join()).not.toContain('aborted');
  });
});

describe('an idempotent request', () => {
  const once = async (body: FormData | string, headers: Record<string, string> = {}) => {
    const type: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const path = typeof body === 'string' ? '/once' : '/once/form';
    const answer = await call(path, { method: 'POST', headers: { 'idempotency-key': 'k', ...type, ...headers }, body });
    return answer.status === 200 ? answer.body.n : answer.status;
  };
  const withFile = (name: string, bytes: string, field = 'file') => {
    const form = new FormData();
    form.append(field, new Blob([bytes]), name);
    return form;
  };

  it('is a 500 when its handler does not return what once gave it', async () => {
    const { status } = await call('/forgets', { method: 'POST', headers: { 'idempotency-key': 'a' } });
    expect(status).toBe(500);
    expect(lines.join()).toContain('/forgets did not return what once() gave it, so its answer was not kept');
  });

  it('is identified by its caller, or by the address of one without a name', async () => {
    const first = await once('{}', { from: 'rina' });
    expect(await once('{}', { from: 'rina' })).toBe(first);
    expect(await once('{}', { from: 'siti' })).not.toBe(first);
    const nameless = await once('{}', { 'x-forwarded-for': '1.1.1.1' });
    expect(await once('{}', { 'x-forwarded-for': '1.1.1.1' })).toBe(nameless);
    expect(await once('{}', { 'x-forwarded-for': '2.2.2.2' })).not.toBe(nameless);
  });

  it('is a different one when its bytes or its files differ', async () => {
    const json = { from: 'budi', 'idempotency-key': 'json' };
    expect(await once('{"q":"a"}', json)).toEqual(expect.any(Number));
    expect([await once('{"q":"b"}', json), await once('{"q":"a" }', json)]).toEqual([409, 409]);
  });

  it.each([
    ['name', withFile('b', 'x')],
    ['size', withFile('a', 'xx')],
    ['field', withFile('a', 'x', 'other')],
  ])('is a different one when a file has another %s', async (what, other) => {
    const headers = { from: 'wati', 'idempotency-key': what };
    const first = await once(withFile('a', 'x'), headers);
    expect(first).toEqual(expect.any(Number));
    expect([await once(withFile('a', 'x'), headers), await once(other, headers)]).toEqual([first, 409]);
  });
});

it('the intercept hook is given the body, if there is one', async () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"q":"a"}' };
  expect(await call('/refuses', init)).toEqual({ status: 404, body: { status: 'error', message: 'no such thing' } });
  expect(exchanges.map(({ received }) => received?.fields)).toEqual([{ q: 'a' }]);
});
