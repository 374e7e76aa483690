import { invalid, notHere, ownStore, refused, succeeded, auditedIn } from '../../../asked.fixture';
import { newApiToken, newMember, NOW, useCommerce } from '../../../commerce.fixture';
import { digitalShop, fileForm, PDF } from '../digital.fixture';
import type { DigitalFile } from '../files/files.dto';
import type { DigitalProduct } from './goods.dto';

const commerce = useCommerce();
const text = expect.any(String) as string;
const NONE = { free: 0, held: 0, assigned: 0, revoked: 0 };
const notFound = refused(404, 'not_found', 'Product not found');
const USUAL = { max_downloads: 5, valid_days: 30, needs_key: false };

const shown = {
  ...{ id: text, name: 'Buku Nusa', slug: text, kind: 'digital', status: 'draft', category: null, description: '' },
  ...{ image: null, price_min: 10_000, price_max: 10_000, available: 0, counted: false, weight_g: 0 },
  ...{ created_at: NOW, updated_at: NOW },
};
const whole = {
  ...{ ...shown, options: [], taxable: true, images: [], seo: null, files: [], keys: NONE, delivery: USUAL },
  variants: [
    {
      ...{ id: text, product_id: text, sku: text, barcode: null, option_values: {}, price: 10_000, tiers: [] },
      ...{ compare_at: null, cost: null, weight_g: null, track_stock: false, allow_backorder: false },
      ...{ on_hand: 0, reserved: 0, available: 0, status: 'active' },
    },
  ],
};
const book = { name: 'Buku Nusa', price: 10_000 };

describe('a digital product', () => {
  it('is a product whose stock nobody counts, with the usual terms', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const made = await ask<DigitalProduct>('POST', '/digital-store', book);
    expect(made).toEqual(succeeded(201, 'Product created', whole));
    const { id } = made.body.data;
    expect(await ask('GET', `/digital-store/${id}`)).toEqual(succeeded(200, 'OK', made.body.data));
    expect((await ask<{ kind: string }>('GET', `/products/${id}`)).body.data.kind).toBe('digital');
    const { data, meta } = (await ask('GET', '/digital-store')).body;
    expect({ data, meta }).toEqual({
      data: [{ ...shown, id, delivery: USUAL, files: 0 }],
      meta: { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 },
    });
    expect(await auditedIn(commerce, storeId)).toEqual([expect.stringMatching('^product.write product: ')]);
  });

  it('has the terms that it is given, and keeps those that nobody changes', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const terms = { max_downloads: 1, valid_days: 365, needs_key: true };
    const { id } = (await ask<DigitalProduct>('POST', '/digital-store', { ...book, delivery: terms })).body.data;
    const path = `/digital-store/${id}`;
    const change = async (body: object) => (await ask<DigitalProduct>('PUT', path, body)).body.data;
    expect((await change({ delivery: { valid_days: 7 } })).delivery).toEqual({ ...terms, valid_days: 7 });
    expect(await change({ name: 'Buku Baru', status: 'active' })).toMatchObject({
      ...{ name: 'Buku Baru', status: 'active', delivery: { ...terms, valid_days: 7 } },
    });
    expect(await ask('DELETE', path)).toEqual(succeeded(200, 'Product archived', null));
    expect((await ask<DigitalProduct>('GET', path)).body.data.status).toBe('archived');
    expect((await auditedIn(commerce, storeId)).slice(1)).toEqual([
      'digital.write product: max_downloads, needs_key, valid_days',
      'digital.write product: valid_days',
      'product.write product: name, status',
      'product.write product: status',
    ]);
  });

  it('with variants has each of them untracked unless it asks for a stock', async () => {
    const { ask } = await ownStore(commerce);
    const options = [{ name: 'Bahasa', values: ['ID', 'EN'] }];
    const variants = [
      { price: 1, option_values: { Bahasa: 'ID' } },
      { price: 2, option_values: { Bahasa: 'EN' }, track_stock: true },
    ];
    const made = await ask<DigitalProduct>('POST', '/digital-store', { name: 'Buku', options, variants });
    expect(made.body.data.variants.map(({ price, track_stock }) => [price, track_stock])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  it('that is copied has the terms and the files of the first, and no keys', async () => {
    const shop = await digitalShop(commerce, { keys: ['AAAA-1111'], files: 2, delivery: { valid_days: 3 } });
    const copied = await shop.ask<{ id: string }>('POST', `/products/${shop.product.id}/duplicate`);
    const copy = (await shop.ask<DigitalProduct>('GET', `/digital-store/${copied.body.data.id}`)).body.data;
    expect(copy).toMatchObject({
      ...{ status: 'draft', available: 0, keys: NONE, delivery: { max_downloads: 5, valid_days: 3, needs_key: true } },
      files: [{ media: { name: 'buku 0.pdf', refs: 2 } }, { media: { name: 'buku 1.pdf', refs: 2 } }],
    });
  });

  it('is refused as another kind, without a price, and with terms beyond their bounds', async () => {
    const { ask } = await ownStore(commerce);
    const make = (more: object) => ask('POST', '/digital-store', { ...book, ...more });
    expect(await make({ kind: 'physical' })).toEqual(invalid('kind', 'kind must be digital here'));
    expect(await make({ price: undefined })).toEqual(invalid('price', 'price is a required field'));
    const bounds = [{ max_downloads: 0 }, { max_downloads: 101 }, { valid_days: 366 }, { needs_key: 'x' }, { days: 1 }];
    for (const delivery of bounds) expect((await make({ delivery })).status).toBe(422);
    expect(await make({ category_id: '0199f7a0-0000-7000-8000-000000000001' })).toEqual(
      notHere('category_id', 'is not a category of this store'),
    );
    expect((await ask<object[]>('GET', '/digital-store')).body.data).toEqual([]);
  });

  it('of another store, or of another kind, is not there', async () => {
    const [mine, theirs] = [await digitalShop(commerce), await digitalShop(commerce)];
    const [physical] = await commerce.database.query<{ id: string }>(
      `UPDATE product SET kind = 'physical' WHERE store_id = $1 RETURNING id`,
      [mine.storeId],
    );
    for (const id of [theirs.product.id, physical?.id ?? ''])
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { delivery: { valid_days: 1 } }],
        ['DELETE', '', undefined],
        ['POST', '/files', fileForm('a.pdf', PDF)],
        ['POST', '/license-keys', { keys: ['A'] }],
        ['GET', '/license-keys', undefined],
      ] as const)
        expect({ method, path, ...(await mine.ask(method, `/digital-store/${id}${path}`, body)) }).toEqual({
          ...{ method, path, ...notFound },
        });
    expect((await theirs.ask<DigitalProduct>('GET', `/digital-store/${theirs.product.id}`)).body.data).toMatchObject({
      ...{ status: 'active', delivery: USUAL },
    });
  });

  it('is written by whoever may write digital goods, and nobody else', async () => {
    const { storeId, product } = await digitalShop(commerce);
    const path = `/api/digital-store/${product.id}`;
    const { token: reader } = await newApiToken(commerce, storeId, { abilities: ['product.read', 'product.write'] });
    const { token: writer } = await newApiToken(commerce, storeId, { abilities: ['digital.write'] });
    const status = async (token: string, method: string, at: string, body?: object) =>
      (await commerce.call(method, at, token, body)).status;
    expect([
      await status(reader, 'GET', path),
      await status(reader, 'PUT', path, {}),
      await status(reader, 'GET', `${path}/license-keys`),
      await status(writer, 'PUT', path, {}),
      await status(writer, 'GET', `${path}/license-keys`),
    ]).toEqual([200, 403, 403, 200, 200]);
  });
});

describe('a file of a digital product', () => {
  const media = (name: string, refs = 1) => ({
    ...{ id: text, name, mime: 'application/pdf', bytes: PDF.length, width: null, height: null, purpose: 'digital' },
    ...{ refs, created_at: NOW, url: expect.stringMatching(/^https:\/\/shop\.example\/blob\/[\w.-]+$/) as string },
  });

  it('comes with the request, or was uploaded before; only who may write digital goods gets a link to it', async () => {
    const { ask, storeId, product } = await digitalShop(commerce, { files: 0 });
    const path = `/digital-store/${product.id}`;
    const made = await ask<DigitalFile>('POST', `${path}/files`, fileForm('buku ✓.pdf', PDF));
    expect(made).toEqual(succeeded(201, 'File created', { id: text, media: media('buku ✓.pdf'), created_at: NOW }));
    const form = fileForm('dua.pdf', PDF);
    form.append('purpose', 'digital');
    const { id: media_id } = (await ask<{ id: string }>('POST', '/upload', form)).body.data;
    const second = await ask('POST', `${path}/files`, { media_id });
    expect(second).toEqual(succeeded(201, 'File created', { id: text, media: media('dua.pdf'), created_at: NOW }));
    expect(await ask('POST', `${path}/files`, { media_id: media_id.toUpperCase() })).toEqual(
      refused(409, 'already_attached', 'The product has this file already'),
    );
    expect(await ask('DELETE', `/upload/${media_id}`)).toEqual(refused(409, 'in_use', 'The file is in use'));
    const { files } = (await ask<DigitalProduct>('GET', path)).body.data;
    expect(files.map((file) => file.media)).toEqual([media('buku ✓.pdf'), media('dua.pdf')]);
    const { token } = await newApiToken(commerce, storeId);
    const seen = (await commerce.call('GET', `/api${path}`, token)).body as { data: DigitalProduct };
    expect(seen.data.files.map((file) => file.media.url)).toEqual([null, null]);
  });

  it('of a presigned upload is one once it has arrived', async () => {
    const { ask, product } = await digitalShop(commerce, { files: 0 });
    const announced = { filename: 'kelas.pdf', mime: 'application/pdf', bytes: PDF.length, purpose: 'digital' };
    const made = await ask<{ media_id: string; url: string }>('POST', '/upload/presign', announced);
    const { media_id, url } = made.body.data;
    const attach = () => ask('POST', `/digital-store/${product.id}/files`, { media_id });
    expect(await attach()).toEqual(notHere('media_id', 'is not a digital file of this store'));
    const headers = { 'content-type': 'application/pdf' };
    await fetch(commerce.url + new URL(url).pathname, { method: 'PUT', headers, body: new Uint8Array(PDF) });
    expect(await attach()).toEqual(
      succeeded(201, 'File created', { id: text, media: media('kelas.pdf'), created_at: NOW }),
    );
  });

  it('that nobody has bought goes with its row; another product may have the same file', async () => {
    const { ask, product } = await digitalShop(commerce);
    const path = `/digital-store/${product.id}`;
    const [file] = (await ask<DigitalProduct>('GET', path)).body.data.files;
    const other = (await ask<DigitalProduct>('POST', '/digital-store', book)).body.data;
    const again = await ask<DigitalFile>('POST', `/digital-store/${other.id}/files`, { media_id: file?.media.id });
    expect(again.body.data.media.refs).toBe(2);
    expect(await ask('DELETE', `${path}/files/${file?.id}`)).toEqual(succeeded(200, 'File deleted', null));
    expect(await ask('DELETE', `${path}/files/${file?.id}`)).toEqual(refused(404, 'not_found', 'File not found'));
    expect((await ask<DigitalProduct>('GET', path)).body.data.files).toEqual([]);
    await ask('DELETE', `/digital-store/${other.id}/files/${again.body.data.id}`);
    expect((await ask('DELETE', `/upload/${file?.media.id}`)).status).toBe(200);
  });

  it('is refused when there is none, when there are two, when it is no digital file of the store, and beyond the twentieth', async () => {
    const [mine, theirs] = [await digitalShop(commerce, { files: 0 }), await digitalShop(commerce)];
    const path = `/digital-store/${mine.product.id}/files`;
    const both = fileForm('a.pdf', PDF);
    both.append('media_id', '0199f7a0-0000-7000-8000-000000000001');
    for (const body of [{}, both])
      expect(await mine.ask('POST', path, body)).toEqual(
        invalid('media_id', 'media_id or a file is required, not both'),
      );
    const [{ media: foreign }] = (await theirs.ask<DigitalProduct>('GET', `/digital-store/${theirs.product.id}`)).body
      .data.files as [DigitalFile];
    const form = fileForm('a.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    form.append('purpose', 'product');
    const { id: picture } = (await mine.ask<{ id: string }>('POST', '/upload', form)).body.data;
    for (const media_id of [foreign.id, picture, '0199f7a0-0000-7000-8000-000000000001'])
      expect(await mine.ask('POST', path, { media_id })).toEqual(
        notHere('media_id', 'is not a digital file of this store'),
      );
    expect(await mine.ask('POST', path, fileForm('a.exe', Buffer.from('MZ\x90\x00')))).toEqual(
      refused(415, 'unsupported_media', 'A file of this type is not accepted here'),
    );
    for (let at = 0; at < 20; at += 1) await mine.ask('POST', path, fileForm(`${at}.pdf`, PDF));
    expect(await mine.ask('POST', path, fileForm('last.pdf', PDF))).toEqual(
      refused(409, 'too_many_files', 'A digital product has at most 20 files'),
    );
  });

  it('of which two came at once for one place is one', async () => {
    const { ask, product } = await digitalShop(commerce, { files: 19 });
    const path = `/digital-store/${product.id}`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => ask('POST', `${path}/files`, fileForm(`${at}.pdf`, PDF))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    expect((await ask<DigitalProduct>('GET', path)).body.data.files).toHaveLength(20);
  });
});

it('a member without the ability to see products does not see digital ones either', async () => {
  const { storeId } = await digitalShop(commerce);
  const { token } = await newApiToken(commerce, storeId, { abilities: ['upload.write'] });
  expect((await commerce.call('GET', '/api/digital-store', token)).status).toBe(403);
  const { token: agent } = await newMember(commerce, storeId, 'cs');
  expect((await commerce.call('GET', '/api/digital-store', agent)).status).toBe(200);
});
