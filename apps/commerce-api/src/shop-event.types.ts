/** What happens in a shop that somebody outside the transaction hears of. */
export const shopEventKinds = [
  'order.created',
  'order.paid',
  'order.shipped',
  'order.delivered',
  'order.completed',
  'order.cancelled',
  'order.refunded',
  'order.review',
  'stock.low',
  'withdrawal.paid',
  'withdrawal.failed',
] as const;
export type ShopEventKind = (typeof shopEventKinds)[number];

/** One thing that happened, told once for its `eventId`. Who needs more reads the subject as it stands. */
export interface ShopEvent {
  readonly storeId: string;
  readonly eventId: string;
  readonly kind: ShopEventKind;
  /** The order, variant or withdrawal. */
  readonly subjectId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
}
