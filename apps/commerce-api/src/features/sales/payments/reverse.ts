import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import { unsellUnsent } from '../../shipping/parcels/public';
import { release } from '../../stock/levels/public';
import { unuse } from '../coupons/public';
import { orderChanged } from '../news/public';
import { paymentRefusals, type PayableOrder } from './payment.rules';
import { handMethods, type PaymentProvider } from './payments.dto';
import { unpost } from './payment.posting';
import { lockPayable } from './settle';
import { canExpire, reviewEnds } from './waiting';

const PAID = `SELECT id, provider FROM payment WHERE store_id = $1 AND order_id = $2 AND status = 'paid'`;

/** Opened again without its goods, of which nothing has been packed since. */
const ends = ({ review_reason, fulfillment_status }: PayableOrder): boolean =>
  review_reason === 'stock' && fulfillment_status === 'none';
const ENDS = `(review_reason IS NOT DISTINCT FROM 'stock' AND fulfillment_status = 'none')`;

/** $1 store, $2 order, $3 now, $4 actor, $5 until when the order waits for its payment again, $6 event's id, $7 text. */
const REVERSE = `
  WITH reversed AS (
    UPDATE payment SET status = 'reversed', updated_at = $3 WHERE store_id = $1 AND order_id = $2 AND status = 'paid' RETURNING id
  ), told AS (
    INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
    SELECT $1, id, uuidv7(), $3, 'reversed', $7, $4 FROM reversed
  ), event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $6, $3, 'payment_reversed', $7, $4)
  )
  UPDATE sales_order SET paid_total = 0, review_reason = NULL, paid_at = NULL, version = version + 1, updated_at = $3,
    payment_status = CASE WHEN ${ENDS} THEN 'expired' ELSE 'unpaid' END,
    status = CASE WHEN ${ENDS} THEN 'cancelled' ELSE status END,
    cancelled_at = CASE WHEN ${ENDS} THEN $3 ELSE cancelled_at END,
    pay_expires_at = CASE WHEN ${canExpire('sales_order')} AND NOT ${ENDS} THEN coalesce(${reviewEnds('sales_order')}, $5::timestamptz) END
  WHERE store_id = $1 AND id = $2`;

const isByHand = (provider: PaymentProvider): boolean => handMethods.some((method) => method === provider);

interface PaidByHand {
  readonly id: string;
  readonly provider: PaymentProvider;
}

/** The payments of an order, all of which a person recorded. */
const reversible = async (tx: Sql, { storeId }: By, order: PayableOrder): Promise<readonly PaidByHand[]> => {
  const paid = await tx.query<PaidByHand>(PAID, [storeId, order.id]);
  if (paid.some(({ provider }) => !isByHand(provider))) throw paymentRefusals.gatewayPayment();
  if (paid.length === 0 || order.refunded_total > 0) throw invalidTransition(order.payment_status);
  return paid;
};

/**
 * Takes back every payment of an order that was recorded by hand, and resolves to the order as it was. Goods that have not left, packed ones
 * too, are held for it again; one that was opened again without its goods is cancelled as before, unless some were packed since; its receipt keeps its number. Throws `NotFound`, `gateway_payment` when one came from a provider, `invalid_transition`
 * when there is none, or money was given back.
 */
export const reversePayments = async (
  tx: Sql,
  by: By,
  orderId: string,
  { waitsUntil, note = '' }: { readonly waitsUntil: Date; readonly note?: string | undefined },
): Promise<PayableOrder> => {
  const order = await lockPayable(tx, by, orderId);
  const paid = await reversible(tx, by, order);
  await unsellUnsent(tx, by, order.id);
  if (ends(order)) await release(tx, by, { type: 'order', id: order.id });
  if (order.has_coupon) await unuse(tx, by, order.id);
  for (const { id } of paid) await unpost(tx, by, id);
  await orderChanged(tx, by.storeId, order.id);
  await tx.query(REVERSE, [by.storeId, order.id, by.at, by.actor, waitsUntil, uuidv7(), note]);
  return order;
};
