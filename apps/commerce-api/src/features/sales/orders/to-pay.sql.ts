/** Nobody has paid all of it, and index `sales_order_unpaid` holds them. */
export const UNPAID = `o.status = 'open' AND o.payment_status IN ('unpaid', 'pending', 'partially_paid')`;

/** Its goods or its amount must be looked at, or money that came to it; index `sales_order_review` holds them. */
export const REVIEW = `o.status IN ('open', 'processing', 'cancelled') AND (o.payment_status = 'review' OR o.review_reason IS NOT NULL)`;
