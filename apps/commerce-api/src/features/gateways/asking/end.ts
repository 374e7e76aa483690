import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { collectOnDelivery } from '../../sales/collecting/public';
import { endAttempts, type AttemptEnd } from '../../sales/payments/public';
import { LOCK_BILL, LOCK_ORDER } from './ask.sql';

/** What a payment pays. */
interface PaidFor {
  readonly order_id: string | null;
  readonly invoice_id: string | null;
}

/** Locks what a payment pays, with the next statement. */
export const lockPaid = (tx: Sql, storeId: string, { order_id, invoice_id }: PaidFor): Promise<void> =>
  order_id === null
    ? tx.later('bill of payment lock', LOCK_BILL, [storeId, invoice_id])
    : tx.later('order of payment lock', LOCK_ORDER, [storeId, order_id]);

/**
 * Ends an attempt that nobody has paid, as the last of the transaction. Whatever has arrived while it was waited for was paid at the door:
 * nobody else would say so any more.
 */
export const endUnpaid = async (
  tx: Sql,
  by: By,
  payment: PaidFor & { readonly id: string },
  end: AttemptEnd,
): Promise<void> => {
  await lockPaid(tx, by.storeId, payment);
  await endAttempts(tx, by, [payment.id], end);
  if (payment.order_id !== null) await collectOnDelivery(tx, by, payment.order_id);
};
