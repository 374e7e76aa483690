import type { OrderRow } from './orders.dto';

/** What an order waits for from the shop's people. */
export type NextStep = 'pay' | 'review' | 'pack' | 'ship' | 'complete' | 'none';

type Standing = Pick<
  OrderRow,
  'status' | 'payment_status' | 'review_reason' | 'fulfillment_status' | 'payment_method' | 'address' | 'shipping'
>;

/** States in which something of it is still to be sent. */
const TO_SEND: ReadonlySet<OrderRow['fulfillment_status']> = new Set([
  ...(['none', 'partially_packed', 'packed', 'partially_shipped'] as const),
]);
const TO_PAY: ReadonlySet<OrderRow['payment_status']> = new Set([
  ...(['unpaid', 'pending', 'partially_paid', 'failed', 'expired'] as const),
]);

/** Something of it travels: what its buyer fetches has no waybill. */
const isParcel = ({ address, shipping }: Pick<Standing, 'address' | 'shipping'>): boolean =>
  shipping?.kind !== 'pickup' && (address !== null || shipping !== null);

/** The one thing to do next with an order. What is paid at the door is sent before there is any money. */
export const nextStep = (order: Standing): NextStep => {
  const { status, payment_status, review_reason, fulfillment_status, payment_method } = order;
  if (payment_status === 'review' || review_reason !== null) return status === 'completed' ? 'none' : 'review';
  if (status !== 'open' && status !== 'processing') return 'none';
  const isSent = !TO_SEND.has(fulfillment_status);
  if (payment_status === 'refunded' && !isSent) return 'none';
  if (TO_PAY.has(payment_status) && (payment_method !== 'cod' || isSent)) return 'pay';
  if (status === 'open') return 'pack';
  return isSent || !isParcel(order) ? 'complete' : 'ship';
};

/** It has its money, or needs none yet, and is to be sent. */
export const isToSend = (order: Standing): boolean => isParcel(order) && ['pack', 'ship'].includes(nextStep(order));
