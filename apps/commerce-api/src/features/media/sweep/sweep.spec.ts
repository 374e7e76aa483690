import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, systemClock, uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, metricsOf, startScript, until } from '@platform/testing';
import { askOf, ownStore, type Ask } from '../../../asked.fixture';
import { newStore, NOW, useCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { untilNobodyWorks } from '../../../second-process.fixture';
import type { PresignedUpload } from '../presign/presign.dto';
import { MediaDisk } from '../storage/public';
import { MediaArrivals, type Media } from '../uploads/public';
import { DUE, MediaSweep, SHELVED } from './media.sweep';
import { sweepJob } from './sweep.job';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const later = (ms: number) => ({ now: () => new Date(Date.parse(NOW) + ms) });
const sweepAfter = (ms: number): MediaSweep => {
  const { database, mediaDir } = commerce;
  const store = new MediaDisk(mediaDir);
  const arrivals = new MediaArrivals({ database, store });
  return new MediaSweep({ database, store, arrivals, clock: later(ms), logger: silentLogger });
};
const form = (purpose: string | undefined, field = 'file'): FormData => {
  const data = new FormData();
  if (purpose) data.append('purpose', purpose);
  data.append(field, new Blob([PNG]), 'a.png');
  return data;
};
const upload = async (ask: Ask, purpose = 'product'): Promise<Media> =>
  (await ask<Media>('POST', '/upload', form(purpose))).body.data;
const announce = async (ask: Ask): Promise<PresignedUpload> => {
  const body = { filename: 'a.png', mime: 'image/png', bytes: PNG.length, purpose: 'product' };
  return (await ask<PresignedUpload>('POST', '/upload/presign', body)).body.data;
};
const bring = async ({ url }: PresignedUpload): Promise<number> => {
  const headers = { 'content-type': 'image/png' };
  return (await fetch(commerce.url + new URL(url).pathname, { method: 'PUT', body: PNG, headers })).status;
};
const keysOf = async (storeId: string): Promise<string[]> =>
  (await commerce.database.query<{ key: string }>('SELECT key FROM media WHERE store_id = $1', [storeId])).map(
    ({ key }) => key,
  );
const lying = (): Promise<string[]> => readdir(commerce.mediaDir);
const used = async (storeId: string): Promise<unknown> =>
  (
    await commerce.database.query(
      `SELECT json_object_agg(metric, used) AS used FROM plan_use WHERE store_id = $1 AND metric IN ('files', 'storage')`,
      [storeId],
    )
  )[0];
/** A file of that age without a row. */
const stray = async (ageMs: number, extension = 'png'): Promise<string> => {
  const name = `${uuidv7()}.${extension}`;
  await writeFile(join(commerce.mediaDir, name), PNG);
  const at = new Date(Date.parse(NOW) - ageMs);
  await utimes(join(commerce.mediaDir, name), at, at);
  return name;
};
/** Rows and files that nobody needs any more, in one statement. */
const unneeded = async (storeId: string, count: number): Promise<void> => {
  const rows = await commerce.database.query<{ key: string }>(
    `INSERT INTO media (store_id, id, key, name, mime, bytes, sha256, purpose, created_at, confirmed_at, sweep_after)
     SELECT $1, uuidv7(), uuidv7() || '.png', 'a', 'image/png', 16, '', 'avatar', $2, $2, $2 FROM generate_series(1, $3) RETURNING key`,
    [storeId, NOW, count],
  );
  await Promise.all(rows.map(({ key }) => writeFile(join(commerce.mediaDir, key), PNG)));
  const use = `INSERT INTO plan_use (store_id, metric, used) VALUES ($1, 'files', $2), ($1, 'storage', $2)`;
  await commerce.database.query(use, [storeId, count]);
};

it('a file that has just come stays where the clock that stamps files is days behind', async () => {
  const isNow = { now: () => new Date() };
  const name = await stray(Date.parse(NOW) - Date.now() + 3 * DAY);
  jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(Date.now() - 3 * DAY));
  const { database, mediaDir } = commerce;
  const store = new MediaDisk(mediaDir);
  const parts = { database, clock: isNow, logger: silentLogger };
  const sweep = new MediaSweep({ ...parts, store, arrivals: new MediaArrivals({ database, store }) });
  const { run } = sweepJob(sweep, { ...parts, queue: jobQueue() });
  const job = { signal: new AbortController().signal } as Parameters<typeof run>[1];
  await run({ walk: true }, job).finally(() => jest.restoreAllMocks());
  expect(await lying()).toContain(name);
});

describe('a file that nobody needs', () => {
  it('goes an hour after its announcement when it has not come, and gives its place back', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const [late, came] = [await announce(ask), await announce(ask)];
    expect(await bring(came)).toBe(204);
    await sweepAfter(HOUR - 1).rows();
    expect(await keysOf(storeId)).toHaveLength(2);
    await sweepAfter(HOUR).rows();
    expect((await ask<Media[]>('GET', '/upload')).body.data.map(({ id }) => id)).toEqual([came.media_id]);
    expect([await keysOf(storeId), await used(storeId)]).toEqual([
      [expect.any(String)],
      { used: { files: 1, storage: 1 } },
    ]);
    expect(await bring(late)).toBe(410);
  });

  it('goes a day after it came when it is there for one thing only that never showed it: papers, proofs, goods', async () => {
    const { ask, storeId } = await ownStore(commerce);
    for (const purpose of ['proof', 'document', 'digital', 'product', 'logo', 'message']) await upload(ask, purpose);
    const before = await keysOf(storeId);
    await sweepAfter(DAY).rows();
    const { data } = (await ask<Media[]>('GET', '/upload')).body;
    expect(data.map(({ purpose }) => purpose).toSorted()).toEqual(['logo', 'message', 'product']);
    const after = await keysOf(storeId);
    expect((await lying()).filter((name) => before.includes(name)).toSorted()).toEqual(after.toSorted());
    expect(await used(storeId)).toEqual({ used: { files: 3, storage: 3 } });
    await sweepAfter(400 * DAY).rows();
    expect(await keysOf(storeId)).toHaveLength(3);
  });

  it('goes a month after a product has shown it for the last time, and not while one does', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 })).body.data;
    const { body } = await ask<{ images: { id: string }[] }>(
      'POST',
      `/products/${id}/images`,
      form(undefined, 'files'),
    );
    await sweepAfter(400 * DAY).rows();
    expect(await keysOf(storeId)).toHaveLength(1);
    await ask('DELETE', `/products/${id}/images/${body.data.images[0]?.id}`);
    await sweepAfter(30 * DAY - 1).rows();
    expect(await keysOf(storeId)).toHaveLength(1);
    await sweepAfter(30 * DAY).rows();
    expect(await keysOf(storeId)).toEqual([]);
  });

  it('goes a day after its picture of a person was replaced', async () => {
    const storeId = await newStore(commerce);
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    commerce.storeAuth.users.set('owner@toko-nusa.example', { password: 'a good passphrase' });
    await commerce.call('PUT', '/api/profile', token, { name: 'Sari' });
    for (let times = 0; times < 2; times++)
      expect((await commerce.call('POST', '/api/profile/avatar', token, form(undefined))).status).toBe(200);
    await sweepAfter(DAY - 1).rows();
    expect(await keysOf(storeId)).toHaveLength(2);
    await sweepAfter(DAY).rows();
    const { body } = await commerce.call('GET', '/api/profile', token);
    const { avatar_url: url } = (body as { data: { avatar_url: string } }).data;
    expect(await keysOf(storeId)).toEqual([url.split('/').at(-1)]);
  });

  it('is removed once by however many processes, and its place is given back once', async () => {
    const storeId = await newStore(commerce);
    await unneeded(storeId, 120);
    const counts = await Promise.all([1, 2, 3, 4].map(() => sweepAfter(DAY).rows()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(120);
    expect([await keysOf(storeId), await used(storeId)]).toEqual([[], { used: { files: 0, storage: 0 } }]);
  });

  it('of a store with thousands waits for its turn: a few of every store come first', async () => {
    const [big, small] = [await newStore(commerce), await newStore(commerce)];
    await unneeded(big, 1_000);
    await unneeded(small, 1);
    await commerce.database.query('VACUUM ANALYZE media');
    const due = await commerce.database.query<{ store_id: string; ids: string[] }>(DUE, [later(DAY).now(), []]);
    const of = (storeId: string) => due.find(({ store_id }) => store_id === storeId)?.ids.length;
    expect([of(big), of(small)]).toEqual([25, 1]);
    expectNoSeqScan(await explain(commerce.database, DUE, [later(DAY).now(), []]), 'media');
    await sweepAfter(DAY).rows();
    expect([await keysOf(big), await keysOf(small)]).toEqual([[], []]);
  });

  it('goes of the stores behind one of which nothing can be removed, and of that one the next time', async () => {
    const { database } = commerce;
    for (const storeId of [await newStore(commerce), await newStore(commerce)]) await unneeded(storeId, 1);
    const due = async () =>
      (await database.query<{ store_id: string }>(DUE, [later(DAY).now(), []])).map((row) => row.store_id);
    const [broken] = await due();
    await database.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it is shown'; END $$;
      CREATE TRIGGER refuses BEFORE DELETE ON media FOR EACH ROW WHEN (OLD.store_id = '${broken}') EXECUTE FUNCTION refuse()`);
    const sweeping = sweepAfter(DAY)
      .rows()
      .catch((failure: unknown) => String(failure));
    const swept = await sweeping.finally(() => database.query('DROP FUNCTION refuse() CASCADE'));
    expect([await due(), typeof swept]).toEqual([[broken], 'number']);
    await sweepAfter(DAY).rows();
    expect(await due()).toEqual([]);
  });

  it('stays when it comes or is shown at the moment in which it would have gone', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 })).body.data;
    for (let round = 0; round < 10; round++) {
      const announced = await announce(ask);
      const shown = await upload(ask);
      await commerce.database.query('UPDATE media SET sweep_after = $2 WHERE store_id = $1', [storeId, NOW]);
      const [brought, attached] = await Promise.all([
        bring(announced),
        ask('POST', `/products/${id}/images`, { media_ids: [shown.id] }),
        sweepAfter(0).rows(),
      ]);
      const { data } = (await ask<Media[]>('GET', '/upload')).body;
      const there = (media: string) => data.some((one) => one.id === media);
      expect([there(announced.media_id), there(shown.id)]).toEqual([brought === 204, attached.status === 201]);
    }
    // What is in the library lies on the disk
    const files = new Set(await lying());
    const urls = (await ask<Media[]>('GET', '/upload')).body.data.map(({ url }) => url?.split('/').at(-1) ?? '');
    expect(urls.filter((key) => !files.has(key))).toEqual([]);
  });

  it('stays when somebody has shown it, or it has come, since it was found to be due', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const [announced, shown, gone] = [await announce(ask), await upload(ask), await upload(ask)];
    const { database, mediaDir } = commerce;
    await database.query('UPDATE media SET sweep_after = $2 WHERE store_id = $1', [storeId, NOW]);
    const looked: typeof database.query = async (text, values) => {
      const rows = await database.query(text, values);
      if (text === DUE) {
        await bring(announced);
        await database.query('UPDATE media SET refs = 1 WHERE id = $1', [shown.id]);
      }
      return rows as never;
    };
    const slow = {
      ...database,
      tx: database.tx.bind(database),
      prepared: database.prepared.bind(database),
      query: looked,
    };
    const store = new MediaDisk(mediaDir);
    const arrivals = new MediaArrivals({ database, store });
    const parts = { database: slow, store, arrivals, clock: later(0), logger: silentLogger };
    await new MediaSweep(parts).rows();
    const left = (await ask<Media[]>('GET', '/upload')).body.data.map(({ id }) => id);
    expect(left.toSorted()).toEqual([announced.media_id, shown.id].toSorted());
    expect(left).not.toContain(gone.id);
  });

  it('is not left over by a process that was killed in the middle', async () => {
    const storeId = await newStore(commerce);
    await unneeded(storeId, 2_000);
    const env = {
      DATABASE_URL: commerce.database.url,
      MEDIA_DIR: commerce.mediaDir,
      AT: later(DAY).now().toISOString(),
    };
    const child = startScript(join(__dirname, 'sweep.child.ts'), env);
    await until(async () => (await keysOf(storeId)).length < 1_900);
    await child.stop();
    await untilNobodyWorks(commerce);
    await sweepAfter(DAY).rows();
    expect([await keysOf(storeId), await used(storeId)]).toEqual([[], { used: { files: 0, storage: 0 } }]);
  });
});

describe('a file without a row', () => {
  it('is removed when it has lain there for a day, also what an upload left behind; a new one, other sizes of a file and foreign names stay', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await upload(ask);
    const [known = ''] = await keysOf(storeId);
    const old = new Date(Date.parse(NOW) - 3 * DAY);
    await utimes(join(commerce.mediaDir, known), old, old);
    const gone = [await stray(DAY + 1), await stray(2 * DAY, 'part'), await stray(2 * DAY, 'w320')];
    const smaller = known.replace('.png', '.w320');
    const stays = [await stray(DAY - 1), await stray(0, 'part'), known, smaller];
    for (const name of ['README', smaller]) {
      await writeFile(join(commerce.mediaDir, name), 'not ours');
      await utimes(join(commerce.mediaDir, name), old, old);
    }
    expect(await sweepAfter(0).strays()).toBeGreaterThanOrEqual(2);
    const left = await lying();
    expect(gone.filter((name) => left.includes(name))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining([...stays, 'README']));
  });
});

describe('a row without its file', () => {
  const rowOf = (id: string) =>
    commerce.database.query('SELECT missing_since, sweep_after FROM media WHERE id = $1', [id]);
  const lost = async (ask: Ask, storeId: string): Promise<Media> => {
    const media = await upload(ask);
    for (const key of await keysOf(storeId)) await rm(join(commerce.mediaDir, key), { force: true });
    return media;
  };

  it('is told, and goes after a week; one that is there again stays, and so does one that something shows', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const shown = await lost(ask, storeId);
    await commerce.database.query('UPDATE media SET refs = 1 WHERE id = $1', [shown.id]);
    const nobodys = await lost(ask, storeId);
    const back = await upload(ask);
    const [, , key = ''] = await commerce.database
      .query<{ key: string }>('SELECT key FROM media WHERE store_id = $1 ORDER BY id', [storeId])
      .then((rows) => rows.map((row) => row.key));
    await rm(join(commerce.mediaDir, key));
    await sweepAfter(0).missing();
    await writeFile(join(commerce.mediaDir, key), PNG);
    const ids = [shown, nobodys, back].map(({ id }) => id);
    expect(await rowOf(ids[1] ?? '')).toEqual([{ missing_since: new Date(NOW), sweep_after: null }]);
    await sweepAfter(7 * DAY - 1).missing();
    await sweepAfter(7 * DAY - 1).rows();
    expect(await rowOf(ids[2] ?? '')).toEqual([{ missing_since: null, sweep_after: null }]);
    await sweepAfter(7 * DAY).missing();
    await sweepAfter(7 * DAY).rows();
    const left = (await ask<Media[]>('GET', '/upload')).body.data.map(({ id }) => id);
    expect(left.toSorted()).toEqual([ids[0], ids[2]].toSorted());
  });

  it('is found by the key, in portions', async () => {
    const plan = await explain(commerce.database, SHELVED, ['', uuidv7(), 200]);
    expectNoSeqScan(plan, 'media');
  });
});

it('/metrics tells what was swept by this process, and which files are missing', async () => {
  const names = ['media_swept', 'media_swept_bytes', 'media_strays_removed', 'media_missing'];
  expect(await metricsOf(commerce.url, ...names)).toEqual(
    Object.fromEntries(names.map((name) => [`${name}{component="media-sweep"}`, 0])),
  );
});

it('the plan of a store is asked of its own files alone', async () => {
  const [one, other] = [await newStore(commerce), await newStore(commerce)];
  await unneeded(one, 3);
  await sweepAfter(DAY).rows();
  await upload(askOf(commerce)(other));
  expect([await used(one), await used(other)]).toEqual([
    { used: { files: 0, storage: 0 } },
    { used: { files: 1, storage: 1 } },
  ]);
});
