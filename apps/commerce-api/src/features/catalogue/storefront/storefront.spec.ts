import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { ownStore, refused, type OwnStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import type { StorefrontProduct } from './storefront.dto';
import { CATEGORIES, CATEGORIES_BELOW, CATEGORY, storefrontListing } from './storefront.sql';

const commerce = useCommerce();

const shown = async (storeId: string, query = '') => {
  const { status, body, headers } = await commerce.call('GET', `/api/store/public/${storeId}/products${query}`);
  return { status, body: body as { data: StorefrontProduct[]; meta: object }, cache: headers.get('cache-control') };
};
const names = async (storeId: string, query = ''): Promise<string[]> =>
  (await shown(storeId, query)).body.data.map(({ name }) => name);
const create = async ({ ask }: OwnStore, product: object): Promise<{ readonly id: string }> => {
  const { status, body } = await ask<{ id: string }>('POST', '/products', {
    weight_g: 100,
    status: 'active',
    ...product,
  });
  expect(status).toBe(201);
  return body.data;
};

describe('the public catalogue', () => {
  it('tells how many one order can have, not what lies in several warehouses', async () => {
    const store = await ownStore(commerce);
    const [main] = (await store.ask<{ id: string }[]>('GET', '/warehouse')).body.data;
    const phone = '6281234567890';
    const given = { name: 'Gudang dua', phone, address: { name: 'x', phone, line: 'Jl. Dago 1' } };
    const second = (await store.ask<{ id: string }>('POST', '/warehouse', given)).body.data;
    const stock = [main, second].map((each, at) => ({ warehouse_id: each?.id, on_hand: 3 - at }));
    await create(store, { name: 'Topi', variants: [{ price: 1000, stock }] });
    const [hat] = (await shown(store.storeId)).body.data;
    expect(hat?.variants.map(({ available }) => available)).toEqual([3]);
  });

  it('shows what is on sale with its prices for everybody, and neither costs nor prices of tags', async () => {
    const store = await ownStore(commerce);
    const { storeId, ask } = store;
    const tag = (await ask<{ id: string }>('POST', '/tag', { name: 'VIP' })).body.data.id;
    const [warehouse] = (await ask<{ id: string }[]>('GET', '/warehouse')).body.data;
    const stock = [{ warehouse_id: warehouse?.id, on_hand: 3 }];
    const tiers = [
      { min_qty: 10, price: 800 },
      { min_qty: 2, price: 1, tag_id: tag },
    ];
    const { id } = await create(store, {
      ...{ name: 'Kaos', description: 'Katun', options: [{ name: 'Ukuran', values: ['M', 'L'] }] },
      variants: [
        { sku: 'K-M', option_values: { Ukuran: 'M' }, price: 1000, compare_at: 1500, cost: 400, tiers, stock },
        { sku: 'K-L', option_values: { Ukuran: 'L' }, price: 1200 },
      ],
    });
    for (const status of ['draft', 'archived']) await create(store, { name: status, price: 1, status });
    const variant = { id: expect.any(String) as string, tiers: [], compare_at: null, in_stock: false, available: 0 };
    const product = {
      ...{ id, name: 'Kaos', slug: 'kaos', kind: 'physical', category: null, description: 'Katun' },
      ...{
        options: [{ name: 'Ukuran', values: ['M', 'L'] }],
        price_min: 1000,
        price_max: 1200,
        in_stock: true,
        images: [],
      },
      variants: [
        {
          ...{ ...variant, sku: 'K-M', option_values: { Ukuran: 'M' }, price: 1000, compare_at: 1500 },
          ...{ tiers: [{ min_qty: 10, price: 800 }], in_stock: true, available: 3 },
        },
        { ...variant, sku: 'K-L', option_values: { Ukuran: 'L' }, price: 1200 },
      ],
    };
    const meta = { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 };
    expect(await shown(storeId)).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data: [product], meta },
      cache: 'public, max-age=30',
    });
    await ask('PUT', '/settings/storefront', { version: 0, show_stock: false });
    const [quiet] = (await shown(storeId)).body.data;
    expect(quiet?.variants.map(({ in_stock, available }) => [in_stock, available])).toEqual([
      [true, null],
      [false, null],
    ]);
  });

  it('is searched, sorted and read by category, those below it included, one store at a time', async () => {
    const [store, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const { ask, storeId } = store;
    const category = async (name: string, parent_id?: string) =>
      (await ask<{ id: string }>('POST', '/category_product', { name, parent_id })).body.data.id;
    const clothes = await category('Pakaian');
    const shirts = await category('Kaos', clothes);
    await create(store, { name: 'Kaos Merah', price: 2000, category_id: shirts });
    await create(store, { name: 'Celana', price: 3000, category_id: clothes });
    await create(store, { name: 'Topi', price: 1000 });
    await create(theirs, { name: 'Kaos Biru', price: 1 });
    expect(await names(storeId, '?sort=price')).toEqual(['Topi', 'Kaos Merah', 'Celana']);
    expect(await names(storeId, '?sort=-name&category=pakaian')).toEqual(['Kaos Merah', 'Celana']);
    expect(await names(storeId, '?category=kaos')).toEqual(['Kaos Merah']);
    expect(await names(storeId, '?category=sepatu')).toEqual([]);
    expect(await names(storeId, '?q=merah%20kaos')).toEqual(['Kaos Merah']);
    expect(await names(storeId, '?sort=price&per_page=1&page=2')).toEqual(['Kaos Merah']);
    expect((await shown(storeId, '?sort=cost')).status).toBe(422);
  });

  it('tells of what has no end that there is some, and never less than none', async () => {
    const store = await ownStore(commerce);
    await create(store, { name: 'Jasa', kind: 'service', variants: [{ sku: 'J', price: 1, track_stock: false }] });
    await create(store, { name: 'Pesanan', variants: [{ sku: 'P', price: 1, allow_backorder: true }] });
    const { data } = (await shown(store.storeId)).body;
    expect(data.map(({ in_stock, variants }) => [in_stock, variants[0]?.available])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it('of a suspended store is not found, nor is that of a slug that nobody has', async () => {
    const { storeId } = await ownStore(commerce);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    for (const slug of [storeId, 'nobody'])
      expect(await shown(slug)).toMatchObject(refused(404, 'not_found', 'Store not found'));
  });

  it('is read by index, whatever is asked for', async () => {
    for (const query of [{}, { q: 'kaos' }, { category: 'kaos' }, { sort: 'price' as const }]) {
      const { rows, count } = storefrontListing.statements(uuidv7(), query);
      for (const { text, values } of [rows, count])
        expectNoSeqScan(await explain(commerce.database, text, [...values]));
    }
    for (const [text, ...more] of [[CATEGORIES], [CATEGORIES_BELOW, uuidv7()], [CATEGORY, 'kaos']] as const)
      expectNoSeqScan(await explain(commerce.database, text, [uuidv7(), ...more]));
  });
});
