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
}
let answers: (() => Scripted)[] = [];
const OK = (): Scripted => ({ status: 200, body: '{"ok":true}' });

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, path: request.url, headers: request.headers, body });
      const next = answers.shift() ?? OK;
      const answer = next();
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

describe('httpClient', () => {
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

  it('reads no more of an answer than was asked for', async () => {
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

  it('tries again after 503 as often as it was told to', async () => {
    answers = [() => ({ status: 503, body: '' }), () => ({ status: 503, body: '' })];
    const client = httpClient('peer', url);
    expect((await client.call({ path: '/x', retries: 2 })).status).toBe(200);
    expect(seen).toHaveLength(3);
    await client.stop?.();
  });
});
