import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { invalid, notHere, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { bearer, useCommerce } from '../../../commerce.fixture';
import { mediaStatements } from '../../media/uploads/media.library';
import type { Media } from '../../media/uploads/uploads.dto';
import type { Product } from '../products/product.dto';
import type { ProductImages } from './images';

const commerce = useCommerce();

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const form = (
  fields: Record<string, string>,
  field = 'file',
  bytes: Buffer | string = PNG,
  name = 'sepatu.png',
  count = 1,
) => {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  for (let at = 0; at < count; at++) data.append(field, new Blob([bytes as string]), name);
  return data;
};
const upload = async (ask: Ask, purpose = 'product'): Promise<Media> =>
  (await ask<Media>('POST', '/upload', form({ purpose }))).body.data;
const newProduct = async (ask: Ask): Promise<string> =>
  (await ask<Product>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 })).body.data.id;

describe('an uploaded file', () => {
  it('is kept, listed, served to everybody under its address, and deleted', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const answer = await ask<Media>('POST', '/upload', form({ purpose: 'product' }));
    const view = {
      ...{
        id: expect.any(String) as string,
        name: 'sepatu.png',
        mime: 'image/png',
        bytes: PNG.length,
        width: null,
        height: null,
      },
      ...{ purpose: 'product', refs: 0, created_at: '2026-03-01T08:00:00.000Z' },
      url: expect.stringMatching(`^https://shop.example/blob/${storeId}/[0-9a-f-]{36}.png$`) as string,
    };
    expect(answer).toEqual(succeeded(201, 'File uploaded', view));
    const { id, url } = answer.body.data;
    expect((await ask('GET', '/upload?purpose=product&mime=image/png')).body).toMatchObject({
      data: [view],
      meta: { total: 1 },
    });
    expect((await ask<[]>('GET', '/upload?purpose=logo')).body.data).toEqual([]);
    const path = new URL(url ?? '').pathname;
    const served = await fetch(commerce.url + path);
    expect([served.status, served.headers.get('content-type'), Buffer.from(await served.arrayBuffer())]).toEqual([
      200,
      'image/png',
      PNG,
    ]);
    expect((await fetch(commerce.url + path.replace(storeId, 'S1'))).status).toBe(404);
    expect(await ask('DELETE', `/upload/${id}`)).toEqual(succeeded(200, 'File deleted', null));
    expect((await fetch(commerce.url + path)).status).toBe(404);
    expect((await ask('DELETE', `/upload/${id}`)).status).toBe(404);
  });

  it('that only some may see has no public address', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await upload(ask, 'document');
    const [row] = await commerce.database.query<{ key: string }>('SELECT key FROM media WHERE store_id = $1', [
      storeId,
    ]);
    expect((await fetch(`${commerce.url}/blob/${storeId}/${row?.key}`)).status).toBe(404);
  });

  it.each([
    ['a renamed program', 'MZ\x90\0'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'],
    ['a page', '<!doctype html><script>x</script>'],
    ['nothing', ''],
  ])('that is %s is refused, whatever its name says', async (_, bytes) => {
    const { ask } = await ownStore(commerce);
    for (const purpose of ['product', 'document', 'digital', 'message'])
      expect(await ask('POST', '/upload', form({ purpose }, 'file', bytes))).toEqual(
        refused(415, 'unsupported_media', 'A file of this type is not accepted here'),
      );
    expect((await ask<[]>('GET', '/upload')).body.data).toEqual([]);
  });

  it('that is too large is 413, one that is missing 422', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const large = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]);
    const { status } = await commerce.post(
      '/api/upload',
      form({ purpose: 'product' }, 'file', large),
      bearer(commerce.storeAuth.userToken({ store_id: storeId })),
    );
    expect(status).toBe(413);
    expect(await ask('POST', '/upload', { purpose: 'product' })).toEqual(invalid('file', 'file is a required field'));
  });

  it("of another store is unknown, and shown by none of one's own products", async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id } = await upload(other.ask);
    expect((await mine.ask('DELETE', `/upload/${id}`)).status).toBe(404);
    expect((await mine.ask<[]>('GET', '/upload')).body.data).toEqual([]);
    expect(await mine.ask('POST', `/products/${await newProduct(mine.ask)}/images`, { media_ids: [id] })).toEqual(
      notHere('media_ids[0]', 'is not a product picture of this store'),
    );
  });
});

describe('the pictures of a product', () => {
  it('are added from the library or with the request, put in order, and removed; the file stays while it is shown', async () => {
    const { ask } = await ownStore(commerce);
    const id = await newProduct(ask);
    const media = await upload(ask);
    const added = await ask<ProductImages>('POST', `/products/${id}/images`, { media_ids: [media.id] });
    const first = { id: expect.any(String) as string, url: media.url, position: 0 };
    expect(added).toEqual(succeeded(201, 'Pictures added', { product_id: id, images: [first] }));
    expect(await ask('DELETE', `/upload/${media.id}`)).toEqual(refused(409, 'in_use', 'The file is in use'));
    const more = await ask<ProductImages>('POST', `/products/${id}/images`, form({}, 'files', PNG, 'b.png', 2));
    const ids = more.body.data.images.map((image) => image.id);
    expect(more.body.data.images.map(({ position }) => position)).toEqual([0, 1, 2]);
    const ordered = await ask<ProductImages>('PUT', `/products/${id}/images/order`, { ids: [...ids].reverse() });
    expect([ordered.status, ordered.body.data.images.map((image) => image.id)]).toEqual([200, [...ids].reverse()]);
    expect((await ask<Product>('GET', `/products/${id}`)).body.data.images).toEqual(ordered.body.data.images);
    expect(await ask('PUT', `/products/${id}/images/order`, { ids: ids.slice(1) })).toEqual(
      invalid('ids', 'ids must name every picture once'),
    );
    const removed = await ask<ProductImages>('DELETE', `/products/${id}/images/${ids[0]}`);
    expect(removed.body.data.images).toHaveLength(2);
    expect((await ask('DELETE', `/products/${id}/images/${ids[0]}`)).status).toBe(404);
    expect((await ask('DELETE', `/upload/${media.id}`)).status).toBe(200);
    const copy = await ask<Product>('POST', `/products/${id}/duplicate`);
    expect(copy.body.data.images).toHaveLength(2);
    const { body } = await ask<Media[]>('GET', '/upload');
    expect(body.data.map(({ refs }) => refs)).toEqual([2, 2]);
  });

  it('are at most twenty, and of one request either files or ids', async () => {
    const { ask } = await ownStore(commerce);
    const id = await newProduct(ask);
    const add = () => ask('POST', `/products/${id}/images`, form({}, 'files', PNG, 'b.png', 8));
    expect([(await add()).status, (await add()).status, (await add()).status]).toEqual([201, 201, 409]);
    expect(await ask('POST', `/products/${id}/images`, {})).toEqual(
      invalid('media_ids', 'media_ids or files are required, not both'),
    );
  });

  it("of another store's product are 404", async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const id = await newProduct(other.ask);
    const { body } = await other.ask<ProductImages>('POST', `/products/${id}/images`, form({}, 'files'));
    const image = body.data.images[0]?.id ?? '';
    const answers = await Promise.all([
      mine.ask('POST', `/products/${id}/images`, { media_ids: [uuidv7()] }),
      mine.ask('PUT', `/products/${id}/images/order`, { ids: [image] }),
      mine.ask('DELETE', `/products/${id}/images/${image}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

it('the library is served by indexes', async () => {
  for (const { text, values } of Object.values(
    mediaStatements(uuidv7(), { purpose: 'product', without: ['proof', 'document'] }),
  ))
    expectNoSeqScan(await explain(commerce.database, text, values), 'media');
});
