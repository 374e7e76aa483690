/** Nobody has paid all of it, and index `sales_order_unpaid` holds them. */
export const UNPAID = `o.status = 'open' AND o.payment_status IN ('unpaid', 'pending', 'partially_paid')`;

/** Another sum than was asked for has come for it; index `payment_put_aside` holds those payments, whose orders are looked up by their ids. */
const PUT_ASIDE = `o.id = ANY (ARRAY(SELECT p.order_id FROM payment p
  WHERE p.store_id = $1 AND p.review_reason = 'amount' AND p.order_id IS NOT NULL))`;
/** Its goods or its amount must be looked at, which index `sales_order_review` holds, or money that came to it. */
export const REVIEW = `o.status IN ('open', 'processing', 'cancelled')
  AND (o.payment_status = 'review' OR o.review_reason IS NOT NULL OR ${PUT_ASIDE})`;
