import { bearer, newStore, useCommerce } from '../../../commerce.fixture';
import { askOf, ownStore, refused, type OwnStore } from '../../../asked.fixture';
import type { PresignedUpload } from '../presign/presign.dto';
import type { Media } from './uploads.dto';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const form = (kibibytes = 1): FormData => {
  const data = new FormData();
  data.append('purpose', 'product');
  data.append('file', new Blob([PNG, Buffer.alloc(kibibytes * 1024 - PNG.length)]), 'a.png');
  return data;
};
const announced = (kibibytes: number) => ({
  ...{ filename: 'a.mp4', mime: 'video/mp4', bytes: kibibytes * 1024, purpose: 'digital' },
});
const limit = (metric: string, allowed: number) =>
  refused(402, 'plan_limit', `The plan allows ${allowed} (${metric})`, { metric, limit: allowed });
/** A store whose plan allows so much. */
const storeWith = async (allowed: { files?: number; storage?: number }): Promise<OwnStore> => {
  const store = await ownStore(commerce);
  for (const [metric, most] of Object.entries(allowed))
    await commerce.database.query('INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, $2, 0, $3)', [
      store.storeId,
      metric,
      most,
    ]);
  return store;
};
const used = async (storeId: string): Promise<Record<string, number>> => {
  const rows = await commerce.database.query<{ metric: string; used: number }>(
    'SELECT metric, used FROM plan_use WHERE store_id = $1',
    [storeId],
  );
  return Object.fromEntries(rows.map((row) => [row.metric, row.used]));
};
const kept = async ({ ask }: OwnStore): Promise<Media[]> => (await ask<Media[]>('GET', '/upload')).body.data;

describe('a store may keep', () => {
  it('so many files: of twenty at once no more get in than there is room for, and a removed one makes room', async () => {
    const store = await storeWith({ files: 7 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.ask('POST', '/upload', form())));
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(13).fill(limit('files', 7)));
    const media = await kept(store);
    expect([media.length, await used(store.storeId)]).toEqual([7, { files: 7, storage: 7 }]);
    await store.ask('DELETE', `/upload/${media[0]?.id}`);
    const again = await Promise.all([1, 2].map(() => store.ask('POST', '/upload', form())));
    expect(again.map(({ status }) => status).toSorted()).toEqual([201, 402]);
  });

  it('so many kibibytes, counted with what is announced and has not come', async () => {
    const store = await storeWith({ storage: 100 });
    const { body } = await store.ask<PresignedUpload>('POST', '/upload/presign', announced(60));
    expect(await store.ask('POST', '/upload/presign', announced(41))).toEqual(limit('storage', 100));
    expect((await store.ask('POST', '/upload', form(40))).status).toBe(201);
    expect(await store.ask('POST', '/upload', form(1))).toEqual(limit('storage', 100));
    await store.ask('DELETE', `/upload/${body.data.media_id}`);
    const answers = await Promise.all(Array.from({ length: 12 }, () => store.ask('POST', '/upload', form(10))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(await used(store.storeId)).toEqual({ files: 7, storage: 100 });
  });

  it('five gibibytes and ten thousand files unless its plan says otherwise; what was there before is counted', async () => {
    const { storeId, ask } = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO media (store_id, id, key, name, mime, bytes, sha256, purpose, created_at, confirmed_at)
       SELECT $1, uuidv7(), uuidv7() || '.png', 'a', 'image/png', 1025, '', 'product', now(), now() FROM generate_series(1, 9999)`,
      [storeId],
    );
    expect((await ask('POST', '/upload', form())).status).toBe(201);
    expect(await used(storeId)).toEqual({ files: 10_000, storage: 19_999 });
    expect(await ask('POST', '/upload', form())).toEqual(limit('files', 10_000));
    await commerce.database.query(`UPDATE plan_use SET used = 5242880 WHERE store_id = $1 AND metric = 'storage'`, [
      storeId,
    ]);
    const [{ id } = { id: '' }] = await commerce.database.query<{ id: string }>(
      'SELECT id FROM media WHERE store_id = $1 AND bytes = 1024',
      [storeId],
    );
    await ask('DELETE', `/upload/${id}`);
    expect(await ask('POST', '/upload', form(2))).toEqual(limit('storage', 5_242_880));
  });

  it('nothing more when it is full, whichever way a file comes, and no file stays on the disk', async () => {
    const { storeId, ask } = await storeWith({ files: 0 });
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 });
    const images = new FormData();
    images.append('files', new Blob([PNG]), 'a.png');
    const portrait = new FormData();
    portrait.append('file', new Blob([PNG]), 'a.png');
    const answers = [
      await ask('POST', '/upload', form()),
      await ask('POST', '/upload/presign', announced(1)),
      await ask('POST', `/products/${product.body.data.id}/images`, images),
      await commerce.post('/api/profile/avatar', portrait, bearer(commerce.storeAuth.userToken({ store_id: storeId }))),
    ];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(Array(4).fill(limit('files', 0)));
    expect(await commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [storeId])).toEqual([]);
  });

  it('its own, and no store counts on another', async () => {
    const [full, other] = [await storeWith({ files: 0 }), await newStore(commerce)];
    expect((await full.ask('POST', '/upload', form())).status).toBe(402);
    expect((await askOf(commerce)(other)('POST', '/upload', form())).status).toBe(201);
  });
});
