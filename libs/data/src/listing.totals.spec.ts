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

it('a total from 10,000 up is counted once in ten seconds for the same question of the same tenant, a smaller one every time', async () => {
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
  expect([await ask(), await ask()]).toEqual([20_004, 20_004]);
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
