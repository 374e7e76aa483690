import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { notHere } from '../../../asked.fixture';
import { bearer, newStore, useCommerce } from '../../../commerce.fixture';
import { productListing, variantListing, type ListedQuery } from './product-list.sql';

interface Listed {
  readonly data: Record<string, unknown>[];
  readonly meta: object;
}

const commerce = useCommerce();
let storeId: string;

beforeAll(async () => {
  const seeded: [string, string, string, number, number][] = [
    ['SHOE-42', 'Sepatu Lari Hitam', 'Sepatu', 250_000, 7],
    ['SHOE-43', 'Sepatu Kulit Coklat', 'Sepatu', 900_000, 3],
    ['SHIRT-L', 'Kaos Nusa', 'Baju', 99_000, 0],
  ];
  storeId = await newStore(
    commerce,
    seeded.map(([sku, name, category, price, stock]) => ({
      sku,
      name,
      category,
      price,
      stock,
      description: `${name}.`,
    })),
  );
  // Created one after the other, as a shop's products are
  for (const [index, [sku]] of seeded.entries())
    await commerce.database.query(
      `UPDATE product SET created_at = $3, updated_at = $3 WHERE store_id = $1 AND id = (SELECT product_id FROM variant WHERE store_id = $1 AND sku = $2)`,
      [storeId, sku, `2026-02-0${index + 1}T00:00:00Z`],
    );
});

const list = async (query: string, headers = bearer(commerce.storeAuth.userToken({ store_id: storeId }))) => {
  const { status, body } = await commerce.get(`/api/products?${query}`, headers);
  return { status, body: body as Listed };
};
const skus = async (query: string): Promise<unknown[]> =>
  (await list(`view=variants&${query}`)).body.data.map(({ sku }) => sku);
const names = async (query: string): Promise<unknown[]> =>
  (await list(`view=product&${query}`)).body.data.map(({ name }) => name);
const meta = (more: object = {}) => ({
  current_page: 1,
  per_page: 15,
  total: 3,
  last_page: 1,
  from: 1,
  to: 3,
  ...more,
});

describe('the list of variants', () => {
  it('answers whole rows with everything the bot shows', async () =>
    expect(await list('view=variants&skus=SHOE-42')).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'OK',
        data: [
          {
            sku: 'SHOE-42',
            product_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            variant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            name: 'Sepatu Lari Hitam',
            category: 'Sepatu',
            description: 'Sepatu Lari Hitam.',
            price: 250_000,
            stock: 7,
            image: null,
            url: `https://shop.example/s/${storeId}/products/sepatu-lari-hitam`,
            status: 'active',
            updated_at: '2026-02-01T00:00:00.000Z',
          },
        ],
        meta: meta({ total: 1, to: 1 }),
      },
    }));

  it('is the default view for services', async () => {
    const headers = bearer(commerce.storeAuth.serviceToken('bot-engine'), { 'x-store-id': storeId });
    const of = async (query: string) => Object.keys((await list(query, headers)).body.data[0] ?? {})[0];
    expect([await of(''), await of('view=product')]).toEqual(['sku', 'id']);
  });

  it('tells the bot no stock of what has no end, so that it calls nothing sold out that is not', async () => {
    const goods = ['COUNTED', 'ENDLESS', 'LATER', 'SHELVED'].map((sku) => ({
      sku,
      name: sku,
      stock: sku === 'SHELVED' ? 3 : 0,
    }));
    const own = await newStore(commerce, goods);
    const set = (change: string, skus: string[]) =>
      commerce.database.query(`UPDATE variant SET ${change} WHERE store_id = $1 AND sku = ANY ($2)`, [own, skus]);
    await set('track_stock = false', ['ENDLESS']);
    await set('allow_backorder = true', ['LATER', 'SHELVED']);
    const headers = bearer(commerce.storeAuth.serviceToken('bot-engine'), { 'x-store-id': own });
    const { data } = (await list('skus=COUNTED,ENDLESS,LATER,SHELVED', headers)).body;
    const told = data.map(({ sku, stock }) => [sku, stock] as const).toSorted();
    expect(told).toEqual([
      ['COUNTED', 0],
      ['ENDLESS', null],
      ['LATER', null],
      ['SHELVED', 3],
    ]);
  });

  it('names the options and shows the first picture', async () => {
    const own = await newStore(commerce, [{ sku: 'RED', name: 'Topi' }]);
    const [{ product_id } = { product_id: '' }] = await commerce.database.query<{ product_id: string }>(
      `UPDATE variant SET option_values = '{"Warna":"Merah","Ukuran":"L"}' WHERE store_id = $1 RETURNING product_id`,
      [own],
    );
    const options = ['Ukuran', 'Warna'].map((name) => ({ name, values: [] }));
    await commerce.database.query('UPDATE product SET options = $2 WHERE store_id = $1', [
      own,
      JSON.stringify(options),
    ]);
    for (const position of [2, 1])
      await commerce.database.query(
        `INSERT INTO product_image (store_id, id, product_id, position, url) VALUES ($1, $2, $3, $4, $5)`,
        [own, uuidv7(), product_id, position, `https://cdn.example/${position}.jpg`],
      );
    const { body } = await list('view=variants', bearer(commerce.storeAuth.userToken({ store_id: own })));
    expect(body.data).toMatchObject([{ name: 'Topi - L, Merah', image: 'https://cdn.example/1.jpg' }]);
  });

  it.each([
    ['newest first', '', ['SHIRT-L', 'SHOE-43', 'SHOE-42']],
    ['by name', 'sort=name', ['SHIRT-L', 'SHOE-43', 'SHOE-42']],
    ['by price', 'sort=price', ['SHIRT-L', 'SHOE-42', 'SHOE-43']],
    ['by stock, most first', 'sort=-available', ['SHOE-42', 'SHOE-43', 'SHIRT-L']],
    ['by last change', 'sort=updated_at', ['SHOE-42', 'SHOE-43', 'SHIRT-L']],
  ])('is sorted %s', async (_, query, expected) => expect(await skus(query)).toEqual(expected));

  it.each([
    ['SKUs', 'skus=SHIRT-L,%20SHOE-42,NONE', ['SHIRT-L', 'SHOE-42']],
    ['a word of the name', 'q=hitam', ['SHOE-42']],
    ['words in any order and case', 'q=COKLAT%20sepatu', ['SHOE-43']],
    ['a category', 'q=baju', ['SHIRT-L']],
    ['a part of a SKU', 'q=shoe-4', ['SHOE-43', 'SHOE-42']],
    ['a wildcard taken literally', 'q=%25', []],
    ['a lowest price', 'price_min=250000', ['SHOE-43', 'SHOE-42']],
    ['a highest price', 'price_max=250000', ['SHIRT-L', 'SHOE-42']],
    ['low stock', 'low_stock=true', ['SHIRT-L', 'SHOE-43']],
    ['sufficient stock', 'low_stock=false', ['SHOE-42']],
    ['status', 'status=draft', []],
    ['kind', 'kind=physical&q=kulit', ['SHOE-43']],
  ])('can be filtered by %s', async (_, query, expected) => expect(await skus(query)).toEqual(expected));

  it.each([
    ['category_id', 'is not a category of this store'],
    ['warehouse_id', 'is not a warehouse of this store'],
  ])('cannot be filtered by the %s of nobody', async (field, text) =>
    expect((await list(`view=variants&${field}=${uuidv7()}`)).body).toEqual(notHere(field, text).body),
  );

  it('can be filtered by category id and warehouse id', async () => {
    const [ids] = await commerce.database.query<{ category: string; warehouse: string }>(
      `SELECT (SELECT id FROM category WHERE store_id = $1 AND name = 'Baju') AS category, (SELECT id FROM warehouse WHERE store_id = $1) AS warehouse`,
      [storeId],
    );
    expect(await skus(`category_id=${ids?.category}`)).toEqual(['SHIRT-L']);
    expect(await skus(`warehouse_id=${ids?.warehouse}`)).toHaveLength(3);
  });

  it('leaves archived variants out', async () => {
    const own = await newStore(commerce, [{ sku: 'OLD' }]);
    await commerce.database.query(`UPDATE variant SET status = 'archived' WHERE store_id = $1`, [own]);
    const { body } = await list('view=variants', bearer(commerce.storeAuth.userToken({ store_id: own })));
    expect(body).toEqual({
      status: 'success',
      message: 'OK',
      data: [],
      meta: { current_page: 1, per_page: 15, total: 0, last_page: 1, from: null, to: null },
    });
  });
});

describe('the list of products', () => {
  it('is the default view for people, with prices and stock over all variants', async () => {
    const { body } = await list('q=kaos');
    expect(body).toEqual({
      status: 'success',
      message: 'OK',
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'Kaos Nusa',
          slug: 'kaos-nusa',
          kind: 'physical',
          status: 'active',
          category: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Baju' },
          description: 'Kaos Nusa.',
          image: null,
          price_min: 99_000,
          price_max: 99_000,
          available: 0,
          counted: true,
          weight_g: 1000,
          created_at: '2026-02-03T00:00:00.000Z',
          updated_at: '2026-02-03T00:00:00.000Z',
        },
      ],
      meta: meta({ total: 1, to: 1 }),
    });
  });

  it.each([
    ['price', ['Kaos Nusa', 'Sepatu Lari Hitam', 'Sepatu Kulit Coklat']],
    ['-available', ['Sepatu Lari Hitam', 'Sepatu Kulit Coklat', 'Kaos Nusa']],
    ['name', ['Kaos Nusa', 'Sepatu Kulit Coklat', 'Sepatu Lari Hitam']],
  ])('is sorted by %s', async (sort, expected) => expect(await names(`sort=${sort}`)).toEqual(expected));

  it('keeps a product when any of its variants passes the filter', async () =>
    expect(await names('price_min=100000&price_max=300000')).toEqual(['Sepatu Lari Hitam']));

  it('shows a product without variants, too', async () => {
    const own = await newStore(commerce, [{ sku: 'OLD', name: 'Empty' }]);
    await commerce.database.query(`UPDATE variant SET status = 'archived' WHERE store_id = $1`, [own]);
    const { body } = await list('', bearer(commerce.storeAuth.userToken({ store_id: own })));
    expect(body.data).toMatchObject([{ name: 'Empty', price_min: null, price_max: null, available: 0 }]);
  });
});

describe('pages of products', () => {
  it('follow one another and carry their position', async () => {
    const first = await list('view=variants&per_page=2');
    const second = await list('view=variants&per_page=2&page=2');
    expect([first.body.meta, second.body.meta]).toEqual([
      meta({ per_page: 2, last_page: 2, to: 2 }),
      meta({ per_page: 2, current_page: 2, last_page: 2, from: 3 }),
    ]);
    expect([...first.body.data, ...second.body.data].map(({ sku }) => sku)).toEqual(['SHIRT-L', 'SHOE-43', 'SHOE-42']);
  });

  it.each([
    ['page=0', 'page', 'page must be 1 or greater'],
    ['per_page=101', 'per_page', 'per_page must be 100 or less'],
    ['category_id=7', 'category_id', 'category_id must be a valid UUID'],
    ['view=all', 'view', 'view must be one of [product variants]'],
    [
      `skus=${Array.from({ length: 21 }, (_, n) => `S${n}`).join(',')}`,
      'skus',
      'skus must contain at maximum 20 items',
    ],
  ])('refuse %s', async (query, field, message) =>
    expect(await list(query)).toEqual({
      status: 422,
      body: { status: 'error', message, code: 'validation', errors: { [field]: [message] } },
    }),
  );

  it('ignore unknown query fields', async () => expect((await list('utm_source=x')).status).toBe(200));
});

describe('a search for what no product has', () => {
  it('shows people the nearest first and says so, in both views', async () => {
    const { body } = await list('q=sepatu%20kolit');
    expect([body.data.map(({ name }) => name), body.meta]).toEqual([
      ['Sepatu Kulit Coklat', 'Sepatu Lari Hitam'],
      { ...meta({ total: 2, to: 2 }), fuzzy: true },
    ]);
    expect(await skus('q=sepatu%20kolit')).toEqual(['SHOE-43', 'SHOE-42']);
    expect(await names('q=sepatoo&sort=price')).toEqual(['Sepatu Lari Hitam', 'Sepatu Kulit Coklat']);
    expect(await names('q=sepatoo&price_max=300000')).toEqual(['Sepatu Lari Hitam']);
  });

  it.each([['q=zzzzzz'], ['q=%25%25%25'], ['q=sepatoo&status=archived']])(
    'is empty when nothing is near: %s',
    async (query) => {
      const { body } = await list(query);
      expect(body).toMatchObject({ data: [], meta: { total: 0 } });
      expect(body.meta).not.toHaveProperty('fuzzy');
    },
  );

  it('shows services nothing', async () => {
    const headers = bearer(commerce.storeAuth.serviceToken('bot-engine'), { 'x-store-id': storeId });
    expect((await list('q=sepatoo', headers)).body.data).toEqual([]);
  });

  it('where a product has every word shows no other', async () =>
    expect((await list('q=sepatu%20kulit')).body.meta).toEqual(meta({ total: 1, to: 1 })));
});

it("another store's products never appear in a list, whatever the query", async () => {
  const other = await newStore(commerce, [{ sku: 'SHOE-42', name: 'Sepatu Lari Hitam' }]);
  const theirs = bearer(commerce.storeAuth.userToken({ store_id: other }));
  for (const query of ['', 'q=sepatu', 'q=sepatoo', 'skus=SHOE-42', 'sort=price', 'sort=-available', 'price_min=1']) {
    const mine = (await list(`view=variants&${query}`)).body.data.map(({ product_id }) => product_id);
    const { body } = await list(`view=variants&${query}`, theirs);
    expect(body.data).toHaveLength(1);
    expect(mine).not.toContain(body.data[0]?.product_id);
  }
});

describe('statements of the product lists', () => {
  const cases: [string, ListedQuery][] = [
    ['the newest', { sort: '-created_at' }],
    ['the last changed', { sort: '-updated_at' }],
    ['SKUs', { sort: '-updated_at', skus: 'A,B' }],
    ['what is near', { near: 'sepatoo' }],
    ['words', { sort: '-updated_at', q: 'sepatu hitam' }],
    ['prices', { sort: '-price', price_max: 1000 }],
    ['low stock', { sort: '-available', low_stock: true }],
  ];
  it('by price walk along an index, and sum nothing up before the page is known', async () => {
    const { rows } = productListing.statements(storeId, { sort: '-price', per_page: 100 });
    const unsorted: Pick<typeof commerce.database, 'tx'> = {
      tx: (work) =>
        commerce.database.tx(async (tx) => {
          await tx.query('SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off');
          return work(tx);
        }),
    };
    const plan = JSON.stringify(await explain(unsorted, rows.text, rows.values));
    expect(plan).toMatch(/"Scan Direction":"Backward","Index Name":"product_price"/);
    expect(plan).not.toMatch(/"Strategy":"(Hashed|Sorted|Mixed)"/);
  });

  it('of low stock sum up all levels for the total alone, and the total of all variants reads no products', async () => {
    const asked: [ListedQuery, 'rows' | 'count'][] = [
      [{ low_stock: true }, 'rows'],
      [{ low_stock: true }, 'count'],
      [{}, 'count'],
    ];
    const shapes = asked.map(async ([query, kind]) => {
      const { text, values } = variantListing.statements(storeId, query)[kind];
      const plan = JSON.stringify(await explain(commerce.database, text, values));
      const sums = /"Strategy":"(Hashed|Sorted|Mixed)"/.test(plan);
      return { sums, products: plan.includes('"Relation Name":"product"') };
    });
    expect(await Promise.all(shapes)).toEqual([
      { sums: false, products: true },
      { sums: true, products: false },
      { sums: false, products: false },
    ]);
  });

  it('for words seek categories once, not once for each variant', async () => {
    for (const { text, values } of Object.values(variantListing.statements(storeId, { q: 'sepatu' })))
      expect(JSON.stringify(await explain(commerce.database, text, values))).toContain('hashed SubPlan');
  });

  it.each(cases)('for %s are served by indexes', async (_, query) => {
    for (const listing of [variantListing, productListing])
      for (const { text, values } of Object.values(listing.statements(storeId, { ...query, per_page: 100 })))
        expectNoSeqScan(await explain(commerce.database, text, values));
  });
});
