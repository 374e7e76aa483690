import type { Sql } from '@platform/data';

/** One at a time in a store, until the transaction ends: what is decided on several of its rows stays true. */
export const lockStore = async (tx: Sql, storeId: string): Promise<void> => {
  await tx.prepared('store lock', 'SELECT 1 FROM store WHERE store_id = $1 FOR NO KEY UPDATE', [storeId]);
};
