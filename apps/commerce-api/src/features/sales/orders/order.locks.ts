import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Order } from './orders.dto';

/*
 * Everybody who writes orders locks in this order, and leaves out what is none of theirs; so nobody waits in a circle (ADR 89):
 *
 * 1. the key of the request, and the cart that is placed;
 * 2. the plan's counters, contacts by id, and the job that tells chat-backend: who locks that is not kept from rows of the store, which others
 *    lock FOR NO KEY UPDATE only;
 * 3. the order, then its payments, refunds, proofs, shipments and deliveries of downloads, and its own jobs;
 * 4. warehouses, shared; whoever edits goods has their products by id;
 * 5. levels of stock by variant and warehouse: an operation of several statements has `lockLevels` lock all of them first;
 *    licence keys of an order are locked under it alone, and free ones are passed over while somebody takes them: nobody waits for a key;
 * 6. coupons by id: a try that did not get one gives its locks back before the next;
 * 7. what of its payments has not settled, then accounts of the ledger by code;
 * 8. the counter of receipts, and that of credit notes.
 */

type Decisive =
  | 'id'
  | 'number'
  | 'contact_id'
  | 'status'
  | 'payment_status'
  | 'fulfillment_status'
  | 'review_reason'
  | 'warehouse_id'
  | 'version';
/** What writes of an order decide on. */
export interface LockedOrder extends Pick<Order, Decisive> {
  readonly paid: boolean;
}

const LOCK = `SELECT id, number, contact_id, status, payment_status, fulfillment_status, review_reason, warehouse_id, version,
    paid_total > refunded_total AS paid FROM sales_order
  WHERE store_id = $1 AND id = $2 FOR UPDATE`;

/** Locks an order until the transaction ends. Throws `NotFound`, also for one of another store. */
export const lockOrder = async (tx: Sql, storeId: string, id: string): Promise<LockedOrder> => {
  const [row] = await tx.query<LockedOrder>(LOCK, [storeId, id]);
  if (row) return row;
  throw new NotFound('Order not found');
};

/** Whether what a locked order buys is its own. Too much money is looked at by somebody; the goods are sold. */
export const isSold = ({ status, payment_status, review_reason }: LockedOrder): boolean =>
  status !== 'cancelled' &&
  (['paid', 'partially_refunded'].includes(payment_status) ||
    (payment_status === 'review' && review_reason === 'overpaid'));
