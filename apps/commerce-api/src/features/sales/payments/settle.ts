import { bigintNumber, type Sql } from '@platform/data';
import { Failure, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { holdKeys } from '../../digital/rights/public';
import type { PaidFact, Settled } from '../../../paid-fact';
import { postLater } from '../../ledger/postings/public';
import { commitLater, goodsOf, lockLevels, reserve } from '../../stock/levels/public';
import { holdAgain, use } from '../coupons/public';
import { orderChanged } from '../news/public';
import { paidNews } from './paid.observers';
import {
  afterPayment,
  lacksGoods,
  standingAnew,
  type PayableOrder,
  type ReviewReason,
  type Standing,
} from './payment.rules';
import { orderPaid, settlementOf, type Settlement, type Tolled } from './payment.posting';
import type { AttemptState, PaymentMode, PaymentProvider } from './payments.dto';
import { isPutAside, settleBill } from './settle-bill';
import { LACKING, LEAVING, LOCK_ORDER, LOCK_PAYMENT, STAND } from './settle.sql';
import { surplusOf } from './surplus';

/** An attempt to pay a locked order. */
export interface Attempt extends Tolled {
  readonly id: string;
  readonly provider: PaymentProvider;
}

/** Amounts arrive as text. */
const orderOf = (row: PayableOrder): PayableOrder => ({
  ...row,
  total: bigintNumber.from(row.total),
  paid_total: bigintNumber.from(row.paid_total),
  refunded_total: bigintNumber.from(row.refunded_total),
});

/** Locks an order for its payments. Throws `NotFound`, also for an order of another store. */
export const lockPayable = async (tx: Sql, { storeId, at }: By, orderId: string): Promise<PayableOrder> => {
  const [row] = await tx.prepared<PayableOrder>('order for payment', LOCK_ORDER, [storeId, orderId, at]);
  if (row) return orderOf(row);
  throw new NotFound('Order not found');
};

/** A locked order by the money that stays: of one that never had all of it, what is on its way back buys nothing, as if it had gone. */
export const keeping = async (tx: Sql, { storeId }: By, order: PayableOrder): Promise<PayableOrder> => {
  if (order.was_full || order.paid_total === 0) return order;
  const [row] = await tx.query<{ amount: string }>(LEAVING, [storeId, order.id]);
  return { ...order, refunded_total: order.refunded_total + bigintNumber.from(row?.amount ?? '0') };
};

const isShort = (error: unknown): boolean => error instanceof Failure && error.code === 'out_of_stock';

/** What a locked order sells and has no goods for. */
const lackingOf = (
  tx: Sql,
  { storeId }: By,
  orderId: string,
): Promise<{ readonly variant_id: string; readonly qty: number }[]> => tx.query(LACKING, [storeId, orderId]);

/** What an order lacks of its goods is reserved again, its licence keys too, and then its coupon's use is held again. Throws `out_of_stock`. */
const regain = async (tx: Sql, by: By, order: PayableOrder): Promise<void> => {
  const goods = await lackingOf(tx, by, order.id);
  const owner = { type: 'order', id: order.id };
  const lines = goods.map((line) => ({ ...line, warehouse_id: order.warehouse_id ?? '' }));
  // All that is sold with them, before the coupon
  await lockLevels(tx, by, [...(await goodsOf(tx, by, owner)), ...lines]);
  if (lines.length > 0) await reserve(tx, by, owner, lines);
  await holdKeys(tx, by, order.id);
  if (order.has_coupon) await holdAgain(tx, by, order.id);
};

/** Whether the goods of an order are held for it: those that were released are reserved again, where there are enough. */
const holdsGoods = async (tx: Sql, by: By, order: PayableOrder): Promise<boolean> => {
  if (!lacksGoods(order)) return true;
  await tx.query('SAVEPOINT goods');
  try {
    await regain(tx, by, order);
    return true;
  } catch (error) {
    if (!isShort(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT goods');
    return false;
  }
};

/** What is sold leaves the shelf, and the coupon's use counts. */
const sell = async (tx: Sql, by: By, order: PayableOrder): Promise<void> => {
  await commitLater(tx, by, { type: 'order', id: order.id });
  if (order.has_coupon) await use(tx, by, order.id);
};

/** The payment that an order stands by, and what the timeline tells of it. */
interface Told extends Omit<PaidFact, 'amount' | 'currency' | 'note'> {
  readonly id: string;
  readonly eventId: string;
  readonly text: string;
  readonly settlement: Settlement | null;
}

/** Of STAND, from $11 to $17. */
const paymentValues = ({ at }: By, told: Told | undefined): unknown[] => {
  if (!told) return [at, null, null, null, null, null, null];
  const { id, paidAt, providerRef = null, channel = null, fee = null, eventId, text } = told;
  return [paidAt, id, providerRef, channel, fee, eventId, text];
};

/** Writes what a payment, or none, has made of its order, and tells the observers of one that is sold: the last statement of a transaction. */
const stand = async (tx: Sql, by: By, order: PayableOrder, standing: Standing, told?: Told): Promise<void> => {
  const { paid_total, status, payment_status, review_reason, completes } = standing;
  const needsReceipt = completes && order.receipt_no === null;
  const { storeId, actor, at } = by;
  const news = standing.sells ? paidNews({ storeId, orderId: order.id, at: at.toISOString(), actor }) : null;
  await tx.later('order stands', STAND, [
    ...[storeId, order.id, at, paid_total, status, payment_status, review_reason, needsReceipt, order.year],
    ...[actor, ...paymentValues(by, told), news],
    ...[told?.settlement?.amount ?? null, told?.settlement?.dueAt ?? null, told?.tellsBot === true, completes],
  ]);
};

/** An attempt of an order that `lockPayable` has locked is paid. */
export const settleLocked = async (
  tx: Sql,
  by: By,
  { order, attempt }: { readonly order: PayableOrder; readonly attempt: Attempt },
  { amount, currency, note, ...told }: PaidFact,
): Promise<Settled> => {
  // Before that of the observers, which comes after it in the timeline
  const eventId = uuidv7();
  const hasGoods = await holdsGoods(tx, by, order);
  const standing = afterPayment(await keeping(tx, by, order), amount, hasGoods);
  if (standing.sells) await sell(tx, by, order);
  const text = [`${amount} ${currency} by ${attempt.provider}`, ...(note ? [note] : [])].join(': ');
  await postLater(tx, by, orderPaid(attempt, { amount, currency, fee: told.fee }));
  const settlement = settlementOf(attempt, { amount, paidAt: told.paidAt });
  await stand(tx, by, order, standing, { ...told, id: attempt.id, eventId, text, settlement });
  return standing.review_reason === null ? (standing.payment_status as Settled) : 'review';
};

interface LockedPayment extends PayableOrder {
  readonly payment_id: string;
  readonly attempt_status: AttemptState;
  readonly provider: PaymentProvider;
  readonly amount: string;
  readonly asked_currency: string;
  readonly mode: PaymentMode;
  readonly platform_fee: string;
}

/**
 * The only door to paid (design 3.1): webhooks, polls, proofs and people all come through it, in the transaction of their own
 * effects, and do nothing else after it; those of a bill are settled by `settleBill`. Under the locks of the order and the payment: a payment that is paid already changes nothing,
 * another amount or currency than was asked for is put aside to be looked at, and otherwise the payment is paid. When that completes
 * the order's money, its goods are sold, its coupon is used, it gets a receipt, and the observers get their jobs. Money for an order
 * whose time was over opens it again. Throws `NotFound`.
 */
export const settlePayment = async (tx: Sql, by: By, paymentId: string, fact: PaidFact): Promise<Settled> => {
  const [row] = await tx.prepared<LockedPayment>('payment lock', LOCK_PAYMENT, [by.storeId, paymentId, by.at]);
  if (!row) return settleBill(tx, by, paymentId, fact);
  const { payment_id: id, attempt_status: status, provider, asked_currency: currency, mode } = row;
  if (status === 'paid' || status === 'reversed') return 'already';
  if (await isPutAside(tx, by, { id, amount: bigintNumber.from(row.amount), currency }, fact)) {
    // Somebody must look at it, and is told
    await orderChanged(tx, by.storeId, row.id);
    return 'review';
  }
  const attempt = { id, provider, mode, platformFee: bigintNumber.from(row.platform_fee) };
  return settleLocked(tx, by, { order: orderOf(row), attempt }, fact);
};

/** An order that costs nothing is paid when it is placed, without anybody's payment. */
export const settleNothing = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const order = await lockPayable(tx, by, orderId);
  await sell(tx, by, order);
  await stand(tx, by, order, afterPayment(order, 0, true));
};

/** What is the matter with a locked order that has money: a cancelled order has some that is not its own; one that was paid when its goods were gone has none of them now. */
export const reviewOf = async (tx: Sql, by: By, order: PayableOrder): Promise<ReviewReason | null> => {
  if (order.status === 'cancelled') return 'cancelled';
  if (order.review_reason !== null) return order.review_reason;
  if ((await lackingOf(tx, by, order.id)).length > 0) return 'stock';
  return (await surplusOf(tx, by, order)) > 0 ? 'overpaid' : null;
};

/**
 * A locked order stands by the money that it keeps and by what is the matter with it, without another payment, as the last of a transaction.
 * One that has all of it for the first time, or its goods at last, is sold as by the payment that completes it. `booked`: what the ledger is
 * told, whose accounts are locked after stock.
 */
export const standAnew = async (
  tx: Sql,
  by: By,
  order: PayableOrder,
  review_reason: ReviewReason | null,
  booked: () => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  const standing = standingAnew(await keeping(tx, by, order), review_reason);
  if (standing.sells) await sell(tx, by, order);
  await booked();
  await stand(tx, by, order, standing);
};

/**
 * The goods of an order in review for them are tried again. Throws `out_of_stock`; the transaction is then to be rolled back. Nothing
 * happens to an order that lacks none.
 */
export const findGoods = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const order = await lockPayable(tx, by, orderId);
  if (order.review_reason !== 'stock') return;
  await regain(tx, by, order);
  await standAnew(tx, by, order, (await surplusOf(tx, by, order)) > 0 ? 'overpaid' : null);
};
