import { useDatabase } from '@platform/testing';
import { migrations, schema } from './data-source';
import { newShelf } from './features/stock/levels/shelf.fixture';
import { limits } from './limits';
import { planClaims, type Claimed } from './plan.claims';

const database = useDatabase({ schema, migrations, poolSize: 20 });

const AT = new Date('2026-03-01T08:00:00Z');
const newStore = async (): Promise<string> => (await newShelf(database)).by.storeId;
const take = (claimed: Claimed, at = AT): Promise<boolean> => database.tx((tx) => planClaims.take(tx, claimed, at));
const release = (claimed: Claimed, at?: Date): Promise<boolean> =>
  database.tx((tx) => planClaims.release(tx, claimed, at));
const times = <T>(n: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, at) => work(at)));
const usedOf = async (storeId: string, metric: string): Promise<number | undefined> =>
  (await limits.uses(database, storeId)).find((use) => use.metric === metric)?.used;

describe('what the plan of a store counts by ids', () => {
  it('counts a thing once, however many claim it at once, and gives it back once', async () => {
    const claimed = { storeId: await newStore(), metric: 'agents', id: 'A1' } as const;
    expect((await times(20, () => take(claimed))).filter(Boolean)).toHaveLength(1);
    expect(await usedOf(claimed.storeId, 'agents')).toBe(1);
    expect((await times(20, () => release(claimed))).filter(Boolean)).toHaveLength(1);
    expect(await usedOf(claimed.storeId, 'agents')).toBe(0);
  });

  it('has room for two of twenty at once, and keeps no claim of the others', async () => {
    const storeId = await newStore();
    const taken = await times(20, (n) =>
      take({ storeId, metric: 'agents', id: `A${n}` }).catch((failure: { details: object }) => failure.details),
    );
    expect(taken.filter((one) => one === true)).toHaveLength(2);
    expect(taken.filter((one) => one !== true)).toEqual(Array(18).fill({ metric: 'agents', limit: 2 }));
    expect(await database.query('SELECT count(*)::int FROM plan_claim WHERE store_id = $1', [storeId])).toEqual([
      { count: 2 },
    ]);
  });

  it('keeps a claim that was made again since somebody looked', async () => {
    const claimed = { storeId: await newStore(), metric: 'agents', id: 'A1' } as const;
    await take(claimed);
    const seen = await planClaims.find(database, claimed);
    await take(claimed);
    expect([await release(claimed, seen?.at), await usedOf(claimed.storeId, 'agents')]).toEqual([false, 1]);
    const now = await planClaims.find(database, claimed);
    expect([await release(claimed, now?.at), await usedOf(claimed.storeId, 'agents')]).toEqual([true, 0]);
  });

  it('tells which are open, of this store alone', async () => {
    const [one, other] = [await newStore(), await newStore()];
    const of = (storeId: string, id: string) => ({ storeId, metric: 'broadcasts', id }) as const;
    for (const claimed of [of(one, 'B1'), of(one, 'B2'), of(other, 'B3')]) await take(claimed);
    await planClaims.settle(database, of(one, 'B2'));
    expect([...(await planClaims.open(database, one, 'broadcasts', ['B1', 'B2', 'B3']))]).toEqual(['B1']);
  });

  it('begins anew with every month where it counts by months, and gives nothing back of the one before', async () => {
    const storeId = await newStore();
    const claimed = { storeId, metric: 'broadcasts', id: 'B1' } as const;
    await take(claimed);
    const before = `UPDATE plan_use SET period = '2020-01', used = 10 WHERE store_id = $1 AND metric = 'broadcasts'`;
    await database.query(before, [storeId]);
    expect(await usedOf(storeId, 'broadcasts')).toBe(0);
    await release(claimed);
    expect(
      await database.query('SELECT used FROM plan_use WHERE store_id = $1 AND metric = $2', [storeId, 'broadcasts']),
    ).toEqual([{ used: 10 }]);
    await take(claimed);
    expect(await usedOf(storeId, 'broadcasts')).toBe(1);
  });
});
