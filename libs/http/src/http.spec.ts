import { request as rawRequest } from 'node:http';
import { silentLogger, createLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const AUTH = { authorization: 'Bearer S1' };
let service: RunningService;
const lines: string[] = [];

beforeAll(async () => {
  const logger = createLogger({ service: 'fixture', write: (line) => lines.push(line) });
  const counts = new Map<string, number>();
  const counter = {
    increment: async (key: string) => {
      const n = (counts.get(key) ?? 0) + 1;
      counts.set(key, n);
      return n;
    },
  };
  service = await startService(fixtureService({ counter, unknownRoute: { prefix: '/v1', guard: 'token' } }), {
    port: 0,
    host: '127.0.0.1',
    logger,
  });
});
afterAll(() => service.stop());

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(service.url + path, { redirect: 'manual', ...init });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: answer.headers };
};
const post = (path: string, body: unknown, headers: Record<string, string> = AUTH) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('an endpoint', () => {
  it('answers in its envelope with what the handler returned', async () =>
    expect(await post('/v1/echo', { text: 'hi', loud: true, extra: 1 })).toMatchObject({
      status: 200,
      body: { result: true, text: 'HI', store: 'S1' },
    }));

  it('serves a declared variant under its own guard', async () =>
    expect(await post('/v1/echo_admin', { text: 'hi' }, {})).toMatchObject({
      status: 200,
      body: { result: true, text: 'hi', store: 'any' },
    }));

  it('authenticates the caller before it reads the body', async () =>
    expect(await post('/v1/echo', '{broken', {})).toMatchObject({
      status: 401,
      body: { status: 'error', message: 'Unauthenticated' },
    }));

  it('names the invalid field', async () =>
    expect(await post('/v1/echo', { text: 'longer than ten' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'text', tag: 'max', message: 'text must be a maximum of 10 characters in length' }] },
    }));

  it('refuses malformed JSON with 400 and the reason', async () => {
    const { status, body } = await post('/v1/echo', '{broken');
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('JSON') } });
  });

  it('treats malformed JSON as a refusal where the contract says so', async () => {
    const { status, body } = await post('/v1/position', '{broken');
    expect({ status, body }).toEqual({
      status: 200,
      body: { result: false, message: expect.stringContaining('JSON') },
    });
  });

  it('answers a domain failure as its envelope maps it', async () =>
    expect(await post('/v1/position', { text: 'x' })).toMatchObject({
      status: 200,
      body: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
    }));

  it('hides an unexpected failure and logs it once', async () => {
    const before = lines.length;
    expect(await post('/v1/bug', { text: 'x' })).toMatchObject({
      status: 500,
      body: { result: false, message: 'terjadi kesalahan, coba lagi', code: 'internal' },
    });
    expect(lines.slice(before).filter((line) => line.includes('secret detail'))).toHaveLength(1);
  });

  it('refuses a body over the limit without reading it all', async () =>
    expect(await post('/v1/echo', { text: 'x'.repeat(1_100_000) })).toMatchObject({
      status: 413,
      body: { error: 'request too large' },
    }));

  it('refuses a content type it does not accept', async () =>
    expect(
      await post('/v1/echo', 'text=hi', { ...AUTH, 'content-type': 'application/x-www-form-urlencoded' }),
    ).toMatchObject({ status: 400, body: { error: 'content type not supported: send json' } }));

  it('reads an absent body as an empty one', async () => {
    const { status, body } = await call('/v1/echo', { method: 'POST', headers: AUTH });
    expect({ status, body }).toEqual({
      status: 422,
      body: { errors: [{ field: 'text', tag: 'required', message: 'text is a required field' }] },
    });
  });

  it('types path parameters and queries', async () => {
    expect(await call('/things/7/parts/b%20c?page=3')).toMatchObject({
      status: 200,
      body: { result: true, id: '7', part: 'b c', page: 3 },
    });
    expect(await call('/things/7/parts/x?page=0')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'page', tag: 'min', message: 'page must be 1 or greater' }] },
    });
  });

  it('sends text, bytes and redirects without the envelope', async () => {
    expect(await call('/text')).toMatchObject({ status: 200, body: 'Notification send to client' });
    const picture = await call('/picture');
    expect([
      picture.headers.get('content-type'),
      picture.headers.get('content-length'),
      picture.headers.get('x-content-type-options'),
    ]).toEqual(['image/png', '3', 'nosniff']);
    const away = await call('/away');
    expect([away.status, away.headers.get('location')]).toEqual([302, '/text']);
  });

  it('takes status from the endpoint and headers from the handler', async () => {
    const { status, body, headers } = await post('/v1/created', { text: 'x' });
    expect({ status, body, cost: headers.get('x-cost') }).toEqual({
      status: 201,
      body: { result: true, done: true },
      cost: '1',
    });
  });

  it('limits each caller separately', async () => {
    const statuses = [];
    for (const store of ['A', 'A', 'A', 'B'])
      statuses.push((await post('/v1/limited', { text: 'x' }, { authorization: `Bearer ${store}` })).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    const { body, headers } = await post('/v1/limited', { text: 'x' }, { authorization: 'Bearer A' });
    expect({ body, retry: headers.get('retry-after') }).toEqual({
      body: { status: 'error', message: 'Too Many Requests' },
      retry: '60',
    });
  });

  it('lets the last of two equal registrations answer', async () =>
    expect((await post('/twice', {})).body).toEqual({ result: true, which: 'last' }));

  it('answers an unknown path after authenticating the caller', async () => {
    expect((await call('/v1/nowhere', { method: 'POST' })).status).toBe(401);
    expect(await call('/v1/nowhere', { method: 'POST', headers: AUTH })).toMatchObject({
      status: 404,
      body: { status: 'error', message: 'Not Found' },
    });
    expect(await call('/v1/echo', { method: 'GET', headers: AUTH })).toMatchObject({ status: 404 });
  });

  it('answers HEAD like GET without a body', async () =>
    expect(await call('/text', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' }));
});

describe('an endpoint that accepts forms', () => {
  const form = (entries: Record<string, string | Blob>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(entries)) data.append(name, value as string);
    return call('/v1/form', { method: 'POST', body: data });
  };

  it('reads small multipart forms, urlencoded and JSON alike', async () => {
    const expected = { text: 'hé & co', loud: true, files: [] };
    expect((await form({ text: 'hé & co', loud: '1' })).body).toMatchObject(expected);
    expect(
      (await call('/v1/form', { method: 'POST', body: new URLSearchParams({ text: 'hé & co', loud: 't' }) })).body,
    ).toMatchObject(expected);
    expect((await post('/v1/form', { text: 'hé & co', loud: true })).body).toMatchObject(expected);
  });

  it('receives a file beside the fields and keeps the raw bytes', async () =>
    expect((await form({ text: 'photo', file: new Blob(['12345'], { type: 'image/png' }) })).body).toEqual({
      text: 'photo',
      raw: expect.any(Number),
      files: [{ field: 'file', originalName: 'blob', size: 5 }],
    }));

  it.each([
    ['in UTF-8', `filename="gambar é 😀.png"`, 'gambar é 😀.png'],
    ['encoded', `filename*=UTF-8''%E2%82%AC.png`, '€.png'],
    ['with control characters', `filename*=UTF-8''a%00%0Ab.png`, 'ab.png'],
    ['with a path', `filename="../../etc/passwd"`, 'passwd'],
    ['too long, cut without breaking a character', `filename="${'x'.repeat(254)}😀.png"`, `${'x'.repeat(254)}😀`],
  ])('receives a file whose name is %s', async (_, disposition, originalName) => {
    const body = Buffer.from(
      `--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nx\r\n` +
        `--b\r\ncontent-disposition: form-data; name="file"; ${disposition}\r\n\r\n12345\r\n--b--\r\n`,
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await call('/v1/form', { method: 'POST', headers, body })).body).toMatchObject({
      files: [{ field: 'file', originalName, size: 5 }],
    });
  });

  it('receives a large file by streaming', async () =>
    expect((await form({ text: 'photo', file: new Blob(['x'.repeat(900_000)]) })).body).toMatchObject({
      files: [{ size: 900_000 }],
    }));

  it('refuses a file over its limit and a form over the endpoint limit', async () => {
    expect(await form({ text: 'x', file: new Blob(['x'.repeat(1_200_000)]) })).toMatchObject({ status: 413 });
    expect(await form({ text: 'x', file: new Blob(['x'.repeat(2_200_000)]) })).toMatchObject({ status: 413 });
  });

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['a cut body', 'multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="text"\r\n\r\nhal'],
    [
      'a file where none is taken',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="other"; filename="a"\r\n\r\nx\r\n--b--\r\n',
    ],
  ])('refuses %s with 400', async (_, type, body) =>
    expect((await call('/v1/form', { method: 'POST', headers: { 'content-type': type }, body })).status).toBe(400),
  );
});

describe('the operational routes of a service', () => {
  it('answers /health and /ready', async () => {
    expect(await call('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await call('/ready')).toMatchObject({ status: 200, body: { ready: true } });
  });

  it('measures requests by route template', async () => {
    await call('/things/1/parts/2');
    const { body } = await call('/metrics');
    const counted = String(body)
      .split('\n')
      .filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(
      counted.filter((line) => line.includes('route="/things/{id}/parts/{part}"') && line.includes('status="200"')),
    ).toHaveLength(1);
    expect(counted.filter((line) => line.includes('/things/1/'))).toEqual([]);
  });

  it('serves its documentation from local files under a strict policy', async () => {
    const page = await call('/docs');
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("script-src 'self'"),
    ]);
    expect((await call('/docs/assets/swagger-ui-bundle.js')).status).toBe(200);
  });

  it('describes every registration', async () => {
    const { body } = await call('/docs.json');
    const { openapi, paths } = body as { openapi: string; paths: Record<string, unknown> };
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toContain('/v1/echo_admin');
    expect(paths['/v1/echo']).toMatchObject({
      post: {
        security: [{ bearer: [] }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Echo' } } } },
      },
    });
  });

  it("logs one line per request with its ids, and continues the caller's trace", async () => {
    const before = lines.length;
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { headers } = await call('/text', { headers: { traceparent, 'x-request-id': 'r-1' } });
    expect(headers.get('x-request-id')).toBe('r-1');
    const logged = lines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toEqual([
      expect.objectContaining({
        message: 'request',
        route: '/text',
        method: 'GET',
        status: 200,
        requestId: 'r-1',
        traceId: 'a'.repeat(32),
      }),
    ]);
  });
});

describe('the listeners of a running service', () => {
  it('turn /ready red when a component cannot serve, and name it; an optional one turns only /health red', async () => {
    const components = [
      { name: 'database', check: () => Promise.reject(new Error('away')) },
      { name: 'cache', optional: true, check: () => Promise.reject(new Error('away')) },
    ];
    const sick = await startService(fixtureService({ components }), {
      port: 0,
      host: '127.0.0.1',
      logger: silentLogger,
    });
    const answer = await fetch(`${sick.url}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { ready: false, failing: ['database', 'cache'] }]);
    await sick.stop();
    const poorer = await startService(fixtureService({ components: components.slice(1) }), {
      port: 0,
      host: '127.0.0.1',
      logger: silentLogger,
    });
    const [health, ready] = await Promise.all([fetch(`${poorer.url}/health`), fetch(`${poorer.url}/ready`)]);
    expect([health.status, await health.json()]).toEqual([503, { status: 'error', cache: 'down' }]);
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true }]);
    await poorer.stop();
  });

  it('finish running requests before they stop', async () => {
    let entered = () => {};
    let release = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...fixtureService().endpoints[0]!,
      handle: async () => {
        entered();
        await gate;
        return { text: 'late', store: 'S1' };
      },
    };
    // Notified while requests still run, so that it can end them
    const draining = () => release();
    const service2 = await startService(fixtureService({ endpoints: [slow], draining }), {
      port: 0,
      host: '127.0.0.1',
      logger: silentLogger,
    });
    const answer = fetch(`${service2.url}/v1/echo`, {
      method: 'POST',
      headers: { ...AUTH, 'content-type': 'application/json' },
      body: '{"text":"x"}',
    });
    await inside;
    const stopped = service2.stop();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  it('answer a path that cannot be decoded in the envelope of the service', async () =>
    expect(await call('/things/%E0%A4%A/parts/1')).toMatchObject({
      status: 400,
      body: { error: "Failed to decode the path '/things/%E0%A4%A/parts/1'" },
    }));

  it('name the port that is taken', async () => {
    const taken = { port: Number(new URL(service.url).port), host: '127.0.0.1', logger: silentLogger };
    await expect(startService(fixtureService(), taken)).rejects.toThrow(`port ${taken.port} is taken`);
  });

  it('survive a client that goes away in the middle of its body', async () => {
    await new Promise<void>((resolve) => {
      const request = rawRequest(`${service.url}/v1/form`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 100 },
      });
      request.on('error', () => resolve());
      request.write('{"text":');
      setImmediate(() => request.destroy());
    });
    expect((await call('/text')).status).toBe(200);
  });
});
