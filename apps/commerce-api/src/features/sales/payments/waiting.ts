import type { Sql } from '@platform/data';
import type { By } from '../../../by';

const hasPendingProof = (order: string): string =>
  `EXISTS (SELECT FROM transfer_proof f WHERE f.store_id = ${order}.store_id AND f.order_id = ${order}.id AND f.status = 'pending')`;

/**
 * SQL of whether a row `order` is cancelled when nobody pays it in time: not one that somebody works on, that is paid at the door, or
 * whose buyer has shown a payment that is still to be looked at.
 */
export const canExpire = (order: string, method = `${order}.payment_method`): string =>
  `(${order}.status = 'open' AND ${method} <> 'cod' AND ${order}.fulfillment_status = 'none' AND NOT ${hasPendingProof(order)})`;

const STOP = 'UPDATE sales_order SET pay_expires_at = NULL WHERE store_id = $1 AND id = $2';
const GO_ON = `UPDATE sales_order SET pay_expires_at = $3
  WHERE store_id = $1 AND id = $2 AND paid_total = 0 AND payment_status IN ('unpaid', 'pending', 'failed') AND ${canExpire('sales_order')}`;

/** A payment was shown for a locked order: it has no end before somebody has looked at it. */
export const stopWaiting = async (tx: Sql, { storeId }: By, orderId: string): Promise<void> => {
  await tx.query(STOP, [storeId, orderId]);
};

/** What was shown for a locked order was none: it waits anew, unless there is more to be looked at. */
export const goOnWaiting = async (tx: Sql, { storeId }: By, orderId: string, until: Date): Promise<void> => {
  await tx.query(GO_ON, [storeId, orderId, until]);
};
