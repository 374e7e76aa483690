import { loadConfig, silentLogger, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { storageSettings } from '../../../clients/storage.settings';
import { askOf, notHere, ownStore, refused, succeeded, type Ask, type OwnStore } from '../../../asked.fixture';
import { newStore, NOW, startCommerce } from '../../../commerce.fixture';
import { startS3 } from '../storage/s3.server.fixture';
import { openStore, putBytes } from '../storage/public';
import { MediaSweep } from '../sweep/media.sweep';
import { MediaArrivals, type Media } from '../uploads/public';
import type { PresignedUpload } from './presign.dto';

const s3 = useRunning(startS3);
const commerce = useRunning(() => startCommerce(s3.settings));
const opened: ReturnType<typeof openStore>[] = [];
const stored = () => {
  const store = openStore(loadConfig(storageSettings, s3.settings));
  opened.push(store);
  return store;
};
afterEach(async () => {
  s3.hang(false);
  await Promise.all(opened.splice(0).map((store) => store.stop?.()));
});

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** As long as the picture. */
const PROGRAM = Buffer.from('4d5a9000030000000400000089504e47', 'hex');
const announced = { filename: 'sepatu.png', mime: 'image/png', bytes: PNG.length, purpose: 'product' };
const presign = async (ask: Ask, more: object = {}): Promise<PresignedUpload> =>
  (await ask<PresignedUpload>('POST', '/upload/presign', { ...announced, ...more })).body.data;
const put = async ({ url, headers }: PresignedUpload, body: Buffer = PNG, more: Record<string, string> = {}) =>
  (await fetch(url, { method: 'PUT', body: body as never, headers: { ...headers, ...more } })).status;
const library = async (ask: Ask): Promise<Media[]> => (await ask<Media[]>('GET', '/upload')).body.data;
const keysOf = async (storeId: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const portion of stored().lyingSince(new Date(Date.now() + 86_400_000))) keys.push(...portion);
  return keys.filter((key) => key.includes(`/${storeId}/`));
};
const sweepAt = (now: Date): MediaSweep => {
  const { database } = commerce;
  const store = stored();
  const arrivals = new MediaArrivals({ database, store });
  return new MediaSweep({ database, store, arrivals, clock: { now: () => now }, logger: silentLogger });
};
const anHourOn = new Date(Date.parse(NOW) + 2 * 3_600_000);
const product = async (ask: Ask): Promise<string> =>
  (await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 })).body.data.id;
const show = async ({ ask }: OwnStore, media_ids: string[]) =>
  ask<{ url: string }[]>('POST', `/products/${await product(ask)}/images`, { media_ids });
const notShown = notHere('media_ids[0]', 'is not a product picture of this store');

describe('a file that a browser puts into the bucket', () => {
  it('is in the library, and everybody reads it from the bucket, as the type that it is', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const link = await presign(ask);
    expect(link.url).toContain(`${s3.url}/shop-files/incoming/${storeId}/`);
    expect(await put(link)).toBe(200);
    const [media] = await library(ask);
    expect(media).toMatchObject({ id: link.media_id, name: 'sepatu.png', mime: 'image/png', bytes: 16, refs: 0 });
    expect(media?.url).toMatch(`${s3.settings.S3_PUBLIC_URL}/public/${storeId}/`);
    const answer = await fetch(media?.url ?? '');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(await keysOf(storeId)).toEqual([new URL(media?.url ?? '').pathname.replace('/shop-files/', '')]);
  });

  it('is found by whatever names it first, and cannot be deleted while it is shown', async () => {
    const store = await ownStore(commerce);
    const [picture, face] = [await presign(store.ask), await presign(store.ask, { purpose: 'logo' })];
    expect([await put(picture), await put(face)]).toEqual([200, 200]);
    expect((await show(store, [picture.media_id])).status).toBe(201);
    const page = { slug: `toko-${uuidv7()}`, title: 'Toko', avatar_media_id: face.media_id };
    expect((await store.ask('POST', '/biolink', page)).status).toBe(201);
    const inUse = refused(409, 'in_use', 'The file is in use');
    expect(await store.ask('DELETE', `/upload/${picture.media_id}`)).toEqual(inUse);
    expect(await store.ask('DELETE', `/upload/${face.media_id}`)).toEqual(inUse);
  });

  it('is nothing to another store that names it', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const link = await presign(theirs.ask);
    await put(link);
    expect(await show(mine, [link.media_id])).toEqual(notShown);
    expect((await mine.ask('DELETE', `/upload/${link.media_id}`)).status).toBe(404);
    expect(await library(mine.ask)).toEqual([]);
    expect((await library(theirs.ask)).map(({ id }) => id)).toEqual([link.media_id]);
  });

  it.each([
    ['of another size', Buffer.concat([PNG, PNG]), {}],
    ['of another type', PNG, { 'Content-Type': 'text/html' }],
  ])('%s does not get in', async (_, bytes, headers) => {
    const store = await ownStore(commerce);
    const link = await presign(store.ask);
    expect(await put(link, bytes, headers)).toBe(403);
    expect([await show(store, [link.media_id]), await library(store.ask)]).toEqual([notShown, []]);
    expect(await keysOf(store.storeId)).toEqual([]);
  });

  it.each([
    ['a program', PROGRAM],
    ['SVG', Buffer.from('<svg onload=1 />')],
    ['a page', Buffer.from('<html><b>x</b></')],
  ])('that is %s under a picture’s name and type is never a file, and is swept', async (_, bytes) => {
    const store = await ownStore(commerce);
    const link = await presign(store.ask);
    expect(await put(link, bytes)).toBe(200);
    expect([await show(store, [link.media_id]), await library(store.ask)]).toEqual([notShown, []]);
    expect((await keysOf(store.storeId)).map((key) => key.split('/')[0])).toEqual(['incoming']);
    await sweepAt(anHourOn).rows();
    expect(await keysOf(store.storeId)).toEqual([]);
    const places = 'SELECT metric, used FROM plan_use WHERE store_id = $1 AND used > 0';
    expect(await commerce.database.query(places, [store.storeId])).toEqual([]);
  });

  it('is what was looked at, whatever the link puts there afterwards', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const link = await presign(ask);
    await put(link);
    const [media] = await library(ask);
    expect(await put(link, PROGRAM)).toBe(200);
    expect(Buffer.from(await (await fetch(media?.url ?? '')).arrayBuffer())).toEqual(PNG);
    await sweepAt(new Date(Date.now() + 2 * 86_400_000)).strays();
    expect(await keysOf(storeId)).toEqual([new URL(media?.url ?? '').pathname.replace('/shop-files/', '')]);
  });

  it('is one file when two processes find it at once', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await put(await presign(ask));
    const { database, clock } = commerce;
    const found = () => new MediaArrivals({ database, store: stored() }).settle({ storeId, at: clock.now() });
    await Promise.all([found(), found(), found()]);
    const [media, ...more] = await library(ask);
    expect(more).toEqual([]);
    expect((await fetch(media?.url ?? '')).status).toBe(200);
    expect(await keysOf(storeId)).toHaveLength(1);
  });

  it('and that nobody asked for is kept by the sweep, not taken for one that never came, however many there are', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const links = await Promise.all(Array.from({ length: 30 }, () => presign(ask)));
    for (const link of links) expect(await put(link)).toBe(200);
    // A few of every store in a round
    for (let round = 0; round < 2; round += 1) await sweepAt(anHourOn).rows();
    const kept = await commerce.database.query<{ id: string }>(
      'SELECT id FROM media WHERE store_id = $1 AND confirmed_at IS NOT NULL ORDER BY id',
      [storeId],
    );
    expect(kept.map(({ id }) => id)).toEqual(links.map(({ media_id: id }) => id).toSorted());
  });
});

describe('while the bucket hangs', () => {
  const away = refused(503, 'unavailable', 'The files cannot be reached');
  const form = (): FormData => {
    const data = new FormData();
    data.append('purpose', 'product');
    data.append('file', new Blob([PNG]), 'a.png');
    return data;
  };

  it('an upload is refused as documented, and no connection of the database is held meanwhile', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const other = askOf(commerce)(await newStore(commerce));
    s3.hang(true);
    const asked = ask('POST', '/upload', form());
    await until(() => s3.waiting() > 0);
    const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    // Jobs come and go; what the request held, it would hold until the bucket is given up
    await until(
      () => commerce.database.query(busy),
      ({ length }) => length === 0,
    );
    expect(s3.waiting()).toBeGreaterThan(0);
    expect((await other('GET', '/products')).status).toBe(200);
    expect(await asked).toEqual(away);
    s3.hang(false);
    expect(await commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [storeId])).toEqual([]);
  });

  it('a sweep keeps what it cannot look at, and goes on with it later', async () => {
    const { ask } = await ownStore(commerce);
    const link = await presign(ask);
    await put(link);
    s3.hang(true);
    await sweepAt(anHourOn).rows();
    s3.hang(false);
    await sweepAt(anHourOn).rows();
    await until(async () => (await library(ask)).some(({ id }) => id === link.media_id));
  });
});

it('an object whose process was killed before its row is swept after a day, and not before', async () => {
  const storeId = await newStore(commerce);
  const store = stored();
  const key = store.keyFor({ storeId, extension: 'png', audience: 'some' });
  await putBytes(store, { key, bytes: PNG });
  await sweepAt(new Date(Date.now() + 3_600_000)).strays();
  expect(await keysOf(storeId)).toEqual([key]);
  await sweepAt(new Date(Date.now() + 2 * 86_400_000)).strays();
  expect(await keysOf(storeId)).toEqual([]);
});

it('a deleted file is gone from the bucket', async () => {
  const { ask, storeId } = await ownStore(commerce);
  await put(await presign(ask));
  const [media] = await library(ask);
  expect(await ask('DELETE', `/upload/${media?.id}`)).toEqual(succeeded(200, 'File deleted', null));
  expect([(await fetch(media?.url ?? '')).status, await keysOf(storeId)]).toEqual([404, []]);
});
