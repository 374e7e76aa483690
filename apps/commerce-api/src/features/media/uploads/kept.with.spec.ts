import { Unavailable } from '@platform/errors';
import type { Sql } from '@platform/data';
import { keptWith } from './kept.with';

const sql = {} as Sql;
/** A transaction whose end is `commit`. */
const kept = async (work: () => Promise<string>, commit: () => Promise<void>) => {
  const deleted: string[] = [];
  const database = {
    tx: async <Result>(inside: (tx: Sql) => Promise<Result>): Promise<Result> => {
      const result = await inside(sql);
      await commit();
      return result;
    },
  };
  const store = { delete: (key: string) => Promise.resolve(void deleted.push(key)) };
  const [outcome] = await Promise.allSettled([keptWith({ database: database as never, store }, 'key', work)]);
  return { status: outcome.status, deleted };
};
const well = () => Promise.resolve();
const broken = () => Promise.reject(new Unavailable('the connection broke'));

it.each([
  ['stays when its row was committed', () => Promise.resolve('row'), well, 'fulfilled', []],
  ['goes when its row was refused', broken, well, 'rejected', ['key']],
  ['stays when nobody knows whether its row was committed', () => Promise.resolve('row'), broken, 'rejected', []],
] as const)('a file %s', async (_, work, commit, status, deleted) => {
  expect(await kept(work, commit)).toEqual({ status, deleted });
});
