import { useDatabase } from '@platform/testing';
import type { Sql } from './database.types';
import { listingOf } from './listing';
import type { Sort } from './listing.types';
import { ForwardMigration } from './migrations';

type Sorted = Sort<'id' | 'code'>;
class Query {
  sort?: Sorted;
  page?: number;
  per_page?: number;
  status?: string;
}

const couponsOf = () =>
  listingOf(Query, {
    ...{ from: 'coupon c', tenant: 'c.store_id', select: 'c.id', tie: 'c.id', usualSort: 'id' as const },
    sort: { id: 'c.id', code: 'c.code' },
    where: { status: 'c.status = ?' },
  });

it('a total from 10,000 up is counted once in ten seconds for the same question of the same tenant, for the next time, a smaller one every time', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const coupons = couponsOf();
  let counted = 0;
  let total = 9_999;
  const answer = async (text: string) => (text.startsWith('SELECT count') ? [{ total: total + counted++ }] : []);
  const sql = { query: answer, prepared: (_: string, text: string) => answer(text) } as unknown as Sql;
  const ask = async (tenant = 'S1', more = {}) => (await coupons.page(sql, tenant, { page: 2, ...more })).total;
  expect([await ask(), await ask()]).toEqual([9_999, 10_000]);
  total = 20_000;
  expect([await ask(), await ask('S1', { page: 7 }), await ask('S1', { sort: 'code' })]).toEqual(Array(3).fill(10_000));
  expect([await ask('S2'), await ask('S1', { status: 'paused' })]).toEqual([20_002, 20_003]);
  jest.advanceTimersByTime(10_000);
  expect(await Promise.all([ask(), ask()])).toEqual([10_000, 10_000]);
  expect(await ask()).toEqual(20_004);
  jest.advanceTimersByTime(60_000);
  expect([await ask(), await ask()]).toEqual([20_005, 20_005]);
  jest.useRealTimers();
});

/** Answers counts by what is given, and pages by no row. */
const counting = (count: () => Promise<object[]>, more = {}) => {
  const said: string[] = [];
  const answer = (text: string): Promise<object[]> => {
    const isCount = text.startsWith('SELECT count');
    said.push(isCount ? 'count' : text.includes('page_total') ? 'counted page' : 'page');
    return isCount ? count() : Promise.resolve([]);
  };
  const sql = { query: answer, prepared: (_: string, text: string) => answer(text), ...more } as unknown as Sql;
  return { sql, said };
};
const LARGE = [{ total: 20_000 }];

it('a tenant that turns pages of many large lists has one of them counted behind its back at a time', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const coupons = couponsOf();
  let answer: (rows: object[]) => void = () => undefined;
  let isSlow = false;
  const { sql, said } = counting(() =>
    isSlow ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(LARGE),
  );
  const statuses = Array.from({ length: 20 }, (_, n) => `s${n}`);
  const turn = () => Promise.all(statuses.map((status) => coupons.page(sql, 'S1', { page: 2, status })));
  await turn();
  jest.advanceTimersByTime(10_000);
  isSlow = true;
  said.splice(0);
  const pages = await turn();
  expect(pages.map(({ total }) => total)).toEqual(statuses.map(() => 20_000));
  expect(said.filter((each) => each === 'count')).toHaveLength(1);
  answer(LARGE);
  jest.useRealTimers();
});

it('a page within a transaction counts behind nobody, where its failure would be that of the page', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const coupons = couponsOf();
  const { sql, said } = counting(() => Promise.resolve(LARGE), { afterCommit: () => undefined });
  const ask = async () => (await coupons.page(sql, 'S1', { page: 2 })).total;
  await ask();
  said.splice(0);
  expect([await ask(), said.splice(0)]).toEqual([20_000, ['page']]);
  jest.advanceTimersByTime(10_000);
  expect([await ask(), said]).toEqual([20_000, ['counted page', 'count']]);
  jest.useRealTimers();
});

class CreateCoupons1760000000000 extends ForwardMigration {
  readonly steps = [
    'CREATE TABLE coupon (store_id text, id integer, code text, status text, PRIMARY KEY (store_id, id))',
    `INSERT INTO coupon SELECT 'S1', n, 'CODE-' || n, CASE n % 3 WHEN 0 THEN 'paused' ELSE 'active' END FROM generate_series(1, 10) AS n`,
  ];
}
const db = useDatabase({ schema: 'shop', migrations: [CreateCoupons1760000000000] });

it('a full page brings the total with it, in one statement', async () => {
  let statements = 0;
  const sql = {
    prepared: (...asked: Parameters<Sql['prepared']>) => ((statements += 1), db.prepared(...asked)),
  } as unknown as Sql;
  const asked: Query[] = [{}, { page: 3 }, { status: 'paused', sort: '-code' }];
  const pages = await Promise.all(asked.map((query) => couponsOf().page(sql, 'S1', { per_page: 3, ...query })));
  expect(pages.map(({ rows, total }) => [rows, total])).toEqual([
    [[{ id: 1 }, { id: 2 }, { id: 3 }], 10],
    [[{ id: 7 }, { id: 8 }, { id: 9 }], 10],
    [[{ id: 9 }, { id: 6 }, { id: 3 }], 3],
  ]);
  expect(statements).toBe(3);
});

it.each([
  ['a full page is counted', 3, false],
  ['behind a page that is not full nothing is counted', 4, true],
])('%s', async (_, perPage, spared) => {
  const { text, values } = couponsOf().statements('S1', { status: 'paused', per_page: perPage }).counted;
  const plan = await db.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  expect(JSON.stringify(plan).includes('"Actual Loops":0')).toBe(spared);
});
