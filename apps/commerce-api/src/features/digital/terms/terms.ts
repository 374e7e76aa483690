import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';

/** Of a digital product for which nobody has set anything. */
export const USUAL = { max_downloads: 5, valid_days: 30, needs_key: false };

/** Locked: what is decided on its terms and files holds until the transaction ends. Throws `NotFound`, also for what is not digital. */
export const lockDigital = async (tx: Sql, storeId: string, id: string): Promise<void> => {
  await demandDigital(tx, storeId, id, 'FOR UPDATE');
};

/** Throws `NotFound` for what is no digital product of the store. */
export const demandDigital = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<void> => {
  const find = `SELECT 1 FROM product WHERE store_id = $1 AND id = $2 AND kind = 'digital' ${lock}`;
  if ((await sql.prepared(`digital product ${lock}`, find, [storeId, id])).length === 0)
    throw new NotFound('Product not found');
};
