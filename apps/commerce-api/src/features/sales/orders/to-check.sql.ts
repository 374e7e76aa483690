/**
 * Its buyer has shown a transfer that nobody has looked at, which index `transfer_proof_pending` holds; also one who paid too late. Of an order that
 * was cancelled none is looked at.
 */
export const PROOF_WAITS = `(o.status <> 'cancelled' OR o.payment_status = 'expired') AND o.id IN (
  SELECT f.order_id FROM transfer_proof f WHERE f.store_id = $1 AND f.status = 'pending')`;
