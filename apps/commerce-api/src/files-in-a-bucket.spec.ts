import { loadConfig, uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { storageSettings } from './clients/storage.settings';
import { ownStore, type Ask } from './asked.fixture';
import { newMember, startCommerce } from './commerce.fixture';
import { buyersOf } from './features/digital/deliveries/bought.fixture';
import { PDF } from './features/digital/digital.fixture';
import { startS3 } from './features/media/storage/s3.server.fixture';
import { openStore } from './features/media/storage/public';
import { MediaLibrary, type Media } from './features/media/uploads/public';
import type { Proof } from './features/paying/proofs/proofs.dto';
import type { ExportJob } from './features/reports/files/files.dto';
import { orderShop } from './features/sales/orders/orders.fixture';
import type { Order } from './features/sales/orders/orders.dto';
import type { Kyc } from './features/verification/kyc/kyc.dto';

const s3 = useRunning(startS3);
const commerce = useRunning(() =>
  startCommerce({ ...s3.settings, PAY_LINK_SECRET: 'a secret of links', TRUST_PROXY: '127.0.0.1' }),
);
const { bought, fetched } = buyersOf(commerce);
const stores: ReturnType<typeof openStore>[] = [];
afterAll(() => Promise.all(stores.map((store) => store.stop?.())));

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const form = (fields: Record<string, string>, field = 'file'): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append(field, new Blob([PNG]), 'gambar ü.png');
  return data;
};
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const keysOf = (storeId: string) =>
  commerce.database.query<{ key: string }>('SELECT key FROM media WHERE store_id = $1', [storeId]);
/** What anybody reads of the store's files who knows their names in the bucket. */
const statusesInBucket = async (storeId: string): Promise<number[]> => {
  const keys = await keysOf(storeId);
  return Promise.all(keys.map(async ({ key }) => (await fetch(`${s3.settings.S3_PUBLIC_URL}/${key}`)).status));
};
/** Follows a private link as a browser does. */
const followed = async (url: string | null) => {
  const answer = await fetched(new URL(url ?? '').pathname);
  expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
    ...[302, 'no-store', 'no-referrer'],
  ]);
  const location = answer.headers.get('location') ?? '';
  expect(location).toMatch(`${s3.url}/shop-files/private/`);
  return fetch(location);
};
const uploaded = async (ask: Ask, purpose: string): Promise<Media> =>
  (await ask<Media>('POST', '/upload', form({ purpose }))).body.data;

describe('with a bucket', () => {
  it.each(['product', 'logo', 'message'])('everybody reads a file for %s from it', async (purpose) => {
    const { ask, storeId } = await ownStore(commerce);
    const { url } = await uploaded(ask, purpose);
    const answer = await fetch(url ?? '');
    expect(['content-type', 'content-disposition', 'cache-control'].map((name) => answer.headers.get(name))).toEqual([
      ...['image/png', 'inline', 'public, max-age=31536000, immutable'],
    ]);
    expect([await bytesOf(answer), await statusesInBucket(storeId)]).toEqual([PNG, [200]]);
  });

  it.each(['document', 'digital', 'proof'])('nobody reads a file for %s without a link that ends', async (purpose) => {
    const { ask, storeId } = await ownStore(commerce);
    const { url } = await uploaded(ask, purpose);
    const answer = await followed(url);
    expect([answer.status, await bytesOf(answer)]).toEqual([200, PNG]);
    const [{ key } = { key: '' }] = await keysOf(storeId);
    expect(await statusesInBucket(storeId)).toEqual([403]);
    expect((await fetched(`/blob/${storeId}/${key}`)).status).toBe(404);
    expect((await fetched(`/blob/${storeId}/${encodeURIComponent(key)}`)).status).toBe(404);
  });

  it('pictures of products and of people are shown from it', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 });
    await ask('POST', `/products/${product.body.data.id}/images`, form({}, 'files'));
    const shown = await ask<{ images: { url: string }[] }>('GET', `/products/${product.body.data.id}`);
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    const rina = { password: 'a good passphrase', id: userId, nama: 'Rina' };
    commerce.storeAuth.users.set(`${userId}@shop.example`, rina);
    await commerce.call('PUT', '/api/profile', token, { name: 'Rina' });
    const portrait = await commerce.call('POST', '/api/profile/avatar', token, form({}));
    expect(portrait).toMatchObject({ status: 200 });
    const { avatar_url: face } = (portrait.body as { data: { avatar_url: string } }).data;
    const urls = [shown.body.data.images[0]?.url ?? '', face];
    expect(await Promise.all(urls.map(async (url) => bytesOf(await fetch(url))))).toEqual([PNG, PNG]);
  });

  it('documents of an identity check lie there, for whoever gets a link', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const data = { full_name: 'Sari', national_id: '3174012345670001', birth_date: '1990-05-17', address: 'Jakarta' };
    const { id } = (await ask<Kyc>('POST', '/verification', { kind: 'person', data })).body.data;
    expect((await ask('POST', `/verification/${id}/document`, form({ kind: 'id_card' }))).status).toBe(201);
    const [media] = (await ask<Media[]>('GET', '/upload?purpose=document')).body.data;
    expect(await bytesOf(await followed(media?.url ?? null))).toEqual(PNG);
    expect(await statusesInBucket(storeId)).toEqual([403]);
  });

  it('a proof of payment lies there', async () => {
    const shop = await orderShop(commerce, 9);
    const order = (await shop.ask<Order>('POST', '/order', { ...shop.cart(3), payment_method: 'transfer' })).body.data;
    const proof = await shop.ask<Proof>('POST', `/order/${order.id}/payment_proof`, form({ amount: '30000' }));
    expect(proof).toMatchObject({ status: 201 });
    expect(await bytesOf(await followed(proof.body.data.media.url))).toEqual(PNG);
    expect(await statusesInBucket(shop.storeId)).toEqual([403]);
  });

  it('a buyer downloads what they paid for, which is counted once', async () => {
    const { shop, order, links } = await bought();
    const counted = await fetched(links[0] ?? '');
    const file = await followed(counted.headers.get('location'));
    expect([file.headers.get('content-disposition'), await bytesOf(file)]).toEqual([
      ...[`attachment; filename="buku 0.pdf"; filename*=UTF-8''buku%200.pdf`, PDF],
    ]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([1]);
    expect(await statusesInBucket(shop.storeId)).toEqual([403]);
  });

  it('a report lies there', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const span = { from: '2025-05-10', to: '2025-05-10', format: 'csv', report: 'sales' };
    const { id } = (await ask<ExportJob>('POST', '/report/export', span)).body.data;
    const read = async () => (await ask<ExportJob>('GET', `/report/export/${id}`)).body.data;
    const job = await until(read, ({ state }) => state === 'done' || state === 'failed');
    const file = await followed(job.url);
    expect(file.headers.get('content-type')).toMatch('text/csv');
    expect(await file.text()).toMatch(/^key,orders,sales,/);
    expect(await statusesInBucket(storeId)).toEqual([403]);
  });

  it('a file for a message is fetched by whoever is given its address, and read here to go along', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id, url } = await uploaded(ask, 'message');
    const store = openStore(loadConfig(storageSettings, s3.settings));
    stores.push(store);
    const library = new MediaLibrary(commerce.app.database, { store, publicUrl: 'https://shop.example' });
    const file = await library.forMessage(storeId, id);
    if (!file) throw new Error('There is no such file.');
    expect([file.url, await bytesOf(await fetch(file.url)), await library.bytesOf(file)]).toEqual([url, PNG, PNG]);
    await store.delete(file.key);
    await expect(library.bytesOf(file)).rejects.toThrow('File not found');
    expect(await library.forMessage(`${storeId}x`, id)).toBeUndefined();
  });

  it('files that were brought from a disk are served under the addresses that they had', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const [{ key: made } = { key: '' }] = await uploaded(ask, 'logo').then(() => keysOf(storeId));
    const brought = `${uuidv7()}.png`;
    const store = openStore(loadConfig(storageSettings, s3.settings));
    stores.push(store);
    await store.direct?.copy(made, brought, 'image/png');
    await commerce.database.query('UPDATE media SET key = $2 WHERE store_id = $1', [storeId, brought]);
    const answer = await fetched(`/blob/${storeId}/${brought}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(await bytesOf(await fetch(answer.headers.get('location') ?? ''))).toEqual(PNG);
  });

  it('its secret is in no answer and in no line of the log', () => {
    expect(commerce.lines.join('\n')).not.toContain(s3.settings.S3_SECRET_ACCESS_KEY);
    expect(commerce.lines.join('\n')).not.toContain('X-Amz-Signature');
  });
});
