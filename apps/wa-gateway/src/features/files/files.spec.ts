import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedClock, silentLogger } from '@platform/runtime';
import { useGateway } from '../../gateway.fixture';
import { FileStore } from './file.store';

const gateway = useGateway();

const MISSING = { success: false, message: 'file not found', error: { code: 'NOT_FOUND', retryable: false } };
/** Asks for the path as it is: fetch would normalise it. */
const raw = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(gateway.client.url);
      get({ hostname, port, path, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
        );
      }).on('error', reject);
    },
  );

describe('GET /files/{filename}', () => {
  it('serves a range of a picture, privately cached and never as another type', async () => {
    const bytes = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from('picture'),
    ]);
    const { key } = await gateway.app.files.keep(bytes);
    const { status, headers, text } = await raw(`/files/${key}`, { range: 'bytes=8-' });
    expect({ status, text }).toEqual({ status: 206, text: 'picture' });
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-range': 'bytes 8-14/15',
      'content-length': '7',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'cache-control': expect.stringContaining('private'),
    });
    expect((await raw(`/files/${key}`, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    const head = await fetch(`${gateway.client.url}/files/${key}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', '']);
  });

  it('gives html and svg away as attachments', async () => {
    for (const text of ['<html><script>alert(1)</script>', '<svg onload="alert(1)">']) {
      const { key } = await gateway.app.files.keep(Buffer.from(text));
      expect((await raw(`/files/${key}`)).headers['content-disposition']).toBe('attachment');
    }
  });

  it.each([
    '/files/0123456789abcdef0123456789abcdef.jpg',
    '/files/..',
    '/files/%2e%2e',
    '/files/..%2f..%2fetc%2fpasswd',
    '/files/..%5c..%5cetc',
    '/files/a%00.jpg',
    '/files/network',
    '/files/.hidden',
    `/files/${'a'.repeat(201)}`,
  ])('has nothing at %s', async (path) => {
    const { status, text } = await raw(path);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual(path === '/files/..' ? expect.objectContaining({ success: false }) : MISSING);
  });
});

describe('the retention of files', () => {
  it('takes files that are older than FILE_TTL_DAYS, what a crash left half-written after an hour, and nothing else', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sweep-'));
    const clock = fixedClock(new Date('2026-06-30T00:00:00Z'));
    const store = new FileStore({ directory, ttlDays: 30, clock, logger: silentLogger });
    await mkdir(join(directory, 'network'));
    for (const [name, day] of [
      ['old.jpg', '2026-05-30'],
      ['new.jpg', '2026-06-01'],
      ['left.partial', '2026-06-29T22:59Z'],
      ['begun.partial', '2026-06-29T23:01Z'],
    ] as const) {
      await writeFile(join(directory, name), 'x');
      await utimes(join(directory, name), new Date(day), new Date(day));
    }
    expect(await store.sweep()).toBe(2);
    expect(await readdir(directory)).toEqual(['begun.partial', 'network', 'new.jpg']);
    rmSync(directory, { recursive: true });
  });
});
