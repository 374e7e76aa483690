import { askOf, refused } from '../../../asked.fixture';
import { newStore, startCommerce } from '../../../commerce.fixture';
import { useRunning } from '@platform/testing';
import type { ExportJob } from './files.dto';

/** Nobody writes what is asked for. */
const commerce = useRunning(() => startCommerce({ SENDS: 'held' }));
const WANTED = { report: 'sales', from: '2025-05-10', to: '2025-05-10', format: 'csv' };
const FULL = refused(409, 'too_many_reports', 'A store has at most 10 reports that wait to be written');

const shop = async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  return { storeId, ask, wish: () => ask<ExportJob>('POST', '/report/export', WANTED) };
};

it('of twenty reports that a store asks for at once ten wait, and those of others wait for no more of them', async () => {
  const [greedy, other] = [await shop(), await shop()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => greedy.wish()));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
  expect(answers.filter(({ status }) => status !== 202)).toEqual(Array(10).fill(FULL));
  expect((await other.wish()).status).toBe(202);
});

it('a report that nobody has written for a day keeps no place', async () => {
  const { storeId, wish } = await shop();
  const ids: string[] = [];
  for (let at = 0; at < 10; at += 1) ids.push((await wish()).body.data.id);
  expect(await wish()).toEqual(FULL);
  const { database } = commerce;
  await database.query(
    `UPDATE job_row SET updated_at = updated_at - interval '1 day' WHERE store_id = $1 AND id = $2`,
    [storeId, ids[0]],
  );
  expect((await wish()).status).toBe(202);
  expect(await wish()).toEqual(FULL);
  const state = 'SELECT state FROM job_row WHERE store_id = $1 AND id = $2';
  expect(await database.query(state, [storeId, ids[0]])).toEqual([{ state: 'failed' }]);
});
