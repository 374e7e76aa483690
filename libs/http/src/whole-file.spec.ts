import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnvelope } from '@platform/envelopes';
import { Unauthenticated } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { openapi } from './openapi';
import { publicGuard, type Guard } from './request-view';
import { startService, type RunningService } from './server';
import type { Service } from './service';
import type { Upload } from './uploads';

const MOST = 64 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'whole-file-'));
const left = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));
let given: Upload[] = [];

interface Bearer {
  readonly tenant: string;
  readonly bytes: number;
}
/** `/file/{token}` is `<tenant>:<bytes>`: whoever has it may send that much. */
const link: Guard<Bearer> = {
  label: 'link',
  authenticate: ({ params }) => {
    const [tenant = '', bytes] = (params?.token ?? '').split(':');
    if (bytes === undefined) throw new Unauthenticated({ reason: 'invalid' });
    return { tenant, bytes: Number(bytes) };
  },
};
const endpoint = endpointsOf<{ public: undefined; link: Bearer }>();
const wholeFile = { directory: folder, maxBytes: MOST, limitMs: 60_000 };
const put = (path: '/file/{token}' | '/soon/{token}', limitMs: number) =>
  endpoint({
    put: path,
    summary: 'Takes a file',
    guard: 'link',
    wholeFile: { ...wholeFile, limitMs, bytesOf: ({ bytes }: Bearer) => bytes },
    reply: 'json',
    handle: ({ files, body }) => {
      given.push(...files);
      return { body };
    },
  });
const service: Service = {
  name: 'files',
  description: 'Takes files',
  envelope: plainEnvelope,
  guards: { public: publicGuard, link: link as Guard<unknown> },
  components: [],
  uploads: { places: 8, most: 2, patienceMs: 2_000, tenantOf: (caller) => (caller as Bearer | undefined)?.tenant },
  endpoints: [
    put('/file/{token}', 60_000),
    put('/soon/{token}', 300),
    endpoint({
      put: '/kept',
      summary: 'Keeps a file',
      guard: 'public',
      wholeFile,
      reply: 'json',
      handle: ({ files }) => (renameSync(files[0]?.path ?? '', join(folder, 'kept')), {}),
    }),
  ],
};

let running: RunningService;
beforeAll(async () => {
  running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  given = [];
});

const send = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
  const answer = await fetch(running.url + path, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit);
  return { status: answer.status, text: await answer.text(), connection: answer.headers.get('connection') };
};
const bytes = randomBytes(50_000);
/** In pieces, without a length. */
const chunked = (size: number): ReadableStream =>
  new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < size; at += 10_000) controller.enqueue(new Uint8Array(Math.min(10_000, size - at)));
      controller.close();
    },
  });
/** Says how much will come, and sends the first ten bytes of it. */
const begun = async (path: string, length = 1_000): Promise<Socket> => {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n0123456789`);
  return socket;
};
const heard = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => resolve(text));
  });

describe('a body that is one file', () => {
  it('is on disk with its size, type and hash when the handler runs, and gone afterwards', async () => {
    const { status, text } = await send('/file/a:50000', bytes, { 'content-type': 'Image/PNG; charset=x' });
    expect([status, text]).toEqual([200, '{"body":{}}']);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = expect.stringMatching(/[0-9a-f-]{36}\.part$/) as string;
    expect(given).toEqual([{ field: '', path, originalName: '', mimetype: 'image/png', size: 50_000, sha256 }]);
    await until(() => left().length === 0);
  });

  it('that the handler has moved is kept, whatever its type', async () => {
    expect((await send('/kept', bytes)).status).toBe(200);
    expect(readFileSync(join(folder, 'kept'))).toEqual(bytes);
    expect((await send('/kept', '{"a":', { 'content-type': 'application/json' })).status).toBe(200);
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('{"a":');
  });

  it('of nothing is a file of no bytes', async () => {
    expect((await send('/file/a:10', '')).status).toBe(200);
    expect(given).toMatchObject([{ size: 0 }]);
    await until(() => left().length === 0);
  });

  it.each([
    ['more than any file may have', '/kept', MOST + 1],
    ['more than this caller said', '/file/a:100', 101],
  ])('of %s is refused with 413, said ahead or not, and the connection ends', async (_, path, size) => {
    for (const body of [new Uint8Array(size), chunked(size)])
      expect(await send(path, body)).toMatchObject({ status: 413, connection: 'close' });
    expect([given, left()]).toEqual([[], []]);
  });

  it('that is compressed on its way is refused: what is counted must be the file', async () => {
    expect((await send('/file/a:100', 'x', { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  it('of a stranger is refused before it is read', async () => {
    const socket = await begun('/file/nobody');
    const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
    socket.destroy();
    expect([answer.split('\r\n', 1)[0], left()]).toEqual(['HTTP/1.1 401 Unauthorized', []]);
  });

  it('that is cut off leaves nothing behind', async () => {
    const socket = await begun('/file/a:1000');
    await until(() => left().length === 1);
    socket.destroy();
    await until(() => left().length === 0);
    expect(given).toEqual([]);
  });

  it('that comes too slowly is refused, and its connection ends', async () => {
    const socket = await begun('/soon/a:1000');
    const answer = await heard(socket);
    expect([answer.split('\r\n', 1)[0], left(), given]).toEqual(['HTTP/1.1 400 Bad Request', [], []]);
    expect(answer).toContain('the file was not there within 0.3 seconds');
  });

  it('that a tenant sends slowly keeps no other tenant from its own, of however many', async () => {
    const slow = [await begun('/file/slow:1000'), await begun('/file/slow:1000')];
    await until(() => left().length === 2);
    const others = Array.from({ length: 12 }, (_, n) => send(`/file/tenant-${n}:50000`, bytes));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    const refused = await send('/file/slow:10', 'x');
    expect(refused.status).toBe(429);
    for (const socket of slow) socket.destroy();
    await until(async () => (await send('/file/slow:10', 'x')).status === 200);
    await until(() => left().length === 0);
  });

  it('is described as any content', () => {
    const { paths } = openapi(service) as { paths: Record<string, { put: { requestBody: object } }> };
    expect(paths['/file/{token}']?.put.requestBody).toEqual({ required: true, content: { '*/*': {} } });
  });
});
