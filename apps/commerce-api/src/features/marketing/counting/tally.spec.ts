import { until, untilWaiting } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { Tally } from './tally';

const commerce = useCommerce();

const COUNTS = {
  name: 'counts of this test',
  text: `INSERT INTO source_daily AS d (store_id, day, source, visits)
    SELECT g.store_id, $4::timestamptz::date, g.id, count(*) FROM unnest($1::text[], $2::text[], $3::uuid[]) AS g(store_id, id, part)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (store_id, day, source) DO UPDATE SET visits = d.visits + EXCLUDED.visits`,
};

it('what a shop counts whose counter somebody holds keeps no other shop waiting, and counts after that', async () => {
  const { database, clock } = commerce;
  const [held, free] = [(await ownStore(commerce)).storeId, (await ownStore(commerce)).storeId];
  const tally = new Tally({ database, clock }, COUNTS);
  const count = (storeId: string) => tally.count({ storeId, id: 'a' });
  await count(held);
  const waiting: Promise<void>[] = [];
  let isCounted = false;
  await database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM source_daily WHERE store_id = $1 FOR UPDATE', [held]);
    waiting.push(count(held));
    await untilWaiting(tx, ...waiting);
    waiting.push(
      count(held),
      count(free).then(() => void (isCounted = true)),
    );
    await until(() => isCounted);
  });
  await Promise.all(waiting);
  await tally.stop();
  const counted = await database.query(
    'SELECT store_id, visits::int FROM source_daily WHERE store_id = ANY ($1) ORDER BY visits DESC',
    [[held, free]],
  );
  expect(counted).toEqual([
    { store_id: held, visits: 3 },
    { store_id: free, visits: 1 },
  ]);
});
