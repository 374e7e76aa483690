import { expectNoSeqScan, explain, type Plan, useDatabase, vacuumed } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import { CatalogueRepository } from './catalogue.repository';
import { searchWords } from './catalogue.words';
import { MEASURED_QUERIES, measuredProduct } from './measured.fixture';
import { SEARCH_PRODUCTS } from './search.sql';

const database = useDatabase(TABLES);
/** Stores of 2,000 products, as in the measurement. */
const PRODUCTS = Array.from({ length: 2_000 }, (_, n) => measuredProduct(n));
const MEASURED = 'measured';
const OTHER = 'other';

let catalogue: CatalogueRepository;
beforeAll(async () => {
  catalogue = new CatalogueRepository(database);
  const theirs = PRODUCTS.map((row) => ({ ...row, sku: `other-${row.sku}` }));
  for (let from = 0; from < PRODUCTS.length; from += 500) {
    await catalogue.put(MEASURED, PRODUCTS.slice(from, from + 500));
    await catalogue.put(OTHER, theirs.slice(from, from + 500));
  }
  await vacuumed(database);
});

const find = (query: string, limit = 20) => catalogue.search(MEASURED, searchWords(query), limit);

/** The queries of the measurement whose best hit is of another category than the customer meant. */
const missed = async (): Promise<string[]> => {
  const misses: string[] = [];
  for (const [category, query] of MEASURED_QUERIES) {
    const [best] = await find(query, 1);
    if (PRODUCTS.find(({ sku }) => sku === best?.sku)?.category !== category) misses.push(query);
  }
  return misses;
};

const withoutSynonyms = async <T>(work: () => Promise<T>): Promise<T> => {
  await database.query(`UPDATE bot_synonyms SET store_id = 'set aside' WHERE store_id = ''`);
  return work().finally(() => database.query(`UPDATE bot_synonyms SET store_id = '' WHERE store_id = 'set aside'`));
};

describe('the 40 measured queries', () => {
  it('all have the right product first', async () => {
    expect(MEASURED_QUERIES).toHaveLength(40);
    expect(await missed()).toEqual([]);
  });

  it('have it first in 38 cases by corrected spelling alone', async () => {
    expect(await withoutSynonyms(missed)).toEqual(['sunscreen', 'jins biru dongker wanita']);
  });

  it('have the colour that the customer names', async () => {
    const wrong: string[] = [];
    for (const [, query, colour = ''] of MEASURED_QUERIES) {
      const [best] = await find(query, 1);
      const name = PRODUCTS.find(({ sku }) => sku === best?.sku)?.name.toLowerCase() ?? '';
      if (!name.includes(colour)) wrong.push(query);
    }
    expect(wrong).toEqual([]);
  });
});

const indexesOf = ({ Plans = [], ...node }: Plan): (string | undefined)[] => [
  node['Index Name'],
  ...Plans.flatMap(indexesOf),
];

describe('the product search', () => {
  it('never finds a product of another store', async () => {
    const found = await Promise.all(MEASURED_QUERIES.map(([, query]) => find(query)));
    expect(found.flat().filter(({ sku }) => sku.startsWith('other-'))).toEqual([]);
    expect(await catalogue.search('nobody', ['sepatu'], 20)).toEqual([]);
  });

  it('reads products by the index of store and words, and no table from its beginning to its end', async () => {
    const plan = await explain(database, SEARCH_PRODUCTS, [MEASURED, ['sepatu', 'hitem'], 20]);
    expect(indexesOf(plan)).toContain('bot_catalogue_words');
    expectNoSeqScan(plan);
  });

  it('is planned for the store and its words: a plan for any would read all words that a large store knows', async () => {
    for (let search = 0; search < 8; search++) await catalogue.search(MEASURED, ['sepatu'], 1);
    const kept = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%bot_vocab%' AND statement NOT LIKE '%pg_prepared_statements%'`;
    expect(await database.query(kept)).toEqual([]);
  });

  it("prefers a store's own synonyms to those of all stores", async () => {
    await database.query(`INSERT INTO bot_synonyms VALUES ($1, 'pampers', 'tas ransel')`, [OTHER]);
    const [best] = await catalogue.search(OTHER, ['pampers'], 1);
    expect(best?.sku).toBe('other-P-000009');
    expect((await find('pampers', 1))[0]?.sku).toBe('P-000027');
  });

  it.each([
    ['signs of the query language', `sepatu & !( | <-> ':*`],
    ['text in other scripts', 'sepatu 运动鞋 أحذية 👟'],
    ['a very long text', 'sepatu '.repeat(5_000) + 'x'.repeat(100_000)],
    ['control characters and halves of pairs', 'sepatu\0 \ud800 \u202e'],
  ])('answers %s with what the words in it mean', async (_, query) => {
    const [best] = await find(query, 1);
    expect(PRODUCTS.find(({ sku }) => sku === best?.sku)?.category).toMatch(/^sepatu/);
  });

  it.each(['', '   ', '?!', 'kak ada ga ya', "'---'"])('has no words to look for in %j', (text) => {
    expect(searchWords(text)).toEqual([]);
  });
});
