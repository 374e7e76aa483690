import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { bearer, newMember, newStore, statementsOfRequests, useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import { LOOK } from './bulk-update';
import type { BulkResult, Product } from './product.dto';
import { withoutHtml } from './product.rules';
import { BY_ID } from './product.sql';
import { movementListing } from './product-stock';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const hat = { name: 'Topi Nusa', price: 75_000, weight_g: 120 };
const shirt = {
  name: 'Kaos Nusa',
  weight_g: 200,
  options: [{ name: 'Warna', values: ['Merah', 'Biru'] }],
  variants: [
    { sku: 'KAOS-M', option_values: { Warna: 'Merah' }, price: 90_000, cost: 40_000, barcode: '899001' },
    {
      sku: 'KAOS-B',
      option_values: { Warna: 'Biru' },
      price: 95_000,
      compare_at: 120_000,
      tiers: [{ min_qty: 6, price: 80_000 }],
    },
  ],
};
const create = async (ask: Ask, product: object): Promise<Product> =>
  (await ask<Product>('POST', '/products', product)).body.data;
const warehouseOf = async (storeId: string): Promise<string> => {
  const [row] = await commerce.database.query<{ id: string }>('SELECT id FROM warehouse WHERE store_id = $1', [
    storeId,
  ]);
  return row?.id ?? '';
};
const anyId = expect.any(String) as string;
const plain = {
  ...{ id: anyId, product_id: anyId, sku: expect.stringMatching(/^TOPI-NUSA-[0-9A-F]{6}$/) as string, barcode: null },
  ...{ option_values: {}, price: 75_000, tiers: [], compare_at: null, cost: null, weight_g: null, track_stock: true },
  ...{ allow_backorder: false, on_hand: 0, reserved: 0, available: 0, status: 'active' },
};

it('a product is copied though its SKU has an emoji where the copy’s ends', async () => {
  const { ask } = await ownStore(commerce);
  const { id } = await create(ask, { ...hat, price: undefined, variants: [{ sku: `${'A'.repeat(56)}😀`, price: 1 }] });
  const copied = await ask<Product>('POST', `/products/${id}/duplicate`);
  expect([copied.status, copied.body.data.variants[0]?.sku]).toEqual([
    201,
    expect.stringMatching(/^A{56}😀-[0-9A-F]{6}$/),
  ]);
});

it.each([
  ['one <b>two</b> three', 'one two three'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<<b>script>x', 'script>x'],
  // To look for the end of each of them would take as long as the square of the text
  ['1 <a<a<b>c', '1 aac'],
  ['<a'.repeat(10_000), 'a'.repeat(10_000)],
])('of %.20s nothing is left that is HTML', (text, left) => expect(withoutHtml(text)).toBe(left));

describe('a product', () => {
  it('with one price has one variant, and is read, changed, published and archived, which the audit log tells', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const created = await ask<Product>('POST', '/products', {
      ...hat,
      description: 'Ringan <b>sekali</b><script>x</script>',
    });
    const view = {
      ...{ id: anyId, name: 'Topi Nusa', slug: 'topi-nusa', kind: 'physical', status: 'draft', category: null },
      ...{
        description: 'Ringan sekalix',
        price_min: 75_000,
        price_max: 75_000,
        available: 0,
        counted: true,
        weight_g: 120,
      },
      ...{ created_at: '2026-03-01T08:00:00.000Z', updated_at: '2026-03-01T08:00:00.000Z', options: [], taxable: true },
      ...{ images: [], image: null, seo: null, variants: [plain] },
    };
    expect(created).toEqual(succeeded(201, 'Product created', view));
    const { id } = created.body.data;
    expect(await ask('GET', `/products/${id}`)).toEqual(succeeded(200, 'OK', view));
    expect(await ask('PUT', `/products/${id}/status`, { status: 'active' })).toEqual(
      succeeded(200, 'Product updated', { ...view, status: 'active' }),
    );
    const change = { name: 'Topi Baru', slug: 'topi-baru', taxable: false, seo: { title: 'Topi' } };
    expect(await ask('PUT', `/products/${id}`, change)).toEqual(
      succeeded(200, 'Product updated', { ...view, ...change, status: 'active' }),
    );
    expect(await ask('DELETE', `/products/${id}`)).toEqual(succeeded(200, 'Product archived', null));
    expect((await ask<Product>('GET', `/products/${id}`)).body.data.status).toBe('archived');
    expect((await ask<[]>('GET', '/products?q=baru&status=archived')).body.data).toHaveLength(1);
    expect(await auditedIn(commerce, storeId)).toEqual([
      expect.stringContaining('product.write product: available, category, counted, created_at, description'),
      'product.write product: status',
      'product.write product: name, seo, slug, taxable',
      'product.write product: status',
    ]);
  });

  it('with options has its variants with their opening stock, explained by movements', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const stock = [{ warehouse_id: await warehouseOf(storeId), on_hand: 4 }];
    const [red, blue] = shirt.variants;
    const product = await create(ask, { ...shirt, status: 'active', variants: [{ ...red, stock }, blue] });
    expect(product).toMatchObject({ price_min: 90_000, price_max: 95_000, available: 4 });
    expect(product.variants).toEqual([
      { ...plain, ...red, on_hand: 4, available: 4 },
      { ...plain, ...blue },
    ]);
    const { body } = await ask('GET', `/products/${product.id}/stock-movements`);
    expect(body).toMatchObject({ data: [{ reason: 'count', delta_on_hand: 4 }], meta: { next_cursor: null } });
  });

  it('shows its costs only to those who may see them', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = await create(ask, shirt);
    const costs = async (token: string, more = {}) => {
      const { body } = await commerce.get(`/api/products/${id}`, bearer(token, more));
      return (body as { data: Product }).data.variants.map(({ cost }) => cost);
    };
    const { token } = await newMember(commerce, storeId, 'cs');
    expect(await costs(token)).toEqual([undefined, undefined]);
    expect(await costs(commerce.storeAuth.serviceToken('bot-engine'), { 'x-store-id': storeId })).toEqual([
      undefined,
      undefined,
    ]);
    expect(await costs(commerce.storeAuth.userToken({ store_id: storeId }))).toEqual([40_000, null]);
  });

  const twice = [shirt.variants[0], shirt.variants[0]];
  it.each<[string, object, string, string]>([
    ['without a price', { ...hat, price: undefined }, 'price', 'price is a required field'],
    ['with a price and variants', { ...shirt, price: 1 }, 'variants', 'variants must not be given together with price'],
    ['that is shipped, without a weight', { ...hat, weight_g: undefined }, 'weight_g', 'weight_g is a required field'],
    [
      'with a price before that is lower',
      { ...shirt, variants: [{ ...shirt.variants[0], compare_at: 90_000 }] },
      'variants.0.compare_at',
      'variants[0].compare_at must be greater than price',
    ],
    [
      'with a value that is no option',
      { ...shirt, variants: [{ price: 1, option_values: { Warna: 'Hijau' } }] },
      'variants.0.option_values',
      'variants[0].option_values must have one value of each of [Warna]',
    ],
    [
      'with one combination twice',
      { ...shirt, variants: twice },
      'variants.1.option_values',
      'variants[1].option_values are given twice',
    ],
    [
      'with an option twice',
      { ...shirt, options: [...shirt.options, ...shirt.options] },
      'options.1.name',
      'options[1].name is given twice',
    ],
    ['with a price that is text', { ...hat, price: '75000' }, 'price', 'price must be an integer'],
  ])('%s is refused, naming the field', async (_, product, field, message) => {
    const { ask } = await ownStore(commerce);
    const { status, body } = await ask('POST', '/products', product);
    expect({ status, errors: (body as unknown as { errors: object }).errors }).toMatchObject({
      status: 422,
      errors: { [field]: [message] },
    });
  });

  it('keeps its slug and SKUs to itself; a store beside it may have the same', async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    await create(mine.ask, { ...shirt, slug: 'kaos' });
    expect(await mine.ask('POST', '/products', { ...hat, slug: 'kaos' })).toEqual(
      refused(409, 'slug_taken', 'The slug is taken'),
    );
    expect(await mine.ask('POST', '/products', { ...shirt, slug: 'lain' })).toEqual(
      refused(409, 'sku_taken', 'The SKU is taken'),
    );
    expect((await mine.ask('GET', '/products')).body.meta).toMatchObject({ total: 1 });
    expect((await other.ask('POST', '/products', { ...shirt, slug: 'kaos' })).status).toBe(201);
    const again = await Promise.all(Array.from({ length: 4 }, () => create(mine.ask, hat)));
    expect(new Set(again.map(({ slug }) => slug)).size).toBe(4);
  });

  it('cannot be on sale without a weight, and its options cannot leave a variant behind', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await create(ask, { ...hat, weight_g: 0 });
    expect(await ask('PUT', `/products/${id}/status`, { status: 'active' })).toEqual(
      invalid('weight_g', 'weight_g is needed to publish what is shipped'),
    );
    const { id: kaos } = await create(ask, shirt);
    expect(await ask('PUT', `/products/${kaos}`, { options: [{ name: 'Warna', values: ['Merah'] }] })).toEqual(
      invalid('options', 'options must have the values of every variant on sale'),
    );
  });

  it('is copied as a draft without stock, under slugs and SKUs of its own', async () => {
    const { ask } = await ownStore(commerce, [{ name: 'Topi', sku: 'TOPI', stock: 5 }]);
    const { body } = await ask<Product[]>('GET', '/products');
    const copies = await Promise.all(
      [1, 2, 3].map(() => ask<Product>('POST', `/products/${body.data[0]?.id}/duplicate`)),
    );
    expect(copies.map(({ status }) => status)).toEqual([201, 201, 201]);
    const made = copies.map((copy) => copy.body.data).sort((one, two) => one.slug.localeCompare(two.slug));
    expect(made.map(({ slug, status, available, name }) => [slug, status, available, name])).toEqual(
      [1, 2, 3].map((n) => [`topi-copy-${n}`, 'draft', 0, 'Topi']),
    );
    expect(new Set(made.flatMap(({ variants }) => variants.map(({ sku }) => sku))).size).toBe(3);
  });

  it('of two hundred variants takes as many statements as one of two', async () => {
    const { ask } = await ownStore(commerce);
    const values = Array.from({ length: 50 }, (_, n) => `v${n}`);
    const options = [
      { name: 'a', values },
      { name: 'b', values: ['1', '2', '3', '4'] },
    ];
    const all = values.flatMap((a) => ['1', '2', '3', '4'].map((b) => ({ price: 1_000, option_values: { a, b } })));
    const made = (name: string, variants: object[]) =>
      statementsOfRequests(commerce, async () => {
        // What others ask meanwhile is not counted
        await Promise.all([
          create(ask, { name, weight_g: 1, options, variants }),
          commerce.app.database.query('SELECT 1'),
        ]);
      });
    await made('first', all.slice(0, 2));
    const [few, many] = [await made('second', all.slice(2, 4)), await made('third', all)];
    expect([many, few > 4 && many < 15]).toEqual([few, true]);
  });

  it('is read with its variants by one statement, besides the one that finds who asks', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await create(ask, shirt);
    expect(await statementsOfRequests(commerce, () => ask('GET', `/products/${id}`))).toBe(2);
  });

  it('of another store is 404 in every route, and is not changed', async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id, variants } = await create(other.ask, shirt);
    const line = {
      variant_id: variants[0]?.id,
      warehouse_id: await warehouseOf(mine.storeId),
      delta: 1,
      reason: 'found',
    };
    const calls: [string, string, unknown?][] = [
      ['GET', `/products/${id}`],
      ['PUT', `/products/${id}`, { name: 'x' }],
      ['DELETE', `/products/${id}`],
      ['POST', `/products/${id}/duplicate`],
      ['PUT', `/products/${id}/status`, { status: 'draft' }],
      ['POST', `/products/${id}/stock-adjustment`, line],
      ['GET', `/products/${id}/stock-movements`],
    ];
    const answers = await Promise.all(calls.map(([method, path, sent]) => mine.ask(method, path, sent)));
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 404));
    const { body } = await mine.ask<BulkResult>('POST', '/products/bulk-update', {
      ids: [id],
      set: { status: 'archived' },
    });
    expect(body.data).toEqual({ changed: [], failed: [{ id, code: 'not_found' }] });
    expect((await other.ask<Product>('GET', `/products/${id}`)).body.data).toMatchObject({
      name: 'Kaos Nusa',
      status: 'draft',
    });
  });
});

describe('a correction of stock', () => {
  it('adds, takes or sets, and stands in the history under its reason', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id, variants } = await create(ask, hat);
    const place = { variant_id: variants[0]?.id, warehouse_id: await warehouseOf(storeId) };
    const adjust = (more: object) => ask('POST', `/products/${id}/stock-adjustment`, { ...place, ...more });
    expect(await adjust({ delta: 5, reason: 'found', note: 'Di rak' })).toMatchObject(
      succeeded(200, 'Stock corrected', { ...place, delta_on_hand: 5, reason: 'found', note: 'Di rak', ref: null }),
    );
    await adjust({ delta: -1, reason: 'damage' });
    await adjust({ on_hand: 3, reason: 'adjust' });
    const page = async (query: string) => {
      const { body } = await ask<{ reason: string; delta_on_hand: number }[]>(
        'GET',
        `/products/${id}/stock-movements?${query}`,
      );
      return {
        told: body.data.map((row) => `${row.reason} ${row.delta_on_hand}`),
        next: (body.meta as { next_cursor: string | null }).next_cursor,
      };
    };
    const first = await page('limit=2');
    const second = await page(`limit=2&cursor=${first.next}`);
    expect([first.told, second]).toEqual([['adjust -1', 'damage -1'], { told: ['found 5'], next: null }]);
    expect((await page('reason=damage')).told).toEqual(['damage -1']);
    expect(await adjust({ on_hand: 3, reason: 'adjust' })).toEqual(invalid('on_hand', 'on_hand must change the stock'));
    expect(await adjust({ delta: 1, on_hand: 3, reason: 'adjust' })).toEqual(
      invalid('delta', 'delta or on_hand is required, not both'),
    );
    expect(await adjust({ delta: -4, reason: 'damage' })).toMatchObject({
      status: 409,
      body: { code: 'below_reserved' },
    });
  });
});

describe('a request that is sent again under its key', () => {
  it('corrects stock by a difference once, and raises prices once', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id, variants } = await create(ask, hat);
    const place = { variant_id: variants[0]?.id, warehouse_id: await warehouseOf(storeId) };
    const raise = { ids: [id], set: { price: { op: 'percent', value: 10 } } };
    const twice = async (path: string, body: object) => {
      const answers = [await ask('POST', path, body, path), await ask('POST', path, body, path)];
      expect([answers[0]?.status, answers[1]]).toEqual([200, answers[0]]);
    };
    await twice(`/products/${id}/stock-adjustment`, { ...place, delta: 5, reason: 'found' });
    await twice('/products/bulk-update', raise);
    const [before, now] = [variants[0]?.price ?? 0, (await ask<Product>('GET', `/products/${id}`)).body.data];
    expect(now.variants[0]?.price).toBe(before * 1.1);
    expect((await ask('GET', `/products/${id}/stock-movements`)).body.data).toHaveLength(1);
  });
});

describe('a bulk update', () => {
  it('changes what it can and tells what it could not', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const good = await create(ask, shirt);
    const light = await create(ask, { ...hat, weight_g: 0 });
    const missing = uuidv7();
    const { body } = await ask<BulkResult>('POST', '/products/bulk-update', {
      ids: [good.id, light.id, missing, 'x', good.id.toUpperCase()],
      set: { price: { op: 'percent', value: 10 }, status: 'active' },
    });
    expect(body.data).toEqual({
      changed: [good.id],
      failed: [
        { id: light.id, code: 'not_publishable' },
        { id: missing, code: 'not_found' },
        { id: 'x', code: 'not_found' },
      ],
    });
    expect((await auditedIn(commerce, storeId)).at(-1)).toBe('product.write products: ids, set');
    const now = (await ask<Product>('GET', `/products/${good.id}`)).body.data;
    expect([now.status, now.variants.map(({ price }) => price)]).toEqual(['active', [99_000, 104_500]]);
  });

  it.each([
    ['to less than nothing', { op: 'add', value: -90_001 }],
    ['to more than the price before', { op: 'set', value: 120_000 }],
  ])('does not change a price %s', async (_, price) => {
    const { ask } = await ownStore(commerce);
    const { id } = await create(ask, shirt);
    const { body } = await ask<BulkResult>('POST', '/products/bulk-update', { ids: [id], set: { price } });
    expect(body.data).toEqual({ changed: [], failed: [{ id, code: 'price_out_of_range' }] });
  });

  it('of nothing, or by nonsense, is refused', async () => {
    const { ask } = await ownStore(commerce);
    const set = (more: object) => ask('POST', '/products/bulk-update', { ids: [uuidv7()], set: more });
    expect(await set({})).toEqual(invalid('set', 'set must change something'));
    expect(await set({ price: { op: 'percent', value: -101 } })).toEqual(
      invalid('set.price.value', 'set.price.value must be from -100 to 1000'),
    );
  });
});

it('the statements of one product are served by indexes', async () => {
  const [store, id] = [await newStore(commerce), uuidv7()];
  const cases: [string, unknown[]][] = [
    [BY_ID, [store, id]],
    [LOOK, [store, [id], 'percent', 10]],
    ...Object.values(movementListing.statements(store, { product: id })).map(
      ({ text, values }): [string, unknown[]] => [text, [...values]],
    ),
  ];
  for (const [text, values] of cases)
    expectNoSeqScan(await explain(commerce.database, text, values), 'product', 'variant', 'stock_movement');
});
