import type { Sql } from '@platform/data';
import { limits } from '../../../limits';

/** The plan counts kibibytes: each file takes up whole ones. */
const kibibytes = (bytes: number): number => Math.ceil(bytes / 1024);

/** The place of files in what a store may keep, in the transaction that adds or removes their rows. */
export const filePlaces = {
  /** Throws `plan_limit` of `files` or `storage`. */
  async take(tx: Sql, storeId: string, bytes: number): Promise<void> {
    await limits.require(tx, storeId, 'files');
    await limits.require(tx, storeId, 'storage', kibibytes(bytes));
  },

  /** Of several files, by their bytes. */
  async giveBack(tx: Sql, storeId: string, sizes: readonly number[]): Promise<void> {
    await limits.giveBack(tx, storeId, 'files', sizes.length);
    await limits.giveBack(
      tx,
      storeId,
      'storage',
      sizes.reduce((sum, bytes) => sum + kibibytes(bytes), 0),
    );
  },
};
