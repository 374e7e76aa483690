import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { NotAvailable, type CommerceClient } from '../../clients/commerce.client';
import { fakeProduct } from '../../clients/commerce.fake';
import type { KnowledgeSearch } from '../knowledge/public';
import { toolNames } from '../agents/public';
import { searchProducts } from './search-products.tool';
import { NO_FACTS, type ToolContext } from './tool.types';
import { composeTools } from './tools.composition';

const SHOES = fakeProduct({ sku: 'A', name: 'Sepatu', price: 250_000, image: 'https://cdn.example/a.jpg' });
const BAG = fakeProduct({ sku: 'B', name: 'Tas', price: 90_000, url: null });
const DRAFT = fakeProduct({ sku: 'C', name: 'Topi', status: 'draft' });

const context = {
  runId: 'R',
  store: { id: 'S1', facts: { hours: '09.00-21.00' } },
  agent: { id: 'A1', tools: [...toolNames] },
  facts: { ...NO_FACTS, products: [{ sku: 'A', name: 'Sepatu', price: 1 }] },
  signal: new AbortController().signal,
} as unknown as ToolContext;

const call = async (
  name: string,
  args: object,
  world: { commerce?: Partial<CommerceClient>; knowledge?: Partial<KnowledgeSearch> } = {},
) => {
  const commerce = { productsOf: () => Promise.resolve([BAG, DRAFT, SHOES]), ...world.commerce } as CommerceClient;
  const hits = ['C', 'A', 'gone', 'B'].map((sku) => ({ sku, score: 1 }));
  const knowledge = { products: () => Promise.resolve(hits), ...world.knowledge } as KnowledgeSearch;
  const box = composeTools({ commerce, knowledge, more: [], logger: silentLogger });
  const { content, ...rest } = await box.dispatch({ id: 'c', name, argsJson: JSON.stringify(args) }, context);
  return { ...rest, content: JSON.parse(content) as unknown };
};
const answers = async (...asked: Parameters<typeof call>) => (await call(...asked)).content;

const SHOES_ROW = {
  sku: 'A',
  name: 'Sepatu',
  price: 250_000,
  stock: 7,
  image: 'https://cdn.example/a.jpg',
  url: SHOES.url,
};
const BAG_ROW = { sku: 'B', name: 'Tas', price: 90_000, stock: 7 };

describe('search_products', () => {
  it('tells the live rows of what is sold, in the order of our own search', async () =>
    expect(await answers('search_products', { query: 'sepatu' })).toEqual({
      data: { products: [SHOES_ROW, BAG_ROW] },
    }));

  it('heeds price limit and count', async () => {
    expect(await answers('search_products', { query: 'x', priceMax: 100_000 })).toEqual({
      data: { products: [BAG_ROW] },
    });
    expect(await answers('search_products', { query: 'x', limit: 1 })).toEqual({ data: { products: [SHOES_ROW] } });
  });

  it.each([new Unavailable('down'), new NotAvailable()])('without commerce names no price: %s', async (error) =>
    expect(
      await answers(
        'search_products',
        { query: 'x', limit: 2 },
        { commerce: { productsOf: () => Promise.reject(error) } },
      ),
    ).toEqual({
      data: {
        products: [
          { sku: 'C', name: 'C', price: null, stock: null, live: false },
          { sku: 'A', name: 'Sepatu', price: null, stock: null, live: false },
        ],
      },
    }),
  );

  it('says that what it knows nothing of, without commerce, is not as good as what is not counted', () => {
    const { description } = searchProducts({} as KnowledgeSearch, {} as CommerceClient);
    expect(description).toMatch(/stock null [^;]*unless live is false/);
  });

  it('finds nothing where nothing is', async () =>
    expect(
      await answers('search_products', { query: 'x' }, { knowledge: { products: () => Promise.resolve([]) } }),
    ).toEqual({ data: { products: [] } }));
});

it('check_stock asks for one of each unless told otherwise, and names what is known', async () => {
  const stock = jest.fn((_: string, items: readonly { sku: string; quantity: number }[]) =>
    Promise.resolve(items.map((item) => ({ ...item, stock: 2, available: item.quantity <= 2 }))),
  );
  expect(
    await answers('check_stock', { items: [{ sku: 'A' }, { sku: 'Z', quantity: 3 }] }, { commerce: { stock } }),
  ).toEqual({
    data: {
      items: [
        { sku: 'A', name: 'Sepatu', quantity: 1, stock: 2, available: true },
        { sku: 'Z', quantity: 3, stock: 2, available: false },
      ],
    },
  });
  expect(stock.mock.calls[0]?.[0]).toBe('S1');
});

describe('get_shipping_cost', () => {
  const PLACES = ['Bandung, Kota', 'Bandung, Kabupaten'].map((label, n) => ({ id: `D${n}`, label }));
  const rate = (courier: string, price: number) => ({ courier, service: null, price, estimate: '2' });
  const rates = jest.fn(() => Promise.resolve([rate('JNE', 20_000), rate('SiCepat', 15_000)]));
  const asked = (destination: string, courier?: string, found = PLACES) =>
    answers(
      'get_shipping_cost',
      { destination, items: [{ sku: 'A' }], ...(courier ? { courier } : {}) },
      { commerce: { destinations: () => Promise.resolve(found), rates } },
    );

  it('asks which place is meant, and takes an exact label', async () => {
    expect(await asked('bandung')).toEqual({
      data: { status: 'ambiguous', options: ['Bandung, Kota', 'Bandung, Kabupaten'] },
    });
    expect(await asked('bandung,  KABUPATEN')).toEqual({
      data: {
        destination: 'Bandung, Kabupaten',
        rates: [
          { courier: 'SiCepat', price: 15_000, etd: '2' },
          { courier: 'JNE', price: 20_000, etd: '2' },
        ],
      },
    });
  });

  it('knows no such place', async () =>
    expect(await asked('Atlantis', undefined, [])).toEqual({ data: { status: 'unknown_destination' } }));

  it('of one courier tells its rates, of one that does not go there all', async () => {
    const one = PLACES.slice(0, 1);
    expect(await asked('bandung', 'jne', one)).toMatchObject({ data: { rates: [{ courier: 'JNE' }] } });
    expect(await asked('bandung', 'tiki', one)).toMatchObject({ data: { rates: [{}, {}] } });
  });

  it('that commerce does not serve is not available', async () =>
    expect(
      await answers(
        'get_shipping_cost',
        { destination: 'Bandung', items: [{ sku: 'A' }] },
        { commerce: { destinations: () => Promise.reject(new NotAvailable()) } },
      ),
    ).toEqual({ error: 'not_available' }));
});

it('track_waybill tells the last events', async () => {
  const history = Array.from({ length: 8 }, (_, n) => ({ at: '2026-03-01', text: `langkah ${n}` }));
  const waybill = jest.fn(() => Promise.resolve({ waybill: 'JP12345', courier: 'jne', status: 'dikirim', history }));
  expect(await answers('track_waybill', { waybill: ' JP12345 ' }, { commerce: { waybill } })).toEqual({
    data: { waybill: 'JP12345', courier: 'jne', status: 'dikirim', events: history.slice(3) },
  });
  expect(waybill).toHaveBeenCalledWith('S1', 'JP12345', undefined, expect.any(AbortSignal));
});

it('get_store_policy quotes its sources, and counts what nothing answers', async () => {
  const policy = jest.fn(() => Promise.resolve([{ chunkId: 'K1', title: 'Retur', body: '7 hari', score: 1 }]));
  expect(await call('get_store_policy', { question: 'retur?' }, { knowledge: { policy } })).toEqual({
    failed: false,
    wrote: false,
    sources: ['K1'],
    content: { data: { chunks: [{ source: 'K1', title: 'Retur', text: '7 hari' }] } },
  });
  expect(policy).toHaveBeenCalledWith('S1', 'A1', 'retur?', 4);
  const none = await call(
    'get_store_policy',
    { question: 'retur?' },
    { knowledge: { policy: () => Promise.resolve([]) } },
  );
  expect(none).toMatchObject({ gap: 'retur?', content: { data: { found: false } } });
});

it("get_store_policy knows the shop's own record: asking for the hours is no gap", async () => {
  const knowledge = { policy: () => Promise.resolve([]) };
  const asked = (question: string) => call('get_store_policy', { question }, { knowledge });
  expect(await asked('jam buka kak?')).toEqual({
    failed: false,
    wrote: false,
    sources: ['store'],
    content: { data: { chunks: [{ source: 'store', title: 'Jam buka', text: '09.00-21.00' }] } },
  });
  expect(await asked('alamatnya?')).toMatchObject({ gap: 'alamatnya?' });
});

it('handover_to_human needs a reason that exists', async () => {
  expect(await call('handover_to_human', { reason: 'bored', summary: 'x' })).toMatchObject({
    failed: true,
    wrote: false,
  });
  expect(await call('handover_to_human', { reason: 'complaint', summary: 'x' })).toMatchObject({
    failed: false,
    wrote: true,
  });
});
