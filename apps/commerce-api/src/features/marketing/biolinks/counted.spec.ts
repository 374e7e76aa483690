import { explain, expectNoSeqScan, runProgramCommand, useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { join } from 'node:path';
import { invalid, ownStore, type OwnStore } from '../../../asked.fixture';
import { startCommerce } from '../../../commerce.fixture';
import { Tally } from '../counting/public';
import { newBlock, newPage, PERSON } from './biolinks.fixture';
import type { BiolinkStatistics } from './biolinks.dto';
import { PublicBiolinks, VIEWS } from './public';
import { PUBLIC_STATEMENTS } from './public.pages';
import { STATISTICS_STATEMENT } from './statistics.sql';

const commerce = useRunning(() => startCommerce());
const BOTS = [undefined, '', ' ', 'facebookexternalhit/1.1', 'WhatsApp/2.23.20.0', 'Googlebot/2.1', 'curl/8.5.0'];

/** Counts at this moment; what is asked resolves when it is counted. */
const pagesAt = (at: string = commerce.clock.now().toISOString()): PublicBiolinks =>
  new PublicBiolinks(
    commerce.database,
    new Tally({ database: commerce.database, clock: { now: () => new Date(at) } }, VIEWS),
  );
const published = async (shop: OwnStore) => {
  const page = await newPage(shop);
  await shop.ask('PUT', `/biolink/${page.id}/publish`, { published: true });
  return { ...page, block: await newBlock(shop, page.id) };
};
const statistics = async ({ ask }: Pick<OwnStore, 'ask'>, id: string, query = '') =>
  (await ask<BiolinkStatistics>('GET', `/biolink/${id}/statistics${query}`)).body.data;

describe('views and clicks', () => {
  it('of 500 people at once each, over two processes, are counted exactly, and programs are not', async () => {
    const shop = await ownStore(commerce);
    const { id, slug, block } = await published(shop);
    const env = {
      ...{ DATABASE_URL: commerce.database.url, AT: commerce.clock.now().toISOString() },
      ...{ SLUG: slug, BLOCK: block.id, PERSON, TIMES: '250' },
    };
    const run = () => runProgramCommand({ main: join(__dirname, 'views.child.ts'), env });
    const done = { code: 0, output: '' };
    expect(await Promise.all([run(), run()])).toEqual([done, done]);
    const { views, clicks, blocks, days } = await statistics(shop, id);
    expect({ views, clicks, blocks }).toEqual({ views: 500, clicks: 500, blocks: [{ id: block.id, clicks: 500 }] });
    expect([days.length, days.at(-1)]).toEqual([30, { day: '2026-03-01', views: 500, clicks: 500 }]);
  });

  it.each(BOTS)('of %j are not counted, but answered', async (agent) => {
    const shop = await ownStore(commerce);
    const { id, slug, block } = await published(shop);
    const pages = pagesAt();
    expect((await pages.view(slug, agent)).blocks).toEqual([block]);
    expect(await pages.click(slug, block.id, agent)).toEqual(block);
    expect(await statistics(shop, id)).toMatchObject({ views: 0, clicks: 0 });
  });

  it.each([
    ['Asia/Jakarta', '2026-02-28T16:59:59.999Z', '2026-02-28'],
    ['Asia/Jakarta', '2026-02-28T17:00:00.000Z', '2026-03-01'],
    ['America/New_York', '2026-03-01T04:59:59.999Z', '2026-02-28'],
    ['America/New_York', '2026-03-01T05:00:00.000Z', '2026-03-01'],
  ])('in %s at %s are of %s', async (timezone, at, day) => {
    const shop = await ownStore(commerce);
    const { id, slug, block } = await published(shop);
    await commerce.database.query('UPDATE store SET timezone = $2 WHERE store_id = $1', [shop.storeId, timezone]);
    const pages = pagesAt(at);
    await Promise.all([pages.view(slug, PERSON), pages.click(slug, block.id, PERSON)]);
    const { days } = await statistics(shop, id, '?from=2026-02-27&to=2026-03-02');
    expect(days.filter(({ views }) => views > 0)).toEqual([{ day, views: 1, clicks: 1 }]);
  });

  it('of a block that is gone stay, and what is out of the days is not told', async () => {
    const shop = await ownStore(commerce);
    const { id, slug, block } = await published(shop);
    const stays = await newBlock(shop, id);
    await pagesAt().click(slug, block.id, PERSON);
    await pagesAt('2026-01-01T00:00:00Z').click(slug, stays.id, PERSON);
    await shop.ask('DELETE', `/biolink/${id}/links/${block.id}`);
    const clicked = [
      { id: stays.id, clicks: 0 },
      { id: block.id, clicks: 1 },
    ];
    expect(await statistics(shop, id)).toMatchObject({ views: 0, clicks: 1, blocks: clicked });
    expect(await statistics(shop, id, '?from=2026-01-01&to=2026-01-01')).toEqual({
      ...{ views: 0, clicks: 1, blocks: [{ id: stays.id, clicks: 1 }] },
      days: [{ day: '2026-01-01', views: 0, clicks: 1 }],
    });
  });

  it('are told of days that end after they begin, within a year', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const ask = (query: string) => shop.ask('GET', `/biolink/${id}/statistics?${query}`);
    expect(await ask('from=2026-03-02&to=2026-03-01')).toEqual(invalid('to', 'to must not be before from'));
    expect(await ask('from=2025-01-01&to=2026-03-01')).toEqual(
      invalid('from', 'from must be at most 366 days before to'),
    );
  });
});

describe('nobody sees', () => {
  it('a page that is not published, that is gone, whose slug was given up, or whose store is suspended', async () => {
    const shop = await ownStore(commerce);
    const pages = pagesAt();
    const { id, slug, block } = await published(shop);
    const hidden = async (name: string) => {
      await expect(pages.view(name, PERSON)).rejects.toThrow('Page not found');
      await expect(pages.click(name, block.id, PERSON)).rejects.toThrow('Page not found');
    };
    await hidden((await newPage(shop)).slug);
    await shop.ask('PUT', `/biolink/${id}/publish`, { published: false });
    await hidden(slug);
    await shop.ask('PUT', `/biolink/${id}/publish`, { published: true });
    const next = `${slug}-2`;
    await shop.ask('PUT', `/biolink/${id}`, { slug: next });
    await hidden(slug);
    expect((await pages.view(next, PERSON)).id).toBe(id);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    await hidden(next);
    await commerce.database.query(`UPDATE store SET status = 'open' WHERE store_id = $1`, [shop.storeId]);
    await shop.ask('DELETE', `/biolink/${id}`);
    await hidden(next);
  });

  it('a block that is hidden, and clicks on no heading, no block of another page and none that there is not', async () => {
    const shop = await ownStore(commerce);
    const { id, slug, block } = await published(shop);
    const elsewhere = await published(await ownStore(commerce));
    const heading = await newBlock(shop, id, { kind: 'heading', data: { title: 'Promo' } });
    const { kind, data } = block;
    await shop.ask('PUT', `/biolink/${id}/links/${block.id}`, { kind, data, active: false });
    const pages = pagesAt();
    expect((await pages.view(slug, PERSON)).blocks).toEqual([heading]);
    for (const blockId of [block.id, heading.id, elsewhere.block.id, uuidv7(), 'me'])
      await expect(pages.click(slug, blockId, PERSON)).rejects.toThrow('Page not found');
    expect(await statistics(shop, id)).toMatchObject({ views: 1, clicks: 0 });
  });
});

it('pages, their blocks and what was counted are read by index', async () => {
  const { storeId } = await ownStore(commerce);
  const statements: readonly (readonly [string, readonly unknown[]])[] = [
    [PUBLIC_STATEMENTS.view, ['slug']],
    [PUBLIC_STATEMENTS.click, ['slug', uuidv7()]],
    [STATISTICS_STATEMENT, [storeId, '2026-02-01', '2026-03-01', uuidv7()]],
  ];
  for (const [text, values] of statements) expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
