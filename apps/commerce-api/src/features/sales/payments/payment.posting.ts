import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { arrived, isPosted, reverse, type Entry, type Posting } from '../../ledger/postings/public';
import type { PaymentMode } from './payments.dto';

/** Whose the money of a payment is, and what the platform keeps of it. */
export interface Tolled {
  readonly mode: PaymentMode;
  readonly platformFee: number;
}

/** Money that a person saw: the store has it, and the platform keeps nothing. */
export const seenByHand: Tolled = { mode: 'direct', platformFee: 0 };

/** So long the money of a payment waits before the store can dispose of it: the provider pays it out as late, and may take it back. */
const SETTLE_DAYS = 2;
const DAY_MS = 86_400_000;

/** What of a payment waits in the wallet, and until when. */
export interface Settlement {
  readonly amount: number;
  readonly dueAt: Date;
}

interface Money {
  readonly amount: number;
  readonly currency: string;
  /** What the provider keeps. */
  readonly fee?: number | undefined;
}

/** A small payment pays no more of a fee than it brings. */
const tollOf = ({ platformFee }: Tolled, amount: number): number => Math.min(platformFee, amount);

/** The store has it already; the platform only writes it down. */
const outside = (amount: number): readonly Entry[] => [
  { account: 'external_cash', side: 'D', amount },
  { account: 'external_sales', side: 'C', amount },
];

const entriesOf = (tolled: Tolled, { amount, fee }: Money): readonly Entry[] => {
  if (tolled.mode === 'direct') return outside(amount);
  const toll = tollOf(tolled, amount);
  return [
    ...arrived(amount, fee),
    { account: 'wallet_pending', side: 'C', amount: amount - toll },
    { account: 'fee_revenue', side: 'C', amount: toll },
  ];
};

/** Under which a paid order is posted. */
export const orderPaidKey = (paymentId: string): string => `order_paid:${paymentId}`;

/** A paid payment of an order, as the ledger tells it (design 3.4). */
export const orderPaid = (attempt: Tolled & { readonly id: string }, money: Money): Posting => ({
  ...{ key: orderPaidKey(attempt.id), kind: 'order_paid', ref: attempt.id, currency: money.currency },
  entries: entriesOf(attempt, money),
});

/** What of it waits in the wallet; null where the store has the money already. */
export const settlementOf = (
  attempt: Tolled,
  { amount, paidAt }: { readonly amount: number; readonly paidAt: Date },
): Settlement | null =>
  attempt.mode === 'direct'
    ? null
    : { amount: amount - tollOf(attempt, amount), dueAt: new Date(paidAt.getTime() + SETTLE_DAYS * DAY_MS) };

/** Takes the posting of a payment back; one of before there was a ledger has none. */
export const unpost = async (tx: Sql, by: By, paymentId: string): Promise<void> => {
  const original = orderPaidKey(paymentId);
  if (!(await isPosted(tx, by.storeId, original))) return;
  await reverse(tx, by, { key: `payment_reversed:${paymentId}`, original, kind: 'payment_reversed' });
};
