import type { Sql } from '@platform/data';
import { announce } from '../../../announce';
import type { ShopEventKind } from '../../../shop-event.types';

/** What of an order's timeline others hear of. */
const TOLD: Readonly<Record<string, ShopEventKind>> = {
  placed: 'order.created',
  paid: 'order.paid',
  shipped: 'order.shipped',
  delivered: 'order.delivered',
  completed: 'order.completed',
  cancelled: 'order.cancelled',
  refunded: 'order.refunded',
};
const types = Object.keys(TOLD);
/** What somebody must look at is no entry of the timeline: one that is called so there tells that somebody has. */
const REVIEW = 'order.review';

interface Happened {
  readonly id: string;
  readonly at: Date;
  readonly type: string;
  readonly actor: string;
}

const DAY_MS = 86_400_000;
/** What is older is news to nobody, so that rows of `shop_event` need not be kept longer. */
const NEWS_MS = 3 * DAY_MS;
export const KEPT_MS = NEWS_MS + 4 * DAY_MS;

/**
 * Of an order in review the money that came last, which put it there; of a payment of another sum than was asked for when that came first; and
 * what a provider was paid after somebody had left with a parcel who is paid for it at the door.
 */
const TO_LOOK_AT = `
  (SELECT e.id, e.at, '${REVIEW}', e.actor FROM order_event e
    JOIN sales_order o ON o.store_id = e.store_id AND o.id = e.order_id AND o.review_reason IS NOT NULL
  WHERE e.store_id = $1 AND e.order_id = $2 AND e.type IN ('payment', 'refund_failed') ORDER BY e.at DESC, e.id DESC LIMIT 1)
  UNION
  (SELECT DISTINCT ON (p.id) e.id, e.at, '${REVIEW}', e.actor FROM payment p
    JOIN payment_event e ON e.store_id = p.store_id AND e.payment_id = p.id AND e.type = 'review'
  WHERE p.store_id = $1 AND p.order_id = $2 AND p.review_reason IS NOT NULL ORDER BY p.id, e.at, e.id)
  UNION
  (SELECT e.id, e.at, '${REVIEW}', e.actor FROM payment p
    JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id AND o.payment_method = 'cod'
    JOIN payment_event e ON e.store_id = p.store_id AND e.payment_id = p.id AND e.type = 'paid'
  WHERE p.store_id = $1 AND p.order_id = $2 AND p.provider IN ('a', 'b', 'c') AND p.status = 'paid' AND EXISTS (
    SELECT FROM shipment s JOIN shipment_event m ON m.store_id = s.store_id AND m.shipment_id = s.id AND m.code = 'in_transit'
    WHERE s.store_id = $1 AND s.order_id = $2 AND s.direction = 'out' AND (m.at, m.id) < (e.at, e.id) AND NOT EXISTS (
      SELECT FROM shipment_event d WHERE d.store_id = $1 AND d.shipment_id = s.id AND d.code IN ('delivered', 'returned') AND (d.at, d.id) < (e.at, e.id))))`;

const UNTOLD = `
  SELECT e.id, e.at, e.type, e.actor FROM (
    SELECT t.id, t.at, t.type, t.actor FROM order_event t
    WHERE t.store_id = $1 AND t.order_id = $2 AND t.type = ANY ($4::text[])
    UNION ${TO_LOOK_AT}) e
  WHERE e.at > $3 AND NOT EXISTS (SELECT FROM shop_event s WHERE s.store_id = $1 AND s.id = e.id)
  ORDER BY e.at, e.id`;

/**
 * Announces what has happened to an order and was not announced yet. Called with every change of it, by the job that follows each; the row
 * of an event is what keeps it from being told twice.
 */
export const announceOrder = async (
  tx: Sql,
  { storeId, id }: { readonly storeId: string; readonly id: string },
  now: Date,
): Promise<void> => {
  const rows = await tx.prepared<Happened>('untold of order', UNTOLD, [
    storeId,
    id,
    new Date(now.getTime() - NEWS_MS),
    types,
  ]);
  const events = rows.flatMap(({ id: eventId, at, type, actor }) => {
    const kind = type === REVIEW ? REVIEW : TOLD[type];
    return kind ? [{ eventId, kind, subjectId: id, at: at.toISOString(), actor }] : [];
  });
  await announce(tx, storeId, events);
};
