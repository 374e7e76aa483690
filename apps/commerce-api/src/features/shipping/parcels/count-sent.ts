import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { changedOrder } from '../../sales/news/public';
import { fulfillmentOf, progressOf } from './fulfillment';

/** $1 store, $2 order, $3 state, $4 now. */
const SENT_SO_FAR = `
  UPDATE sales_order SET fulfillment_status = $3, version = version + 1, updated_at = $4
  WHERE store_id = $1 AND id = $2 AND fulfillment_status <> $3 RETURNING (${changedOrder('sales_order')}).id AS job`;

/** How far the goods of a locked order have come is counted anew, where none of them has moved. Resolves to whether that is something else than before. */
export const countSent = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<boolean> => {
  const state = fulfillmentOf(await progressOf(tx, storeId, orderId));
  return (await tx.query(SENT_SO_FAR, [storeId, orderId, state, at])).length > 0;
};
