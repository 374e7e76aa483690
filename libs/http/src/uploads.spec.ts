import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { plainEnvelope } from '@platform/envelopes';
import { Conflict } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { endpointsOf } from './endpoint';
import { publicGuard } from './request-view';
import { startService, type RunningService } from './server';
import type { Upload } from './uploads';
import { until } from '@platform/testing';

const kept = mkdtempSync(join(tmpdir(), 'uploads-'));
const FILE = Buffer.from('the bytes of a receipt');
let service: RunningService;
/** The file that the handler was given, and whether it was on disk at that moment. */
let given: (Upload & { readonly wasThere: boolean })[] = [];

const endpoint = endpointsOf<{ public: undefined }>();
const upload = (path: string, then: (file: Upload) => object) =>
  endpoint({
    post: path,
    summary: 'Takes a file',
    guard: 'public',
    accepts: ['multipart'],
    files: { file: { maxBytes: 1024 }, other: { maxBytes: 1024 } },
    reply: 'json',
    handle: ({ files }) => {
      given = files.map((file) => ({ ...file, wasThere: existsSync(file.path) }));
      return then(files[0] as Upload);
    },
  });

beforeAll(async () => {
  service = await startService(
    {
      name: 'uploads',
      description: 'Takes files',
      envelope: plainEnvelope,
      guards: { public: publicGuard },
      components: [],
      endpoints: [
        upload('/left', () => ({ done: true })),
        upload('/moved', ({ path }) => (renameSync(path, join(kept, 'receipt')), { done: true })),
        upload('/refused', () => {
          throw new Conflict('no');
        }),
      ],
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
});
afterAll(async () => {
  await service.stop();
  rmSync(kept, { recursive: true });
});

const send = (path: string) =>
  request(service.url).post(path).attach('file', FILE, 'struk.txt').attach('other', FILE, 'lain.txt');

it.each([
  ['/left', 200],
  ['/refused', 409],
])('an uploaded file is deleted after the handler of %s, which answers %i', async (path, status) => {
  expect((await send(path)).status).toBe(status);
  expect(given).toMatchObject([
    { field: 'file', originalName: 'struk.txt', size: FILE.length, wasThere: true },
    { field: 'other', size: FILE.length, wasThere: true },
  ]);
  // The answer does not wait for the deletion
  await until(() => given.every(({ path: left }) => !existsSync(left)));
});

it('an uploaded file that the handler moved is kept', async () => {
  expect((await send('/moved')).body).toEqual({ done: true });
  expect(readFileSync(join(kept, 'receipt'))).toEqual(FILE);
  // The answer does not wait for the deletion
  await until(() => given.every(({ path: left }) => !existsSync(left)));
});

it('an uploaded file that is too large is answered with 413 and never reaches the handler', async () => {
  given = [];
  const { status } = await request(service.url).post('/left').attach('file', Buffer.alloc(1025), 'big.bin');
  expect([status, given]).toEqual([413, []]);
});
