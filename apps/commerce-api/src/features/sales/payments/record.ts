import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import { dueOf, isLate, paymentRefusals, refuseTooMuch, type PayableOrder } from './payment.rules';
import type { HandMethod } from './payments.dto';
import { lockPayable, settleLocked, type Settled } from './settle';
import { ADD_ATTEMPT } from './settle.sql';

/** Money that somebody saw. */
export interface SeenPayment {
  readonly method: HandMethod;
  /** All that is due unless given; less is a down payment. */
  readonly amount?: number | undefined;
  /** Now unless given. */
  readonly paidAt?: Date | undefined;
  readonly note?: string | undefined;
}

const refuseUnpayable = (order: PayableOrder): void => {
  if (order.status === 'cancelled' && !isLate(order)) throw invalidTransition('cancelled');
  if (dueOf(order) === 0) throw paymentRefusals.paid();
};

/** Before the payment is settled: what the caller writes of it, which must not come after. */
export type Beside = (order: PayableOrder, amount: number) => Promise<void>;

/**
 * Records money that was seen for an order and settles it, as the last of the transaction: what else is to be written of it, `beside`
 * writes. Throws `NotFound`, `paid`, `invalid_transition` for one that was cancelled, `gateway_payment` while an attempt is with
 * a provider, `InvalidInput` for more than is due.
 */
export const recordPayment = async (
  tx: Sql,
  by: By,
  orderId: string,
  { method, amount: given, paidAt = by.at, note }: SeenPayment,
  beside: Beside = () => Promise.resolve(),
): Promise<Settled> => {
  const order = await lockPayable(tx, by, orderId);
  refuseUnpayable(order);
  const due = dueOf(order);
  const amount = given ?? due;
  refuseTooMuch(amount, due);
  const id = uuidv7();
  const { currency } = order;
  const attempt = [by.storeId, id, order.id, uuidv7(), method, amount, currency, by.at];
  const added = await tx.prepared('payment add', ADD_ATTEMPT, attempt);
  if (added.length === 0) throw paymentRefusals.gatewayPayment();
  await beside(order, amount);
  return settleLocked(tx, by, { order, attempt: { id, provider: method } }, { amount, currency, paidAt, note });
};
