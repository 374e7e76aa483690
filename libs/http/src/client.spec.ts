import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInContext } from '@platform/runtime';
import { httpClient } from './client';

let server: Server;
let url: string;
const seen: { method?: string; path?: string; headers: Record<string, unknown>; body: string }[] = [];
interface Scripted {
  status: number;
  body: string;
  delay?: boolean;
  breaks?: boolean;
}
let answers: (() => Scripted)[] = [];
/** Connections that are open when the other side stops. */
const KEPT = 8;
const OK = (): Scripted => ({ status: 200, body: '{"ok":true}' });

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, path: request.url, headers: request.headers, body });
      const next = answers.shift() ?? OK;
      const answer = next();
      if (answer.breaks) return void response.destroy();
      if (!answer.delay) response.writeHead(answer.status).end(answer.body);
      else response.writeHead(answer.status).write('{"slow":'); // headers, then silence
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen.length = 0;
  answers = [];
});

describe('the HTTP client (httpClient)', () => {
  it('sends JSON below the base address and passes the trace on', async () => {
    const client = httpClient('peer', url);
    const answer = await runInContext({ requestId: 'r1', traceId: 'c'.repeat(32) }, () =>
      client.call({ method: 'POST', path: '/x', json: { a: 1 } }),
    );
    expect([answer.status, answer.json()]).toEqual([200, { ok: true }]);
    expect(seen).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: '/base/x',
        body: '{"a":1}',
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'x-request-id': 'r1',
          traceparent: expect.stringMatching(`^00-${'c'.repeat(32)}-[0-9a-f]{16}-01$`),
        }),
      }),
    ]);
    await client.stop?.();
  });

  it('resolves with any status, and with undefined for a body that is not JSON', async () => {
    answers = [() => ({ status: 500, body: '<html>' })];
    const client = httpClient('peer', url);
    const answer = await client.call({ path: '/x' });
    expect([answer.status, answer.text, answer.json()]).toEqual([500, '<html>', undefined]);
    await client.stop?.();
  });

  it('reads no more of an answer than requested', async () => {
    answers = [() => ({ status: 200, body: '12345'.repeat(50_000) }), OK];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x', keepBytes: 8 })).text).toBe('12345123');
    expect((await client.call({ path: '/x', keepBytes: 8_000 })).json()).toEqual({ ok: true });
    await client.stop?.();
  });

  it('gives up on a body that stalls, with an error that names the peer', async () => {
    answers = [() => ({ status: 200, body: '', delay: true })];
    const client = httpClient('peer', url);
    await expect(client.call({ path: '/x', timeoutMs: 100 })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'peer did not answer',
    });
    await client.stop?.();
  });

  it('works below an address without a path too, and sends no header or body that it was not given', async () => {
    const client = httpClient('peer', new URL(url).origin);
    await client.call({ path: '/x?y=1' });
    const [{ method, path, headers, body } = { headers: {} }] = seen;
    expect({ method, path, body, names: Object.keys(headers).sort() }).toEqual({
      method: 'GET',
      path: '/x?y=1',
      body: '',
      names: ['connection', 'host', 'traceparent'],
    });
    await client.stop?.();
  });

  it('sends a ready-made body unchanged, with the given type', async () => {
    const client = httpClient('peer', url);
    await client.call({ method: 'PUT', path: '/x', body: 'a=1', headers: { 'content-type': 'text/x' } });
    await client.call({ method: 'POST', path: '/x', json: null, headers: { 'content-type': 'application/x+json' } });
    expect(seen.map(({ body, headers }) => [body, headers['content-type']])).toEqual([
      ['a=1', 'text/x'],
      ['null', 'application/x+json'],
    ]);
    await client.stop?.();
  });

  it('reads an answer up to five megabytes, and reports a longer one differently from no answer', async () => {
    const body = 'x'.repeat(5 * 1024 * 1024);
    answers = [() => ({ status: 200, body }), () => ({ status: 200, body: `${body}x` })];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x' })).text).toHaveLength(body.length);
    await expect(client.call({ path: '/x', retries: 1 })).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { message: 'the answer is larger than 5242880 bytes' },
    });
    expect(seen).toHaveLength(2);
    await client.stop?.();
  });

  it('resolves to the last 503 when its retries are used up, and does not retry another status', async () => {
    const refused = (status: number) => () => ({ status, body: '' });
    answers = [refused(503), refused(503), refused(500)];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x', retries: 1 })).status).toBe(503);
    expect(seen).toHaveLength(2);
    expect((await client.call({ path: '/x', retries: 1 })).status).toBe(500);
    expect(seen).toHaveLength(3);
    await client.stop?.();
  });

  it('retries after a broken connection, unless the caller has aborted', async () => {
    const breaks = () => ({ ...OK(), breaks: true });
    answers = [breaks, breaks];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x', retries: 2 })).json()).toEqual({ ok: true });
    await expect(client.call({ path: '/x', retries: 2, signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'peer did not answer',
      cause: { name: 'AbortError' },
    });
    expect(seen).toHaveLength(3);
    await client.stop?.();
  });

  it.each([
    ['GET', 0],
    ['POST', 1],
  ] as const)('repeats what may be repeated on a fresh connection when kept ones end: %s', async (method, retries) => {
    const ports = new Set<number | undefined>();
    const closing = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      if (request.headers['x-kept'] !== undefined && ports.size <= KEPT) request.socket.destroy();
      else response.end('{"ok":true}');
    });
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    const client = httpClient('peer', `http://127.0.0.1:${(closing.address() as AddressInfo).port}`);
    await Promise.all(Array.from({ length: KEPT }, () => client.call({ path: '/x' })));
    const call = { method, path: '/x', retries, headers: { 'x-kept': 'yes' } } as const;
    expect([ports.size, (await client.call(call)).json()]).toEqual([KEPT, { ok: true }]);
    await client.stop?.();
    closing.close();
  });

  it('sends what may not be repeated once, also when a kept connection ends', async () => {
    answers = [OK, () => ({ ...OK(), breaks: true })];
    const client = httpClient('peer', url);
    await client.call({ method: 'POST', path: '/x' });
    await expect(client.call({ method: 'POST', path: '/x' })).rejects.toMatchObject({ message: 'peer did not answer' });
    expect(seen).toHaveLength(2);
    await client.stop?.();
  });

  it('retries after 503 as often as configured', async () => {
    answers = [() => ({ status: 503, body: '' }), () => ({ status: 503, body: '' })];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x', retries: 2 })).status).toBe(200);
    expect(seen).toHaveLength(3);
    await client.stop?.();
  });
});
