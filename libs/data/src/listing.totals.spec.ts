import type { Sort } from './listing.types';
import type { Sql } from './database.types';
import { listingOf } from './listing';

type Sorted = Sort<'id' | 'code'>;
class Query {
  sort?: Sorted;
  page?: number;
  status?: string;
}

it('a total from 10,000 up is counted once in ten seconds for the same question of the same tenant, a smaller one every time', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  const coupons = listingOf(Query, {
    ...{ from: 'coupon c', tenant: 'c.store_id', select: 'c.id', tie: 'c.id', usualSort: 'id' as const },
    sort: { id: 'c.id', code: 'c.code' },
    where: { status: 'c.status = ?' },
  });
  let counted = 0;
  let total = 9_999;
  const answer = async (text: string) => (text.includes('total') ? [{ total: total + counted++ }] : []);
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
