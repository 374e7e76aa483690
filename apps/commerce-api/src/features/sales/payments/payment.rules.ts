import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import { leavingOf } from './leaving';

/** An order as its payments see it, locked. Amounts in the settlement unit of its currency. */
export interface PayableOrder {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly payment_status: string;
  readonly fulfillment_status: string;
  readonly total: number;
  readonly paid_total: number;
  readonly refunded_total: number;
  /** All its money was there once: what was given back since is not asked for again. */
  readonly was_full: boolean;
  readonly currency: string;
  readonly warehouse_id: string | null;
  readonly receipt_no: string | null;
  readonly review_reason: ReviewReason | null;
  readonly has_coupon: boolean;
  /** On the clocks of the store. */
  readonly year: number;
}

export type ReviewReason = 'overpaid' | 'stock' | 'cancelled';

/** What a payment makes of its order. */
export interface Standing {
  readonly paid_total: number;
  readonly status: string;
  readonly payment_status: string;
  readonly review_reason: ReviewReason | null;
  /** All its money is there, with this payment. */
  readonly completes: boolean;
  /** Its goods are sold: whoever waits for that is told. */
  readonly sells: boolean;
}

/** Cancelled because nobody paid in time: money that comes late opens it again. */
export const isLate = ({ status, payment_status }: Pick<PayableOrder, 'status' | 'payment_status'>): boolean =>
  status === 'cancelled' && payment_status === 'expired';

/** Its reservation was released, and is to be tried again. */
export const lacksGoods = (order: Pick<PayableOrder, 'status' | 'payment_status' | 'review_reason'>): boolean =>
  isLate(order) || order.review_reason === 'stock';

type Money = Pick<PayableOrder, 'total' | 'paid_total' | 'refunded_total'>;
type Counted = Money & Pick<PayableOrder, 'was_full'>;

/** What is left to be paid: money that was given back before all of it had come is to come again. */
export const dueOf = ({ total, paid_total, refunded_total, was_full }: Counted): number =>
  was_full ? 0 : Math.max(0, total - paid_total + refunded_total);

/** An order as its answers name its money. */
export interface Owed extends Money {
  readonly paid_at: string | Date | null;
  readonly refunds: Parameters<typeof leavingOf>[0];
}

/** The same of such a one, where what is on its way back is to come again, too: it buys nothing (`keeping`). */
export const leftToPay = ({ total, paid_total, refunded_total, paid_at, refunds }: Owed): number =>
  dueOf({ total, paid_total, refunded_total: refunded_total + leavingOf(refunds), was_full: paid_at !== null });

/** How an order stands by its money alone. One that never had all of it waits for what it lacks, whatever was given back. */
export const standingOf = (order: Counted & Pick<PayableOrder, 'status'>): string => {
  const { status, total, paid_total, refunded_total, was_full } = order;
  const kept = paid_total - refunded_total;
  if (was_full && kept >= total) return 'paid';
  if (kept > 0) return was_full ? 'partially_refunded' : 'partially_paid';
  return was_full || status === 'cancelled' ? 'refunded' : 'unpaid';
};

/** Its goods may be sold, whatever is the matter with it: what is too much of its money is for somebody to look at. */
const maySell = (reason: ReviewReason | null): boolean => reason === null || reason === 'overpaid';

/** So much money came for this order; `hasGoods`: what it sells is held for it, perhaps again. */
export const afterPayment = (order: PayableOrder, amount: number, hasGoods: boolean): Standing => {
  const paid_total = order.paid_total + amount;
  const wasFull = amount > 0 && order.was_full;
  const counted = wasFull ? paid_total : paid_total - order.refunded_total;
  const isFull = counted >= order.total;
  const wasSold = wasFull && !lacksGoods(order);
  const late = isLate(order);
  const reason = (): ReviewReason | null => {
    if (order.status === 'cancelled' && !late) return 'cancelled';
    if (!hasGoods) return 'stock';
    return counted > order.total ? 'overpaid' : null;
  };
  const review_reason = reason();
  const paid = isFull ? 'paid' : 'partially_paid';
  return {
    ...{ paid_total, status: late ? 'open' : order.status, payment_status: review_reason ? 'review' : paid },
    ...{ review_reason, completes: isFull && !wasFull },
    sells: isFull && !wasSold && maySell(review_reason),
  };
};

/** How an order stands without another payment: money or goods of it have come back, and this is the matter with it now. */
export const standingAnew = (order: PayableOrder, review_reason: ReviewReason | null): Standing => {
  const { status, total, paid_total, refunded_total, was_full } = order;
  const isFull = was_full || paid_total - refunded_total >= total;
  const wasSold = was_full && !lacksGoods(order);
  const payment_status = review_reason === null ? standingOf({ ...order, was_full: isFull }) : 'review';
  const sells = isFull && !wasSold && maySell(review_reason);
  return { paid_total, status, payment_status, review_reason, completes: isFull, sells };
};

export const paymentRefusals = {
  gatewayPayment: (): Failure =>
    new Conflict('The payment is with a provider, which tells of it itself', { code: 'gateway_payment' }),
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different payment', { code: 'idempotency_mismatch' }),
  paid: (): Failure => new Conflict('The order is paid', { code: 'paid' }),
} as const;

/** Throws `InvalidInput` for more than is due. */
export const refuseTooMuch = (amount: number, due: number): void => {
  if (amount <= due) return;
  throw new InvalidInput([{ field: 'amount', tag: 'max', message: `amount must be ${due} or less: that is due` }]);
};
