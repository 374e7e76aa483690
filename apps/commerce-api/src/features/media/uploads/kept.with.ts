import type { Database, Sql } from '@platform/data';
import type { ObjectStore } from '../storage/public';

interface Parts {
  readonly database: Pick<Database, 'tx'>;
  readonly store: Pick<ObjectStore, 'delete'>;
}

/**
 * `work` in a transaction that names a file which lies there already. When it was surely undone the file goes; where the connection broke in
 * the commit nobody knows, and a file without a row is left to the sweep: a row without its file could not be mended.
 */
export const keptWith = async <Result>(
  { database, store }: Parts,
  key: string,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> => {
  let isDone = false;
  try {
    return await database.tx(async (tx) => {
      isDone = false;
      const result = await work(tx);
      isDone = true;
      return result;
    });
  } catch (failure) {
    if (!isDone) await store.delete(key);
    throw failure;
  }
};
