import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { fulfillmentOf, progressOf } from '../../shipping/parcels/public';
import { orderChanged } from '../news/public';

const FULFIL = `
  WITH event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $4, $5, $6, $7, $8)
  )
  UPDATE sales_order SET fulfillment_status = $3, pay_expires_at = NULL, version = version + 1, updated_at = $5 WHERE store_id = $1 AND id = $2`;

/**
 * Writes down that goods of an order have moved, and how far they all are now. Nobody cancels it any more because it was not paid in time:
 * somebody is at work on it. The caller holds the order's lock.
 */
export const fulfil = async (
  tx: Sql,
  { storeId, at, actor }: By,
  orderId: string,
  { type, text }: { readonly type: string; readonly text: string },
): Promise<void> => {
  const status = fulfillmentOf(await progressOf(tx, storeId, orderId));
  await tx.prepared('order fulfil', FULFIL, [storeId, orderId, status, uuidv7(), at, type, text, actor]);
  await orderChanged(tx, storeId, orderId);
};
