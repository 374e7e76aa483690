import request from 'supertest';
import { plainEnvelope } from '@platform/envelopes';
import { Unauthenticated, Unavailable, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { createLogger, silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { publicGuard, type RequestView } from './request-view';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService(), { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => service.stop());

it.each([
  ['/text', 200],
  ['/Text', 404],
  ['/things/7/parts/x', 200],
  ['/Things/7/parts/x', 404],
  ['/things/7/PARTS/x', 404],
  ['/health', 200],
  ['/Health', 404],
])('paths are case-sensitive, with and without parameters: GET %s answers %i', async (path, status) =>
  expect((await request(service.url).get(path)).status).toBe(status),
);

it('a path parameter keeps its case', async () => {
  const { body } = await request(service.url).get('/things/aB/parts/Cd');
  expect(body).toEqual({ result: true, id: 'aB', part: 'Cd', page: 1 });
});

it.each([
  ['/text', 200],
  ['/things/7/parts/x?page=2', 200],
  ['/v1/echo', 404],
])('HEAD %s answers as GET would: %i', async (path, status) =>
  expect((await request(service.url).head(path)).status).toBe(status),
);

describe('a request to a mounted service', () => {
  const endpoint = endpointsOf<{ public: undefined }>();
  const views: RequestView[] = [];
  const lines: Record<string, unknown>[] = [];
  const failing = [Unavailable, UpstreamFailed, UpstreamTimedOut, Error].map((Failure) =>
    endpoint({
      get: `/fails/${Failure.name}/{id}`,
      summary: 'Fails',
      guard: 'public',
      reply: 'json',
      handle: () => {
        throw new Failure('no', { cause: Failure === Error ? undefined : new Error('underneath') } as never);
      },
    }),
  );
  const sockets = () => {
    throw new Error('no such document');
  };
  const NEVER = { status: 404, body: { status: 'error', message: 'Not Found' } };
  const links = endpoint({
    get: '/links/{name}',
    summary: 'Is unknown whatever is wrong',
    guard: 'public',
    reply: 'json',
    envelope: { ...plainEnvelope, failure: () => NEVER },
    handle: () => ({ found: true }),
  });
  const strict = {
    label: 'strict',
    authenticate: (view: RequestView) => {
      views.push(view);
      if (view.headers.authorization === undefined) throw new Unauthenticated({ reason: 'missing' });
      if (view.headers.authorization === 'broken') throw new Error('a bug of the guard');
      return undefined;
    },
  };
  let running: RunningService;
  beforeAll(async () => {
    const logger = createLogger({ service: 'fixture', write: (line) => lines.push(JSON.parse(line) as never) });
    const definition = fixtureService({
      endpoints: [...failing, links],
      envelope: plainEnvelope,
      variants: {},
      guards: { public: publicGuard, strict },
      unknownRoute: { prefix: '/v1', guard: 'strict' },
      sockets,
    });
    running = await startService(definition, { port: 0, host: '127.0.0.1', logger });
  });
  afterAll(() => running.stop());
  beforeEach(() => {
    lines.length = 0;
    views.length = 0;
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(running.url + path, { headers });
    const id = answer.headers.get('x-request-id') as string;
    return { id, status: answer.status, body: (await answer.json()) as unknown, headers: answer.headers };
  };
  const logged = async (message: string) => {
    await until(() => lines.some((line) => line.message === 'request'));
    return lines.filter((line) => line.message === message);
  };

  it.each([
    ['Unavailable', 503, 'warn', 'request refused: something is unavailable', 'underneath'],
    ['UpstreamFailed', 502, 'warn', 'request refused: a sibling or provider failed', 'underneath'],
    ['UpstreamTimedOut', 504, 'warn', 'request refused: a sibling or provider was silent', 'underneath'],
    ['Error', 500, 'error', 'request failed unexpectedly', 'no'],
  ])(
    'that fails with %s is logged once, with its route, its request and the cause',
    async (name, status, level, message, cause) => {
      const { id, ...answer } = await get(`/fails/${name}/7`);
      expect(answer.status).toBe(status);
      expect(await logged(message)).toEqual([
        expect.objectContaining({ level, route: `/fails/${name}/{id}`, requestId: id, cause: expect.anything() }),
      ]);
      expect(JSON.stringify(lines)).toContain(cause);
      expect(lines.filter((line) => line.message !== 'request')).toHaveLength(1);
    },
  );

  it('with a parameter that no decoding makes a text is answered in the envelope of its route', async () => {
    expect(await get('/links/%ED%A0%BD')).toMatchObject(NEVER);
    expect(await get('/fails/Error/%ED%A0%BD')).toMatchObject({
      status: 400,
      body: { status: 'error', message: "Failed to decode the path '/fails/Error/%ED%A0%BD'" },
    });
  });

  it('gets a new id when it has none, or a malformed one', async () => {
    const ids = [await get('/fails/Error/1'), await get('/fails/Error/1', { 'x-request-id': 'a b' })].map(
      ({ id }) => id,
    );
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('is logged in one line with its milliseconds when it has finished', async () => {
    const { id } = await get('/fails/Unavailable/1');
    const [line] = await logged('request');
    const { time, ms, traceId, ...rest } = line as Record<string, unknown>;
    expect(rest).toEqual({
      level: 'info',
      service: 'fixture',
      message: 'request',
      method: 'GET',
      route: '/fails/Unavailable/{id}',
      status: 503,
      requestId: id,
    });
    expect([time, ms, traceId]).toEqual([
      expect.any(String),
      expect.any(Number),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    expect(ms).toBeLessThan(10_000);
    expect(Number(ms) * 10).toBe(Math.round(Number(ms) * 10));
  });

  it('an unknown path is answered without authentication, but below the guarded prefix only to callers whom the guard admits', async () => {
    const notFound = { status: 404, body: { status: 'error', message: 'Not Found' } };
    const stranger = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
    const shown = async (path: string, headers?: Record<string, string>) => {
      const { status, body } = await get(path, headers);
      return { status, body };
    };
    expect([await shown('/elsewhere'), views]).toEqual([notFound, []]);
    expect(await shown('/v1/nowhere?a=1')).toEqual(stranger);
    expect(await shown('/v1/nowhere', { authorization: 'x' })).toEqual(notFound);
    expect(views[0]).toMatchObject({ method: 'GET', path: '/v1/nowhere', headers: expect.any(Object) });
    expect(views.map(({ address, remoteAddress }) => [address, remoteAddress])).toEqual([
      ['127.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
    ]);
  });

  it('a guard that throws on an unknown path is logged, and answered like any internal error', async () => {
    const { status, body } = await get('/v1/nowhere', { authorization: 'broken' });
    expect([status, body]).toEqual([500, { status: 'error', message: 'internal server error' }]);
    expect(await logged('request failed unexpectedly')).toEqual([expect.objectContaining({ route: 'unknown' })]);
  });

  it('an operational page that fails is answered in the envelope of the service and logged once', async () => {
    const { status, body } = await get('/docs/sockets.json');
    expect([status, body]).toEqual([500, { status: 'error', message: 'internal server error' }]);
    expect(JSON.stringify(lines)).toContain('no such document');
    expect(lines).toEqual([
      expect.objectContaining({ message: 'request failed unexpectedly', route: 'unknown', level: 'error' }),
    ]);
  });

  it('is not logged when it is a probe or a scrape', async () => {
    for (const path of ['/health', '/ready']) expect((await get(path)).status).toBe(200);
    await fetch(`${running.url}/metrics`).then((answer) => answer.text());
    await get('/fails/Error/1');
    expect(await logged('request')).toHaveLength(1);
  });

  it('is answered without revealing the framework', async () => {
    const answer = await fetch(`${running.url}/docs`);
    expect(await answer.text()).toContain('swagger');
    expect([answer.headers.get('x-powered-by'), answer.headers.get('etag')]).toEqual([null, null]);
  });
});
