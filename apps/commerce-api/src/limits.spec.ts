import { PaymentRequired } from '@platform/errors';
import { useDatabase } from '@platform/testing';
import { migrations, schema } from './data-source';
import { newShelf } from './features/stock/levels/shelf.fixture';
import { limits, trial, type Metric } from './limits';

const database = useDatabase({ schema, migrations, poolSize: 20 });

const newStore = async (): Promise<string> => (await newShelf(database)).by.storeId;
const take = (storeId: string, metric: Metric, n = 1): Promise<'taken' | object> =>
  database
    .tx((tx) => limits.require(tx, storeId, metric, n))
    .then(
      () => 'taken' as const,
      (error: unknown) => {
        if (!(error instanceof PaymentRequired)) throw error;
        return error.details;
      },
    );
/** What twenty are told who want one each at the same moment, those who got it first. */
const twenty = async (storeId: string, metric: Metric): Promise<('taken' | object)[]> => {
  const told = await Promise.all(Array.from({ length: 20 }, () => take(storeId, metric)));
  return told.sort((one, other) => Number(other === 'taken') - Number(one === 'taken'));
};
const refusals = (metric: Metric, limit: number, times: number): object[] =>
  Array.from({ length: times }, () => ({ metric, limit }));

describe.each(Object.keys(trial) as Metric[])('of %s', (metric) => {
  it('a plan has room for so many of twenty at once, and tells the others its limit; what was not done has taken nothing', async () => {
    const storeId = await newStore();
    const plan = `INSERT INTO plan_use (store_id, metric, used, allowed, period) SELECT store_id, $2::text, 5, 8,
      CASE WHEN $2 = 'broadcasts' THEN to_char(now() AT TIME ZONE timezone, 'YYYY-MM') ELSE '' END FROM store WHERE store_id = $1`;
    await database.query(plan, [storeId, metric]);
    const failed = database.tx(async (tx) => {
      await limits.require(tx, storeId, metric);
      throw new Error('not done');
    });
    await expect(failed).rejects.toThrow('not done');
    expect(await twenty(storeId, metric)).toEqual([...Array<string>(3).fill('taken'), ...refusals(metric, 8, 17)]);
    await limits.giveBack(database, storeId, metric);
    expect(await twenty(storeId, metric)).toEqual(['taken', ...refusals(metric, 8, 19)]);
  });

  it('a store that nobody has counted yet has what its trial allows, and not one more of twenty at once', async () => {
    const storeId = await newStore();
    const known = metric === 'stores' ? 1 : 0;
    const room = trial[metric] - known - 1;
    if (room > 0) expect(await take(storeId, metric, room)).toBe('taken');
    const left = trial[metric] - known - Math.max(room, 0);
    expect(await twenty(storeId, metric)).toEqual([
      ...Array<string>(left).fill('taken'),
      ...refusals(metric, trial[metric], 20 - left),
    ]);
  });
});
