import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { storageSettings } from '../../../clients/storage.settings';
import type { DirectAccess, ObjectStore } from './object.store';
import { objectStoreContract } from './object.store.contract';
import { openStore } from './open.store';
import { putBytes } from './put.bytes';
import { S3Line } from './s3.line';
import { startS3 } from './s3.server.fixture';

const s3 = useRunning(startS3);
const stores: ObjectStore[] = [];
const opened = (more: Readonly<Record<string, string>> = {}, callMs?: number): ObjectStore => {
  const line = new S3Line(callMs === undefined ? {} : { callMs });
  const store = openStore(loadConfig(storageSettings, { ...s3.settings, ...more }), line);
  stores.push(store);
  return store;
};
const open = async (): Promise<ObjectStore> => {
  const store = opened();
  await store.start?.();
  return store;
};
afterAll(() => Promise.all(stores.map((store) => store.stop?.())));

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const upload = { mimetype: 'image/png', bytes: PNG.length, lifeMs: 60_000 };
const put = async (url: string, body: Buffer = PNG, type = 'image/png') => {
  const answer = await fetch(url, { method: 'PUT', body: body as never, headers: { 'content-type': type } });
  await answer.text();
  return answer.status;
};

describe('files in an object store', () => {
  objectStoreContract(open);
});

describe('a presigned upload', () => {
  let store: ObjectStore;
  let direct: DirectAccess;
  beforeAll(async () => {
    store = await open();
    direct = store.direct as DirectAccess;
  });
  const newKey = () => direct.incomingKey({ storeId: 'S-1', extension: 'png' });

  it('takes the file of a browser that knows nothing but the address and the type', async () => {
    const key = newKey();
    expect(await put(await direct.presignPut(key, upload))).toBe(200);
    expect(await store.head(key)).toEqual({ bytes: 16, mimetype: 'image/png', changedAt: expect.any(Date) as Date });
  });

  it('carries no checksum of an empty body', async () => {
    expect(await direct.presignPut(newKey(), upload)).not.toMatch(/checksum/i);
  });

  it.each([
    ['of another type', PNG, 'text/html'],
    ['of another size', Buffer.concat([PNG, PNG]), 'image/png'],
  ])('%s is refused by the store', async (_, bytes, type) => {
    const key = newKey();
    expect(await put(await direct.presignPut(key, upload), bytes, type)).toBe(403);
    expect(await store.head(key)).toBeUndefined();
  });

  it('is refused under another key, after its time, and with a wrong secret', async () => {
    const [key, other] = [newKey(), newKey()];
    const url = await direct.presignPut(key, upload);
    const stranger = opened({ S3_SECRET_ACCESS_KEY: 'wrong' });
    const forged = (await stranger.direct?.presignPut(key, upload)) ?? '';
    const late = url.replace(/X-Amz-Date=\d{8}/, 'X-Amz-Date=20200101');
    const urls = [url.replace(key, other), forged, late];
    expect(await Promise.all(urls.map((each) => put(each)))).toEqual([403, 403, 403]);
  });

  it('is copied to a key of ours, which the link does not reach', async () => {
    const [from, to] = [newKey(), store.keyFor({ storeId: 'S-1', extension: 'png', audience: 'all' })];
    await put(await direct.presignPut(from, upload));
    expect(await direct.copy(from, to, 'image/png')).toBe(true);
    expect(await store.head(to)).toEqual({ bytes: 16, mimetype: 'image/png', changedAt: expect.any(Date) as Date });
    expect(await direct.copy(newKey(), to, 'image/png')).toBe(false);
  });
});

describe('a link to an object', () => {
  it('gives it out under the type and the name that were asked for, also in parts', async () => {
    const store = await open();
    const key = `${uuidv7()}.png`;
    await putBytes(store, { key, bytes: PNG });
    const options = { mimetype: 'image/png', filename: 'foto ü.png', cacheControl: 'private, no-store' };
    const url = (await store.direct?.presignGet(key, options)) ?? '';
    const answer = await fetch(url);
    expect(['content-type', 'content-disposition', 'cache-control'].map((name) => answer.headers.get(name))).toEqual([
      ...['image/png', `attachment; filename="foto _.png"; filename*=UTF-8''foto%20%C3%BC.png`, 'private, no-store'],
    ]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    const part = await fetch(url, { headers: { range: 'bytes=8-' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, PNG.subarray(8)]);
    expect((await fetch(url.replace('image%2Fpng', 'text%2Fhtml'))).status).toBe(403);
  });

  it('is needed by everybody for what is private, and by nobody for what is public', async () => {
    const store = await open();
    const keys = (['all', 'some'] as const).map((audience) =>
      store.keyFor({ storeId: 'S 1/../x', extension: 'png', audience }),
    );
    for (const key of keys) await putBytes(store, { key, bytes: PNG });
    const answers = await Promise.all(keys.map((key) => fetch(`${s3.settings.S3_PUBLIC_URL}/${key}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
    expect(keys.map((key) => store.publicUrl(key))).toEqual([`${s3.settings.S3_PUBLIC_URL}/${keys[0]}`, undefined]);
  });
});

describe('a store with a wrong secret', () => {
  it('is unavailable, and has lost nothing', async () => {
    const store = opened({ S3_SECRET_ACCESS_KEY: 'wrong' });
    await mkdir(store.incoming, { recursive: true });
    const key = store.keyFor({ storeId: 'S-1', extension: 'png', audience: 'some' });
    const path = join(store.incoming, `${uuidv7()}.part`);
    await writeFile(path, PNG);
    const unavailable = 'The files cannot be reached';
    await expect(store.put(key, path, 'image/png')).rejects.toThrow(unavailable);
    await expect(store.head(key)).rejects.toThrow(unavailable);
    await expect(store.get(key)).rejects.toThrow(unavailable);
    await store.delete(key);
  });
});

describe('a store that cannot keep anything', () => {
  it.each([
    ['a wrong secret', { S3_SECRET_ACCESS_KEY: 'another-secret' }],
    ['a bucket that is not there', { S3_BUCKET: 'no-such-bucket' }],
  ])('stops the start: %s', async (_, wrong) => {
    const failure: unknown = await opened(wrong)
      .start?.()
      .then(undefined, (each: unknown) => each);
    expect(String(failure)).toMatch(/S3_BUCKET: the store of files refuses/);
    expect(String((failure as Error).stack)).not.toMatch(/another-secret|canary/);
  });
});

describe('a store that hangs', () => {
  const unavailable = 'The files cannot be reached';
  afterEach(() => s3.hang(false));

  it('does not stop the start, is unavailable in bounded time, and has lost nothing', async () => {
    const key = store().keyFor({ storeId: 'S-1', extension: 'png', audience: 'some' });
    await putBytes(store(), { key, bytes: PNG });
    s3.hang(true);
    const slow = opened({}, 200);
    await slow.start?.();
    await expect(putBytes(slow, { key, bytes: Buffer.from('other') })).rejects.toThrow(unavailable);
    await expect(slow.head(key)).rejects.toThrow(unavailable);
    await slow.delete(key);
    s3.hang(false);
    expect(await store().get(key)).toEqual(PNG);
  });

  it('in the middle of an answer is given up too', async () => {
    const slow = opened({}, 200);
    s3.hang('halfway');
    await expect(slow.get(`${uuidv7()}.png`, 16)).rejects.toThrow(unavailable);
    await until(() => s3.waiting() === 0);
  });

  it('keeps no other store waiting for ever, and is not asked again and again', async () => {
    const slow = opened({}, 200);
    s3.hang(true);
    const keys = Array.from({ length: 40 }, (_, index) =>
      slow.keyFor({ storeId: `S-${index % 2}`, extension: 'png', audience: 'some' }),
    );
    const answers = await Promise.allSettled(keys.map((key) => slow.head(key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill('rejected'));
    await expect(slow.head(keys[0] ?? '')).rejects.toThrow(unavailable);
    await until(() => s3.waiting() === 0);
  });

  let started: ObjectStore;
  beforeAll(async () => {
    started = await open();
  });
  const store = () => started;
});
