import { bigintNumber, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { changedOrder } from '../news/public';
import { lockPayable, type PayableOrder } from '../payments/public';
import { given, takeBack, type RefundMoney } from './refund.money';
import { FAIL, LOCK, SUCCEED } from './refunds.sql';

const ENDED = SUCCEED(changedOrder('sales_order'));

type Standing = Pick<PayableOrder, 'payment_status' | 'review_reason'>;

/** What a refund makes of its order: what is too much no longer is, and whatever else is to be looked at stays until all is given back. */
export const afterRefund = (order: PayableOrder, amount: number): Standing => {
  const kept = order.paid_total - order.refunded_total - amount;
  if (kept <= 0) return { payment_status: 'refunded', review_reason: null };
  const { review_reason, payment_status, total } = order;
  if (review_reason === 'overpaid' && kept === total) return { payment_status: 'paid', review_reason: null };
  const isOver = review_reason === 'overpaid' && kept < total;
  return payment_status === 'review' && !isOver
    ? { payment_status, review_reason }
    : { payment_status: 'partially_refunded', review_reason: null };
};

interface LockedRefund extends Omit<RefundMoney, 'amount' | 'fee_share' | 'from_pending'> {
  readonly order_id: string;
  readonly amount: string;
  readonly fee_share: string;
  readonly from_pending: string;
}

const locked = async (tx: Sql, { storeId }: By, id: string): Promise<RefundMoney | undefined> => {
  const [row] = await tx.query<LockedRefund>(LOCK, [storeId, id]);
  return (
    row && {
      ...row,
      amount: bigintNumber.from(row.amount),
      fee_share: bigintNumber.from(row.fee_share),
      from_pending: bigintNumber.from(row.from_pending),
    }
  );
};

/** The buyer has the money of a refund, once: only now it counts. `order` is locked. */
export const succeedLocked = async (
  tx: Sql,
  by: By,
  order: PayableOrder,
  { id, ref = null }: { readonly id: string; readonly ref?: string | null },
): Promise<void> => {
  const refund = await locked(tx, by, id);
  if (!refund) return;
  await given(tx, by, refund);
  const { payment_status, review_reason } = afterRefund(order, refund.amount);
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
};

/** The same for a refund that somebody else has worked on meanwhile. */
export const succeed = async (tx: Sql, by: By, orderId: string, refund: Parameters<typeof succeedLocked>[3]) =>
  succeedLocked(tx, by, await lockPayable(tx, by, orderId), refund);

/** The money of a refund did not go: it counts nothing, and the wallet has it again. */
export const fail = async (
  tx: Sql,
  by: By,
  orderId: string,
  { id, why }: { readonly id: string; readonly why: string },
) => {
  await lockPayable(tx, by, orderId);
  const refund = await locked(tx, by, id);
  if (!refund) return;
  await takeBack(tx, by, refund);
  await tx.query(FAIL, [by.storeId, id, orderId, by.at, why, uuidv7(), by.actor]);
};
