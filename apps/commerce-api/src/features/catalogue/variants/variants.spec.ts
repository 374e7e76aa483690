import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type Ask } from '../../../asked.fixture';
import { newApiToken, useCommerce } from '../../../commerce.fixture';
import type { Product } from '../products/product.dto';
import type { Variant } from './variants.dto';
import { BY_CODE, OF_PRODUCT } from './variants.sql';

const commerce = useCommerce();

const options = [{ name: 'Warna', values: ['Merah', 'Biru'] }];
const shirt = async (ask: Ask): Promise<Product> => {
  const variants = [{ sku: 'KAOS-M', option_values: { Warna: 'Merah' }, price: 90_000, barcode: '899001' }];
  return (await ask<Product>('POST', '/products', { name: 'Kaos', weight_g: 200, options, variants })).body.data;
};
const of = async (ask: Ask, product: string): Promise<Variant[]> =>
  (await ask<Variant[]>('GET', `/variant_product?product_id=${product}`)).body.data;

it('a product is found by what one can choose of it now', async () => {
  const { ask } = await ownStore(commerce);
  const { id } = await shirt(ask);
  const finds = async (q: string) => {
    const { data, meta } = (await ask<object[]>('GET', `/products?q=${q}`)).body as { data: object[]; meta?: object };
    // Where no product has every word, those are shown that are near
    return data.length > 0 && !('fuzzy' in (meta ?? {}));
  };
  expect([await finds('kaos%20merah'), await finds('biru')]).toEqual([true, false]);
  const blue = { product_id: id, option_values: { Warna: 'Biru' }, price: 95_000 };
  const added = await ask<Variant>('POST', '/variant_product', blue);
  expect([await finds('kaos%20biru'), await finds('merah')]).toEqual([true, true]);
  const chosen = async (q: string) =>
    (await ask<Variant[]>('GET', `/products?view=variants&q=${q}`)).body.data.map(({ sku }) => sku);
  expect(await chosen('kaos%20biru')).toEqual([added.body.data.sku]);
  // A size in inches, as people write it: with the sign that JSON escapes
  const screen = { name: 'Layar', weight_g: 1, options: [{ name: 'Ukuran', values: ['14"', '15"'] }] };
  const variants = ['14"', '15"'].map((Ukuran, n) => ({ sku: `LAYAR-${n}`, option_values: { Ukuran }, price: 1_000 }));
  await ask('POST', '/products', { ...screen, variants });
  expect(await chosen('layar%2014%22')).toEqual(['LAYAR-0']);
  await ask('DELETE', `/variant_product/${added.body.data.id}`);
  expect([await finds('biru'), await finds('merah')]).toEqual([false, true]);
});

it('costs are set by who may see them, whatever else somebody may write', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { id, variants } = await shirt(ask);
  const { token } = await newApiToken(commerce, storeId, { abilities: ['product.write', 'product.read'] });
  const answer = async (method: string, path: string, body: object) => {
    const { status, body: told } = await commerce.call(method, `/api${path}`, token, body);
    return [status, (told as { ability?: string }).ability];
  };
  const blue = { sku: 'B', option_values: { Warna: 'Biru' }, price: 1 };
  const refusal = [403, 'product.cost'];
  const of = { name: 'Topi', weight_g: 1 };
  expect(await answer('POST', '/products', { ...of, variants: [{ price: 1, cost: 1 }] })).toEqual(refusal);
  expect(await answer('POST', '/variant_product', { product_id: id, ...blue, cost: 1 })).toEqual(refusal);
  expect(await answer('PUT', `/variant_product/${variants[0]?.id}`, { cost: 1 })).toEqual(refusal);
  expect(await answer('POST', '/products', { ...of, variants: [{ price: 1 }] })).toEqual([201, undefined]);
  expect(await answer('POST', '/variant_product', { product_id: id, ...blue })).toEqual([201, undefined]);
  expect(await answer('PUT', `/variant_product/${variants[0]?.id}`, { price: 1 })).toEqual([200, undefined]);
});

describe('a variant', () => {
  it('is added, found by SKU and barcode, changed and archived, but never the last one', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id, variants } = await shirt(ask);
    const added = await ask<Variant>('POST', '/variant_product', {
      product_id: id,
      sku: '899001-B',
      option_values: { Warna: 'Biru' },
      price: 95_000,
    });
    const view = {
      ...{
        id: expect.any(String) as string,
        product_id: id,
        sku: '899001-B',
        barcode: null,
        option_values: { Warna: 'Biru' },
      },
      ...{
        price: 95_000,
        tiers: [],
        compare_at: null,
        cost: null,
        weight_g: null,
        track_stock: true,
        allow_backorder: false,
      },
      ...{ on_hand: 0, reserved: 0, available: 0, status: 'active' },
    };
    expect(added).toEqual(succeeded(201, 'Variant created', view));
    expect(await of(ask, id)).toEqual([variants[0], view]);
    expect((await ask('GET', '/variant_product/sku/899001')).body.data).toEqual(variants[0]);
    const blue = added.body.data.id;
    const change = {
      price: 99_000,
      compare_at: 120_000,
      barcode: '899002',
      tiers: [{ min_qty: 3, price: 90_000 }],
      cost: 50_000,
    };
    expect(await ask('PUT', `/variant_product/${blue}`, change)).toEqual(
      succeeded(200, 'Variant updated', { ...view, ...change }),
    );
    expect((await ask<[]>('GET', '/products?q=899002')).body.data).toHaveLength(1);
    expect(await ask('DELETE', `/variant_product/${blue}`)).toEqual(succeeded(200, 'Variant archived', null));
    expect(await ask('DELETE', `/variant_product/${variants[0]?.id}`)).toEqual(
      refused(409, 'last_variant', 'A product keeps at least one variant'),
    );
    expect((await ask('GET', '/variant_product/sku/899002')).status).toBe(404);
    expect((await auditedIn(commerce, storeId)).slice(1)).toEqual([
      expect.stringMatching(/^product.write variant: .*sku/),
      'product.write variant: barcode, compare_at, cost, price, tiers',
      expect.stringMatching(/^product.write variant: .*sku/),
    ]);
    expect((await ask<[]>('GET', '/products?q=899002')).body.meta).toMatchObject({ fuzzy: true });
  });

  it('of a combination or SKU that is taken is refused', async () => {
    const { ask } = await ownStore(commerce);
    const { id, variants } = await shirt(ask);
    const add = (more: object) => ask('POST', '/variant_product', { product_id: id, price: 1, ...more });
    expect(await add({ option_values: { Warna: 'Merah' } })).toEqual(
      refused(409, 'options_taken', 'There is such a variant already'),
    );
    expect(await add({ option_values: { Warna: 'Biru' }, sku: 'KAOS-M' })).toEqual(
      refused(409, 'sku_taken', 'The SKU is taken'),
    );
    expect(await ask('PUT', `/variant_product/${variants[0]?.id}`, { compare_at: 1 })).toEqual(
      invalid('compare_at', 'compare_at must be greater than price'),
    );
    const twins = await Promise.all([1, 2, 3].map(() => add({ option_values: { Warna: 'Biru' } })));
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('passes on to its levels whether it may be backordered', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ sku: 'A', stock: 2 }]);
    const { body } = await ask<Variant>('GET', '/variant_product/sku/A');
    const allow = (allow_backorder: boolean) => ask('PUT', `/variant_product/${body.data.id}`, { allow_backorder });
    const levels = () =>
      commerce.database.query('SELECT allow_backorder FROM stock_level WHERE store_id = $1', [storeId]);
    await allow(true);
    expect(await levels()).toEqual([{ allow_backorder: true }]);
    await commerce.database.query('UPDATE stock_level SET reserved = 3 WHERE store_id = $1', [storeId]);
    expect(await allow(false)).toEqual(
      invalid('allow_backorder', 'allow_backorder must stay while orders have reserved more than there is'),
    );
    expect(await levels()).toEqual([{ allow_backorder: true }]);
  });

  it('of another store is unknown, by id, SKU, barcode and product', async () => {
    const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
    const { id, variants } = await shirt(other.ask);
    const variant = `/variant_product/${variants[0]?.id}`;
    const answers = await Promise.all([
      mine.ask('PUT', variant, { price: 1 }),
      mine.ask('DELETE', variant),
      mine.ask('GET', '/variant_product/sku/KAOS-M'),
      mine.ask('GET', '/variant_product/sku/899001'),
      mine.ask('GET', `/variant_product?product_id=${id}`),
      mine.ask('POST', '/variant_product', { product_id: id, price: 1 }),
      mine.ask('POST', '/variant_product/generate', { product_id: id, options, base: { price: 1 } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await of(other.ask, id)).toEqual(variants);
  });
});

describe('generating variants', () => {
  it('adds the combinations that are missing, and its options to the product', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await shirt(ask);
    const generate = (values: string[]) =>
      ask<Variant[]>('POST', '/variant_product/generate', {
        product_id: id,
        options: [{ name: 'Warna', values }],
        base: { price: 80_000, weight_g: 150 },
      });
    const first = await generate(['Merah', 'Biru', 'Hijau']);
    const told = (variants: Variant[]) =>
      variants.map(({ option_values, price, weight_g }) => [option_values, price, weight_g]);
    expect([first.status, told(first.body.data)]).toEqual([
      201,
      [
        [{ Warna: 'Biru' }, 80_000, 150],
        [{ Warna: 'Hijau' }, 80_000, 150],
      ],
    ]);
    expect((await generate(['Merah', 'Biru', 'Hijau'])).body.data).toEqual([]);
    expect((await ask<Product>('GET', `/products/${id}`)).body.data.options[0]?.values).toEqual([
      'Merah',
      'Biru',
      'Hijau',
    ]);
    expect(await generate(['Biru'])).toEqual(
      invalid('options', 'options must have the values of every variant on sale'),
    );
  });

  it('of a product without options begins with what it sells, which keeps its SKU and its stock', async () => {
    const { ask } = await ownStore(commerce);
    const made = await ask<Product>('POST', '/products', { name: 'Topi', price: 50_000, weight_g: 100 });
    const [only] = made.body.data.variants;
    const options = [{ name: 'Warna', values: ['Merah', 'Biru'] }];
    const product_id = made.body.data.id;
    await ask('POST', '/variant_product/generate', { product_id, options, base: { price: 55_000 } });
    const { data } = (await ask<Product>('GET', `/products/${product_id}`)).body;
    expect(data.variants.map(({ option_values, price }) => [option_values, price])).toEqual([
      [{ Warna: 'Merah' }, 50_000],
      [{ Warna: 'Biru' }, 55_000],
    ]);
    expect(data.variants[0]).toMatchObject({ id: only?.id, sku: only?.sku });
  });

  it('of more than two hundred combinations is refused', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await shirt(ask);
    const values = Array.from({ length: 50 }, (_, n) => `v${n}`);
    const many = {
      product_id: id,
      options: [
        { name: 'a', values },
        { name: 'b', values: values.slice(0, 5) },
      ],
      base: { price: 1 },
    };
    expect(await ask('POST', '/variant_product/generate', many)).toEqual(
      invalid('options', 'options must have at most 200 combinations'),
    );
  });
});

it('the look-ups of variants are served by indexes', async () => {
  for (const [text, value] of [
    [OF_PRODUCT, uuidv7()],
    [BY_CODE, 'KAOS-M'],
  ] as const)
    expectNoSeqScan(await explain(commerce.database, text, [uuidv7(), value]), 'variant', 'stock_level');
});
