import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import express from 'express';
import { createExpressServer } from './native-request';
import { packed } from './packed';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

const TEXT = 'swagger '.repeat(1_000);
let server: Server;
let reads: number;
let broken: boolean;
beforeEach(async () => {
  reads = 0;
  broken = false;
  const app = express();
  const read = () => {
    reads += 1;
    return broken ? Promise.reject(new Error('no such file')) : Buffer.from(TEXT);
  };
  app.get('/file.js', packed({ type: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=86400', read }));
  app.use((_error: Error, _request: express.Request, response: express.Response, _next: express.NextFunction) =>
    response.status(500).end(),
  );
  server = createExpressServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status?: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    request({ port, path: '/file.js', method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .once('error', reject)
      .end();
  });
const ZIP = { 'accept-encoding': 'gzip, deflate' };
const BEST = { 'accept-encoding': 'gzip, deflate, br' };

it('a static file is read and compressed once, for all requests', async () => {
  const all = await Promise.all([get(ZIP), get(ZIP), get(ZIP)]);
  for (const { status, headers, body } of all) {
    expect([
      status,
      headers['content-encoding'],
      headers['vary'],
      headers['content-length'],
      headers['cache-control'],
    ]).toEqual([200, 'gzip', 'Accept-Encoding', String(body.length), 'public, max-age=86400']);
    expect([gunzipSync(body).toString() === TEXT, body.length < TEXT.length / 10]).toEqual([true, true]);
  }
  expect(reads).toBe(1);
});

it('a static file is sent in the shorter form to a client that accepts both, under one validator', async () => {
  const [zipped, best] = [await get(ZIP), await get(BEST)];
  expect([best.headers['content-encoding'], best.headers['content-length']]).toEqual(['br', String(best.body.length)]);
  expect([brotliDecompressSync(best.body).toString() === TEXT, best.body.length < zipped.body.length]).toEqual([
    true,
    true,
  ]);
  expect([best.headers['etag'], best.headers['vary'], reads]).toEqual([zipped.headers['etag'], 'Accept-Encoding', 1]);
  const refused = await get({ 'accept-encoding': 'gzip, br;q=0' });
  expect(refused.headers['content-encoding']).toBe('gzip');
});

it('a static file is sent uncompressed to a client that does not accept gzip', async () => {
  const { status, headers, body } = await get();
  expect([status, headers['content-encoding'], headers['content-type'], body.toString()]).toEqual([
    200,
    undefined,
    'text/javascript; charset=utf-8',
    TEXT,
  ]);
});

it('a static file is a 304 to a client that has it, and without a body to HEAD', async () => {
  const { headers } = await get(ZIP);
  const again = await get({ ...ZIP, 'if-none-match': String(headers['etag']) });
  expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
  const head = await get(ZIP, 'HEAD');
  expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, headers['content-length']]);
});

it('a static file that could not be read is read again at the next request', async () => {
  broken = true;
  expect((await get(ZIP)).status).toBe(500);
  broken = false;
  expect((await get(ZIP)).status).toBe(200);
});
