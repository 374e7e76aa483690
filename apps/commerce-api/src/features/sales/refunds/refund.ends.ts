import { bigintNumber, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { notify } from '../../../notify';
import { revokeDeliveries, type ReturnedLine } from '../../digital/rights/public';
import { changedOrder } from '../news/public';
import {
  keeping,
  lockPayable,
  standAnew,
  reviewOf,
  standingOf,
  surplusOf,
  type PayableOrder,
} from '../payments/public';
import { given, takeBack, type RefundMoney } from './refund.money';
import { ALERT, FAIL, LOCK, RETURN, RETURNED, SAME, SUCCEED } from './refunds.sql';
import type { RefundState } from './refunds.dto';

const ENDED = SUCCEED(changedOrder('sales_order'));
const OPEN: readonly RefundState[] = ['requested', 'processing'];

type Standing = Pick<PayableOrder, 'payment_status' | 'review_reason'>;

/**
 * What a refund makes of its order: what is too much no longer is once so much was given back that was not for its lines, and whatever else is to
 * be looked at stays until all is given back; but goods that an unpaid order lacks are still lacking then. `surplus`: what is too much still.
 */
const afterRefund = (order: PayableOrder, amount: number, surplus: number): Standing => {
  const after = { ...order, refunded_total: order.refunded_total + amount };
  const { payment_status, review_reason, was_full } = order;
  const isNothingLeft = after.refunded_total >= order.paid_total && (was_full || review_reason !== 'stock');
  const isEven = review_reason === 'overpaid' && surplus <= 0;
  if (payment_status !== 'review' || isNothingLeft || isEven)
    return { payment_status: standingOf(after), review_reason: null };
  return { payment_status, review_reason };
};

interface LockedRefund extends Omit<RefundMoney, 'amount' | 'fee_share' | 'from_pending'> {
  readonly order_id: string;
  readonly amount: string;
  readonly fee_share: string;
  readonly from_pending: string;
}

const locked = async (
  tx: Sql,
  { storeId }: By,
  id: string,
  states: readonly RefundState[] = OPEN,
): Promise<RefundMoney | undefined> => {
  const [row] = await tx.query<LockedRefund>(LOCK, [storeId, id, states]);
  return (
    row && {
      ...row,
      amount: bigintNumber.from(row.amount),
      fee_share: bigintNumber.from(row.fee_share),
      from_pending: bigintNumber.from(row.from_pending),
    }
  );
};

/** Downloads and licence keys of what is paid back stop: of whole lines, or of the order. Money alone, without lines, stops none of them. */
const revoke = async (
  tx: Sql,
  by: By,
  orderId: string,
  { id, isWhole }: { readonly id: string; readonly isWhole: boolean },
): Promise<void> => {
  if (isWhole) return revokeDeliveries(tx, by, orderId);
  const lines = await tx.query<ReturnedLine>(RETURNED, [by.storeId, orderId, id]);
  if (lines.length > 0) await revokeDeliveries(tx, by, orderId, lines);
};

/** The buyer has the money of a refund, once: only now it counts. `order` is locked. Resolves to whether it was open. */
export const succeedLocked = async (
  tx: Sql,
  by: By,
  order: PayableOrder,
  { id, ref = null }: { readonly id: string; readonly ref?: string | null },
): Promise<boolean> => {
  const refund = await locked(tx, by, id);
  if (!refund) return false;
  const surplus = order.review_reason === 'overpaid' ? await surplusOf(tx, by, order, id) : 0;
  const { payment_status, review_reason } = afterRefund(order, refund.amount, surplus);
  await revoke(tx, by, order.id, { id, isWhole: payment_status === 'refunded' });
  await given(tx, by, refund);
  const text = `${refund.amount} ${refund.currency} given back: ${refund.method}`;
  const values = [
    by.storeId,
    id,
    order.id,
    by.at,
    payment_status,
    review_reason,
    order.year,
    uuidv7(),
    text,
    by.actor,
    ref,
  ];
  await tx.query(ENDED, values);
  return true;
};

/** The same for a refund that somebody else has worked on meanwhile. */
export const succeed = async (tx: Sql, by: By, orderId: string, refund: Parameters<typeof succeedLocked>[3]) =>
  succeedLocked(tx, by, await lockPayable(tx, by, orderId), refund);

/** Whether what a refund was to give back makes the money of an order all, or too much, which nobody looks at yet. */
const changes = async (tx: Sql, by: By, order: PayableOrder, { id }: RefundMoney): Promise<boolean> => {
  const { was_full, total, paid_total, refunded_total, review_reason } = await keeping(tx, by, order);
  if (!was_full) return paid_total - refunded_total >= total;
  if (review_reason !== null) return false;
  const surplus = await surplusOf(tx, by, order);
  return surplus > 0 && (await surplusOf(tx, by, order, id)) < surplus;
};

/**
 * What an order was to give back stays: with that one that never had all of its money may have it, and is sold as by the payment that completes
 * it; for one that was paid again by then it is too much.
 */
const stay = async (tx: Sql, by: By, order: PayableOrder, refund: RefundMoney): Promise<void> => {
  if (!(await changes(tx, by, order, refund))) return takeBack(tx, by, refund);
  await standAnew(tx, by, order, await reviewOf(tx, by, order), () => takeBack(tx, by, refund));
};

/** The refund has failed, and whoever gives money back is told: by then nobody looks at its order. */
const end = async (tx: Sql, by: By, { id: orderId, number }: PayableOrder, id: string, why: string): Promise<void> => {
  await tx.query(FAIL, [by.storeId, id, orderId, by.at, why, uuidv7(), by.actor]);
  const notice = { storeId: by.storeId, id: `refund:${id}`, params: { number }, url: `/orders/${orderId}` };
  await notify(tx, { ...notice, event: 'refund.failed' });
};

/**
 * The money of a refund did not go: it counts nothing, and the wallet has it again. Resolves to whether it was open. The last of the transaction. With a `mark` only while
 * nobody has asked for it since: of two who asked, one may hear its refusal when the other was not refused.
 */
export const fail = async (
  tx: Sql,
  by: By,
  orderId: string,
  { id, why, mark }: { readonly id: string; readonly why: string; readonly mark?: string | undefined },
): Promise<boolean> => {
  const order = await lockPayable(tx, by, orderId);
  const refund = await locked(tx, by, id);
  if (!refund || (mark !== undefined && (await tx.query(SAME, [by.storeId, id, mark])).length === 0)) return false;
  await end(tx, by, order, id, why);
  await stay(tx, by, order, refund);
  return true;
};

/** A provider says that the money of a refund that has failed here has gone, or will: it may be given twice, so somebody must look. */
export const contradict = async (tx: Sql, { storeId }: By, id: string, says: string): Promise<void> => {
  await tx.query(ALERT, [storeId, id, `The provider says ${says}, it is failed`]);
};

/**
 * The money of a refund that had gone is back: it counts no more but keeps its number, the wallet has it, and it can be given anew. An order
 * that has all of its money by that is sold. The last of the transaction.
 */
export const comeBack = async (
  tx: Sql,
  by: By,
  orderId: string,
  { id, why }: { readonly id: string; readonly why: string },
) => {
  const order = await lockPayable(tx, by, orderId);
  const refund = await locked(tx, by, id, ['succeeded']);
  if (!refund) return;
  await end(tx, by, order, id, why);
  await tx.query(RETURN, [by.storeId, orderId, refund.amount]);
  const after = { ...order, refunded_total: order.refunded_total - refund.amount };
  await standAnew(tx, by, after, await reviewOf(tx, by, after), () => takeBack(tx, by, refund, true));
};
