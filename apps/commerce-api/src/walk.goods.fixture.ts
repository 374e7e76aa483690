import { until } from '@platform/testing';
import { csvForm, pictureForm, type Made, type Story } from './walk.fixture';

interface Product extends Made {
  readonly variants: readonly Made[];
}

const hats = {
  ...{ name: 'Topi Nusa', description: 'Katun, bisa dicuci.', weight_g: 120 },
  options: [{ name: 'Warna', values: ['Hitam', 'Putih', 'Merah'] }],
  variants: [{ sku: 'TOPI-HITAM', option_values: { Warna: 'Hitam' }, price: 75_000, cost: 40_000 }],
};

const categories = async ({ tell, ask }: Story): Promise<Made> => {
  const category = await tell('POST /api/category_product', { name: 'Topi' });
  await tell('PUT /api/category_product/{id}', { name: 'Topi dan visor' }, category.id);
  await tell('PUT /api/category_product/order', { items: [{ id: category.id, position: 0 }] });
  const empty = await ask('POST /api/category_product', { name: 'Obral' });
  await tell('DELETE /api/category_product/{id}', undefined, empty.id);
  return category;
};

const pictures = async ({ tell, ask }: Story, product: string): Promise<void> => {
  const file = await tell('POST /api/upload', pictureForm('file', 'topi.jpg', { purpose: 'product' }));
  const media_ids = [file.id];
  await tell('POST /api/upload/presign', {
    ...{ filename: 'kelas-1.mp4', mime: 'video/mp4', bytes: 73_400_320, purpose: 'digital' },
  });
  await tell('GET /api/upload', { purpose: 'product' });
  const { images } = await tell<{ images: Made[] }>('POST /api/products/{id}/images', { media_ids }, product);
  const ids = images.map(({ id }) => id);
  await tell('PUT /api/products/{id}/images/order', { ids }, product);
  const spare = await ask<{ images: Made[] }>('POST /api/products/{id}/images', { media_ids }, product);
  await tell('DELETE /api/products/{id}/images/{imageId}', undefined, product, spare.images.at(-1)?.id ?? '');
  const unused = await ask('POST /api/upload', pictureForm('file', 'lama.jpg', { purpose: 'product' }));
  await tell('DELETE /api/upload/{id}', undefined, unused.id);
};

const variants = async ({ tell, ask }: Story, product_id: string): Promise<void> => {
  const white = { option_values: { Warna: 'Putih' }, price: 75_000 };
  const added = await tell('POST /api/variant_product', { product_id, sku: 'TOPI-PUTIH', ...white });
  const barcode = '8991234567890';
  await tell('PUT /api/variant_product/{id}', { barcode, compare_at: 90_000, cost: 40_000 }, added.id);
  await tell('GET /api/variant_product/sku/{sku}', undefined, barcode);
  const { options } = hats;
  const [red] = await tell<Made[]>('POST /api/variant_product/generate', {
    ...{ product_id, options, base: { price: 75_000 } },
  });
  await tell('DELETE /api/variant_product/{id}', undefined, red?.id ?? '');
  await tell('GET /api/variant_product', { product_id });
  await ask('PUT /api/products/{id}/status', { status: 'active' }, product_id);
};

/** The shop begins to sell hats. Returns its default warehouse, and the black ones. */
export const sellGoods = async (story: Story): Promise<{ readonly warehouse: string; readonly hat: string }> => {
  const { tell, ask } = story;
  const { id: category_id } = await categories(story);
  const product = await tell<Product>('POST /api/products', { ...hats, category_id });
  const { id } = product;
  await tell('PUT /api/products/{id}', { seo: { title: 'Topi lari katun' } }, id);
  await tell('PUT /api/products/{id}/status', { status: 'active' }, id);
  await variants(story, id);
  await pictures(story, id);
  const [place] = await ask<Made[]>('GET /api/warehouse');
  const [variant_id = '', warehouse_id = ''] = [product.variants[0]?.id, place?.id];
  await ask('POST /api/products/{id}/stock-adjustment', { variant_id, warehouse_id, delta: 20, reason: 'found' }, id);
  const damaged = { variant_id, warehouse_id, delta: -1, reason: 'damage', note: 'Kena air' };
  await tell('POST /api/products/{id}/stock-adjustment', damaged, id);
  await tell('GET /api/products/{id}/stock-movements', undefined, id);
  await tell('GET /api/products/{id}', undefined, id);
  await tell('GET /api/category_product');
  const copy = await tell('POST /api/products/{id}/duplicate', undefined, id);
  await tell('POST /api/products/bulk-update', { ids: [copy.id], set: { price: { op: 'percent', value: 10 } } });
  await tell('DELETE /api/products/{id}', undefined, copy.id);
  return { warehouse: warehouse_id, hat: variant_id };
};

const IMPORTS = {
  products: [
    'sku,name,price,weight_g',
    'KAOS-M,Kaos Nusa M,60000,200',
    'KAOS-L,Kaos Nusa L,60000,220',
    'KAOS-XL,Kaos Nusa XL,enam,',
  ],
  contact: ['name,phone', 'Ani Wijaya,081299887766', 'Dewi Lestari,081299887755', 'Joko,nol delapan'],
};

/** Lists that the shop had before, with a mistake in each. */
export const importLists = async ({ tell, ask }: Story): Promise<void> => {
  for (const [kind, rows] of Object.entries(IMPORTS)) {
    const job = await tell(`POST /api/${kind}/import`, csvForm(rows));
    const state = async () =>
      (await ask<{ state: string }>(`GET /api/${kind}/import/{jobId}`, undefined, job.id)).state;
    await ask(`POST /api/${kind}/import`, { job_id: job.id, commit: true });
    await until(async () => (await state()) === 'done');
    await tell(`GET /api/${kind}/import/{jobId}`, undefined, job.id);
  }
};

const place = { line: 'Jl. Merdeka 7', city: 'Bandung', postcode: '40111' };

/** A second warehouse, what is sent to it and counted there. */
export const keepStock = async ({ tell, ask }: Story, warehouse: string, hat: string): Promise<void> => {
  const body = { name: 'Gudang Bandung', phone: '6281234567890', address: place };
  const second = await tell('POST /api/warehouse', body);
  await tell('PUT /api/warehouse/{id}', { ...body, name: 'Gudang Dago' }, second.id);
  const lines = [{ variant_id: hat, qty: 5 }];
  const transfer = await tell('POST /api/warehouse/transfer', { from_id: warehouse, to_id: second.id, lines });
  await tell('GET /api/warehouse/transfer', { status: 'in_transit' });
  const received = { lines: [{ variant_id: hat, received: 4 }] };
  await tell('POST /api/warehouse/transfer/{id}/receive', received, transfer.id);
  await tell(
    'PUT /api/warehouse/{id}/stock',
    { lines: [{ variant_id: hat, counted: 3 }], note: 'Opname Maret' },
    second.id,
  );
  await tell('GET /api/warehouse/{id}/stock', undefined, second.id);
  await tell('PUT /api/warehouse/{id}/default', undefined, second.id);
  await ask('PUT /api/warehouse/{id}/default', undefined, warehouse);
  await tell('GET /api/warehouse');
  const empty = await ask('POST /api/warehouse', { ...body, name: 'Gudang lama' });
  await tell('DELETE /api/warehouse/{id}', undefined, empty.id);
};
