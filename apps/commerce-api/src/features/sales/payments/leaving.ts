/** How refunds stand whose money is on its way back. */
const LEAVING = ['requested', 'processing'] as const;

interface AnyRefund {
  readonly status: string;
  readonly amount: number;
}

/** What of an order's refunds is on its way back. */
export const leavingOf = (refunds: readonly AnyRefund[]): number =>
  refunds.reduce((sum, { status, amount }) => (LEAVING.some((each) => each === status) ? sum + amount : sum), 0);

/** SQL of the same. */
export const leavingFrom = (store: string, order: string): string => `
  (SELECT coalesce(sum(r.amount), 0)::bigint FROM refund r
    WHERE r.store_id = ${store} AND r.order_id = ${order} AND r.status IN (${LEAVING.map((each) => `'${each}'`).join(', ')}))`;

/** SQL of what the papers of an order `o` say is paid: of one that never had all of its money, what it keeps. */
export const PAID_OF_ORDER = `
  CASE WHEN o.paid_at IS NULL THEN o.paid_total - o.refunded_total - ${leavingFrom('o.store_id', 'o.id')} ELSE o.paid_total END`;
