import { openJobs, type Tasks } from '@platform/jobs';
import { Sends, silentLogger, systemClock } from '@platform/runtime';
import { until, useDatabase, useRunning } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import type { CatalogueRow } from '../../clients/commerce.client';
import { jobQueue, JOBS_SCHEMA, type BotJobs } from '../../jobs';
import { CatalogueCopy } from './catalogue.copy';
import { CatalogueRepository } from './catalogue.repository';
import { dueCopies } from './due.copies';
import { measuredProduct } from './measured.fixture';
import { composeCatalogue } from './public';
import { ShopFixture } from './shop.fixture';

const database = useDatabase(TABLES);
const queue = jobQueue();

let stores = 0;
/** A store of its own for every test. */
const opened = (products: number) => {
  const shop = new ShopFixture();
  const storeId = `shop-${++stores}`;
  shop.of(storeId).push(...Array.from({ length: products }, (_, n) => measuredProduct(n)));
  const catalogue = new CatalogueRepository(database);
  const copy = new CatalogueCopy({ commerce: shop, catalogue, clock: systemClock, logger: silentLogger });
  return { shop, storeId, catalogue, copy };
};
type Opened = ReturnType<typeof opened>;

const held = async ({ storeId }: Opened): Promise<string[]> => {
  const statement = 'SELECT sku FROM bot_catalogue WHERE store_id = $1 ORDER BY sku';
  return (await database.query<{ sku: string }>(statement, [storeId])).map(({ sku }) => sku);
};
const offered = ({ shop, storeId }: Opened): string[] => shop.of(storeId).map(({ sku }) => sku);
const knows = async ({ storeId }: Opened, word: string): Promise<boolean> =>
  (await database.query('SELECT FROM bot_vocab WHERE store_id = $1 AND word = $2', [storeId, word])).length > 0;

const change = ({ shop, storeId }: Opened, sku: string, changed: Partial<CatalogueRow>): void => {
  const rows = shop.of(storeId);
  const at = rows.findIndex((row) => row.sku === sku);
  const updatedAt = new Date(Date.UTC(2026, 5, 1) + stores).toISOString();
  rows[at] = { ...(rows[at] as CatalogueRow), updatedAt, ...changed };
};

const remove = ({ shop, storeId }: Opened, sku: string): void => {
  const rows = shop.of(storeId);
  rows.splice(
    rows.findIndex((row) => row.sku === sku),
    1,
  );
};

describe('the copy of a catalogue', () => {
  it('has every product of all pages after the first time', async () => {
    const store = opened(250);
    await store.copy.run(store.storeId);
    expect(store.shop.asked).toEqual([1, 2, 3]);
    expect(await held(store)).toEqual(offered(store));
  });

  it('asks for no more than the pages with changes afterwards', async () => {
    const store = opened(250);
    await store.copy.run(store.storeId);
    change(store, 'P-000003', { name: 'Sandal Gunung', category: 'sandal' });
    store.shop.asked.length = 0;
    await store.copy.run(store.storeId);
    expect(store.shop.asked).toEqual([1]);
    expect(await store.catalogue.search(store.storeId, ['gunung'], 5)).toMatchObject([{ sku: 'P-000003' }]);
  });

  it('loses a product that is not sold any more', async () => {
    const store = opened(3);
    await store.copy.run(store.storeId);
    change(store, 'P-000001', { status: 'archived' });
    await store.copy.run(store.storeId);
    expect(await held(store)).toEqual(['P-000000', 'P-000002']);
  });

  it('loses what commerce has no more, and its words, in a full pass', async () => {
    const store = opened(40);
    await store.copy.run(store.storeId);
    remove(store, 'P-000034');
    expect(await knows(store, 'rak')).toBe(true);
    await store.copy.run(store.storeId, { full: true });
    expect(await held(store)).toEqual(offered(store));
    expect([await knows(store, 'rak'), await knows(store, 'sepatu')]).toEqual([false, true]);
  });

  it('keeps a product that slipped from page to page while a full pass read them', async () => {
    const store = opened(150);
    await store.copy.run(store.storeId);
    let calls = 0;
    store.shop.before = async () => {
      if (++calls === 2) remove(store, 'P-000149');
    };
    await store.copy.run(store.storeId, { full: true });
    expect(store.shop.asked.slice(2)).toEqual([1, 2, ['P-000049']]);
    // It was seen before it went: the next pass takes it away
    expect(await held(store)).toEqual([...offered(store), 'P-000149']);
  });

  it('is as it was when a page cannot be read, and complete after the next try', async () => {
    const store = opened(150);
    let calls = 0;
    store.shop.before = async () => {
      if (++calls === 2) throw new Error('commerce is down');
    };
    await expect(store.copy.run(store.storeId)).rejects.toThrow('commerce is down');
    expect(await store.catalogue.state(store.storeId)).toEqual({ watermark: null, copiedAt: null });
    await store.copy.run(store.storeId);
    expect(await held(store)).toEqual(offered(store));
  });

  it('takes texts that PostgreSQL would refuse, and texts of any length', async () => {
    const store = opened(1);
    const hostile = { name: 'Sepatu\0 \ud800 \u202eLari', description: `${'panjang '.repeat(20_000)}😀` };
    change(store, 'P-000000', { ...hostile, category: 'x'.repeat(5_000) });
    await store.copy.run(store.storeId);
    expect(await store.catalogue.search(store.storeId, ['sepatu'], 5)).toMatchObject([{ sku: 'P-000000' }]);
  });

  it('writes nothing for rows that say what it says already', async () => {
    const store = opened(2);
    await store.copy.run(store.storeId);
    const versions = () => database.query('SELECT xmin::text FROM bot_catalogue WHERE store_id = $1', [store.storeId]);
    const before = await versions();
    await store.copy.run(store.storeId, { full: true });
    expect(await versions()).toEqual(before);
  });
});

describe('the first search of a store', () => {
  const shop = new ShopFixture();
  const room = () => composeCatalogue({ database, queue, clock: systemClock, logger: silentLogger, commerce: shop });
  useRunning(async () => {
    const { area } = room();
    const tasks = area.jobs as Tasks<BotJobs>;
    const sends = new Sends('released');
    const jobs = openJobs<BotJobs>({
      database,
      logger: silentLogger,
      schema: JOBS_SCHEMA,
      sends,
      ...{ tasks, runners: area.runners },
    });
    await jobs.start?.();
    return { stop: async () => void (await jobs.stop?.()) };
  });

  it('copies its catalogue and answers from it', async () => {
    shop.of('fresh').push(...[0, 1, 2].map(measuredProduct));
    const hits = await room().search('fresh', { text: 'ada sandal jepit kak?', limit: 20 });
    expect(hits).toEqual([{ sku: 'P-000002', score: expect.any(Number) }]);
  });

  it('copies it once, whoever asks in however many processes', async () => {
    shop.of('crowded').push(measuredProduct(1));
    shop.asked.length = 0;
    const answers = await Promise.all(
      [room(), room()].flatMap(({ search }) => [1, 2, 3].map(() => search('crowded', { text: 'futsal', limit: 5 }))),
    );
    expect(answers.map((hits) => hits.map(({ sku }) => sku))).toEqual(Array(6).fill(['P-000001']));
    expect(shop.asked).toEqual([1]);
  });

  it('answers from nothing while commerce hangs, and keeps nobody else waiting', async () => {
    let release = () => {};
    const hanging = new Promise<void>((resolve) => (release = resolve));
    shop.of('hanging').push(measuredProduct(1));
    shop.before = () => hanging;
    try {
      expect(await room().search('hanging', { text: 'futsal', limit: 5 })).toEqual([]);
      expect(await room().search('fresh', { text: 'sandal', limit: 1 })).toMatchObject([{ sku: 'P-000002' }]);
    } finally {
      shop.before = () => Promise.resolve();
      release();
    }
    await until(async () => (await room().search('hanging', { text: 'futsal', limit: 5 })).length > 0);
  });

  it('copies its catalogue at once, however many stores have a copy due', async () => {
    let release = () => {};
    const hanging = new Promise<void>((resolve) => (release = resolve));
    shop.of('new').push(measuredProduct(1));
    shop.before = (storeId) => (storeId.startsWith('slow') ? hanging : Promise.resolve());
    const slow = Array.from({ length: 20 }, (_, n) => `slow-${n}`);
    try {
      shop.asked.length = 0;
      for (const storeId of slow) await queue.enqueue(database, 'catalogue.copy', { storeId });
      await until(() => shop.asked.length >= 4);
      expect(await room().search('new', { text: 'futsal', limit: 5 })).toMatchObject([{ sku: 'P-000001' }]);
    } finally {
      shop.before = () => Promise.resolve();
      release();
    }
    await until(() => shop.asked.length > slow.length);
  });

  it('finds nothing for words that say nothing', async () => {
    expect(await room().search('fresh', { text: 'kak ada ga ya', limit: 20 })).toEqual([]);
  });
});

describe('the copies that are due', () => {
  const waiting = async () =>
    (
      await database.query<{ payload: object }>(
        `SELECT payload FROM ${JOBS_SCHEMA}._private_jobs WHERE key LIKE 'catalogue%due%' ORDER BY key`,
      )
    ).map(({ payload }) => payload);

  it('are those of the stores that were searched in the last 24 hours, one job each', async () => {
    await database.query(`INSERT INTO bot_catalogue_copies (store_id, used_at)
      VALUES ('due-a', now()), ('due-b', now() - interval '23 hours'), ('due-c', now() - interval '25 hours')`);
    for (const full of [false, false, true]) await dueCopies(database, queue)({ full });
    expect(await waiting()).toEqual([
      { storeId: 'due-a' },
      { storeId: 'due-b' },
      { storeId: 'due-a', full: true },
      { storeId: 'due-b', full: true },
    ]);
  });
});
