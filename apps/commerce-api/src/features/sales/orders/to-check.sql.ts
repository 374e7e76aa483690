/**
 * Its buyer has shown a transfer that nobody has looked at, which index `transfer_proof_pending` holds; also one who paid too late. Of an order that
 * was cancelled none is looked at.
 */
export const PROOF_WAITS = `(o.status <> 'cancelled' OR o.payment_status = 'expired') AND o.id IN (
  SELECT f.order_id FROM transfer_proof f WHERE f.store_id = $1 AND f.status = 'pending')`;
/** Money of it is waited for, and index `sales_order_unpaid` holds them. */
export const UNPAID = `o.status = 'open' AND o.payment_status IN ('unpaid', 'pending', 'partially_paid')`;
/** The goods or the amount must be looked at, or money that came to one that was cancelled; index `sales_order_review` holds them. */
export const IN_REVIEW = `o.status IN ('open', 'processing', 'cancelled') AND (o.payment_status = 'review' OR o.review_reason IS NOT NULL)`;
