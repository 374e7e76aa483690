/** Its buyer has shown a transfer that nobody has looked at, which index `transfer_proof_pending` holds. */
export const PROOF_WAITS = `o.status <> 'cancelled' AND o.id IN (
  SELECT f.order_id FROM transfer_proof f WHERE f.store_id = $1 AND f.status = 'pending')`;
