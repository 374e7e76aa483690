/**
 * Its buyer has shown a transfer that nobody has looked at, which index `transfer_proof_pending` holds; also one who paid too late. Of an order that
 * was cancelled or is paid none is looked at: by then its money has come otherwise, or none is wanted.
 */
export const PROOF_WAITS = `(o.status <> 'cancelled' OR o.payment_status = 'expired') AND o.paid_at IS NULL AND o.id IN (
  SELECT f.order_id FROM transfer_proof f WHERE f.store_id = $1 AND f.status = 'pending')`;
