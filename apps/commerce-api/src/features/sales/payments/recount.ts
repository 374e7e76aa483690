import type { Database } from '@platform/data';
import { audited, type Writer } from '../../../by';
import { regainDeliveries } from '../../digital/rights/public';
import { countSent } from '../../shipping/parcels/public';
import { standingAnew, type PayableOrder } from './payment.rules';
import { keeping, lockPayable, reviewOf, standAnew } from './settle';

/** An order that stands by its money again. */
interface Recounted {
  readonly store_id: string;
  readonly id: string;
  readonly number: string;
  readonly payment_status: string;
}

const OPEN: readonly string[] = ['open', 'processing'];
/** An order of which all money was there once. */
const FULL: readonly string[] = ['paid', 'partially_refunded', 'refunded'];

const STORES = 'SELECT store_id FROM store ORDER BY store_id';
/** How orders stand of which something may be on its way to be sent still, or not any more. */
const PARTLY: readonly string[] = ['packed', 'shipped', 'delivered', 'returned'].map((stage) => `partially_${stage}`);

/** Index `sales_order_status` has those of a store that are open: $1 store, $2 open, $3 full, $4 partly sent. */
const MISTAKEN = `SELECT id FROM sales_order WHERE store_id = $1 AND status = ANY ($2::text[]) AND (fulfillment_status = ANY ($4::text[]) OR paid_at IS NULL
  AND (payment_status = ANY ($3::text[]) OR paid_total > 0 AND paid_total - refunded_total >= total)) ORDER BY id`;

/** It never had all of its money, and reads as if; or it has it and was never sold. */
const isMistaken = ({ status, payment_status, was_full, total, paid_total, refunded_total }: PayableOrder): boolean =>
  !was_full &&
  OPEN.includes(status) &&
  (FULL.includes(payment_status) || (paid_total > 0 && paid_total - refunded_total >= total));

/** Resolves to nothing when it stands right meanwhile. */
const recount = (database: Database, by: Writer, id: string): Promise<Recounted | undefined> =>
  database.tx(async (tx) => {
    const order = await lockPayable(tx, by, id);
    const { number } = order;
    const isSent =
      PARTLY.includes(order.fulfillment_status) && OPEN.includes(order.status) && (await countSent(tx, by, id));
    const kept = await keeping(tx, by, order);
    if (!isMistaken(kept))
      return isSent ? { store_id: by.storeId, id, number, payment_status: order.payment_status } : undefined;
    const reason = await reviewOf(tx, by, order);
    const { payment_status } = standingAnew(kept, reason);
    const change = { before: { payment_status: order.payment_status }, after: { payment_status } };
    await audited(tx, by, { action: 'order.write', type: 'order', id, ...change });
    await regainDeliveries(tx, by, id);
    await standAnew(tx, by, order, reason);
    return { store_id: by.storeId, id, number, payment_status };
  });

/**
 * Open orders that never had all of their money, and that a release before ADR 192 took for paid or given back, stand by what they keep, and how far their goods have come is
 * counted anew where it may have been counted wrong: each in a transaction of its own. The same again changes nothing; what a process of that release writes later is found the next time.
 */
export const recountOrders = async (
  database: Database,
  writerIn: (storeId: string) => Writer,
): Promise<Recounted[]> => {
  const recounted: Recounted[] = [];
  for (const { store_id: storeId } of await database.query<{ store_id: string }>(STORES)) {
    const orders = await database.query<{ id: string }>(MISTAKEN, [storeId, OPEN, FULL, PARTLY]);
    for (const { id } of orders) recounted.push(...[(await recount(database, writerIn(storeId), id)) ?? []].flat());
  }
  return recounted;
};
