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
  review: 'order.review',
};
const types = Object.keys(TOLD);

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

const UNTOLD = `
  SELECT e.id, e.at, e.type, e.actor FROM order_event e
  WHERE e.store_id = $1 AND e.order_id = $2 AND e.at > $3 AND e.type = ANY ($4::text[])
    AND NOT EXISTS (SELECT FROM shop_event s WHERE s.store_id = e.store_id AND s.id = e.id)
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
  const rows = await tx.query<Happened>(UNTOLD, [storeId, id, new Date(now.getTime() - NEWS_MS), types]);
  const events = rows.flatMap(({ id: eventId, at, type, actor }) => {
    const kind = TOLD[type];
    return kind ? [{ eventId, kind, subjectId: id, at: at.toISOString(), actor }] : [];
  });
  await announce(tx, storeId, events);
};
