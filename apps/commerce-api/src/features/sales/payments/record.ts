import { bigintNumber, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { createHash } from 'node:crypto';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import type { Settled } from '../../../paid-fact';
import { dueOf, isLate, paymentRefusals, refuseTooMuch, type PayableOrder } from './payment.rules';
import type { HandMethod } from './payments.dto';
import { seenByHand } from './payment.posting';
import { keeping, lockPayable, settleLocked } from './settle';
import { ADD_ATTEMPT } from './settle.sql';

/** Money that somebody saw. */
export interface SeenPayment {
  readonly method: HandMethod;
  /** All that is due unless given; less is a down payment. */
  readonly amount?: number | undefined;
  /** Now unless given. */
  readonly paidAt?: Date | undefined;
  readonly note?: string | undefined;
  /** Of the request: under it the payment is recorded once. */
  readonly key?: string | undefined;
  /** Whose the key is; whoever records the payment unless given. */
  readonly keyOf?: string | undefined;
}

/** A key belongs to whoever uses it, and to one order. */
const requestOf = (owner: string, orderId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([owner, orderId, key]))
    .digest('hex')
    .slice(0, 32);

const RECORDED = 'SELECT provider, amount FROM payment WHERE store_id = $1 AND request_id = $2 AND order_id = $3';

/** Whether the locked order has this payment already. Throws `idempotency_mismatch` when that was another one. */
const isRecorded = async (tx: Sql, { storeId }: By, order: PayableOrder, id: string, seen: SeenPayment) => {
  const [row] = await tx.query<{ provider: string; amount: string }>(RECORDED, [storeId, id, order.id]);
  if (!row) return false;
  const amount = bigintNumber.from(row.amount);
  if (row.provider !== seen.method || (seen.amount ?? amount) !== amount) throw paymentRefusals.keyUsed();
  return true;
};

const refuseUnpayable = (order: PayableOrder): void => {
  if (order.status === 'cancelled' && !isLate(order)) throw invalidTransition('cancelled');
  if (dueOf(order) === 0) throw paymentRefusals.paid();
};

/** Before the payment is settled: what the caller writes of it, which must not come after. */
export type Beside = (order: PayableOrder, amount: number) => Promise<void>;

/**
 * Records money that was seen for an order and settles it, as the last of the transaction: what else is to be written of it, `beside`
 * writes. Throws `NotFound`, `paid`, `invalid_transition` for one that was cancelled, `gateway_payment` while an attempt is with
 * a provider, `InvalidInput` for more than is due, `idempotency_mismatch`. What its key has recorded already is `already`: nothing happens.
 */
export const recordPayment = async (
  tx: Sql,
  by: By,
  orderId: string,
  seen: SeenPayment,
  beside: Beside = () => Promise.resolve(),
): Promise<Settled> => {
  const order = await lockPayable(tx, by, orderId);
  const { method, amount: given, paidAt = by.at, note, key, keyOf = by.actor } = seen;
  const request = key === undefined ? uuidv7() : requestOf(keyOf, order.id, key);
  if (key !== undefined && (await isRecorded(tx, by, order, request, seen))) return 'already';
  const kept = await keeping(tx, by, order);
  refuseUnpayable(kept);
  const due = dueOf(kept);
  const amount = given ?? due;
  refuseTooMuch(amount, due);
  const id = uuidv7();
  const { currency } = order;
  const attempt = [by.storeId, id, order.id, request, method, amount, currency, by.at];
  const added = await tx.prepared('payment add', ADD_ATTEMPT, attempt);
  if (added.length === 0) throw paymentRefusals.gatewayPayment();
  await beside(order, amount);
  return settleLocked(
    tx,
    by,
    { order, attempt: { id, provider: method, ...seenByHand } },
    { amount, currency, paidAt, note },
  );
};
