import type { Sql } from '@platform/data';
import type { By } from '../../../by';

/** So long a payment that was shown, and that nobody has looked at, keeps its order and the goods of it (ADR 101). */
const REVIEW = "interval '7 days'";

/** SQL of until when a row `order` waits for somebody to look at what its buyer has shown; null when nothing is to be looked at. */
export const reviewEnds = (order: string): string =>
  `(SELECT min(f.created_at) + ${REVIEW} FROM transfer_proof f
    WHERE f.store_id = ${order}.store_id AND f.order_id = ${order}.id AND f.status = 'pending')`;

/** SQL of whether a row `order` is cancelled when nobody pays it in time: not one that somebody works on, or that is paid at the door. */
export const canExpire = (order: string, method = `${order}.payment_method`): string =>
  `(${order}.status = 'open' AND ${method} <> 'cod' AND ${order}.fulfillment_status = 'none')`;

const SHOWN = `UPDATE sales_order SET pay_expires_at = greatest(pay_expires_at, ${reviewEnds('sales_order')})
  WHERE store_id = $1 AND id = $2 AND pay_expires_at IS NOT NULL`;
const GO_ON = `UPDATE sales_order SET pay_expires_at = coalesce(${reviewEnds('sales_order')}, $3)
  WHERE store_id = $1 AND id = $2 AND paid_total = 0 AND payment_status IN ('unpaid', 'pending', 'failed', 'expired') AND ${canExpire('sales_order')}`;

/** A payment was shown for a locked order: it waits until somebody has looked at it, but a week at most. */
export const waitForReview = async (tx: Sql, { storeId }: By, orderId: string): Promise<void> => {
  await tx.query(SHOWN, [storeId, orderId]);
};

/** What was shown for a locked order was none: it waits anew, or for what else is to be looked at. */
export const goOnWaiting = async (tx: Sql, { storeId }: By, orderId: string, until: Date): Promise<void> => {
  await tx.query(GO_ON, [storeId, orderId, until]);
};
