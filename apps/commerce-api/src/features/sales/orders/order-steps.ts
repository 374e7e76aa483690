import { writeAudit, type Audit, type Database, type Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { By } from '../../../by';
import { releaseRights } from '../../digital/rights/public';
import { cancelPacked, deliverAll, goodsAreOut } from '../../shipping/parcels/public';
import { release, unsell } from '../../stock/levels/public';
import { collectOnDelivery } from '../collecting/public';
import { giveBack } from '../coupons/public';
import { orderChanged } from '../news/public';
import { findGoods, withdrawAttempts } from '../payments/public';
import { isSeen } from '../sight/public';
import { fulfil } from './order-fulfil';
import { orderMachine, orderRefusals } from './order.rules';
import type { BulkStatus, BulkStatusResult, Order, OrderState } from './orders.dto';
import { lockOrder, type LockedOrder } from './order.locks';
import { orderById } from './orders.sql';

/** Who changes an order, and when. */
export interface Changing {
  readonly by: By;
  readonly audit: Audit;
}

// Only what nobody paid in time is cancelled and `expired`: late money opens that again, and never what somebody has cancelled (ADR 81).
// Of what is cancelled nothing is out any more: what was sent has come back, and the rest is not to be sent
const MOVE = `UPDATE sales_order SET status = $3, pay_expires_at = NULL, version = version + 1, updated_at = $4,
    payment_status = CASE WHEN $3 <> 'cancelled' THEN payment_status WHEN refunded_total > 0 THEN 'refunded'
      WHEN payment_status = 'expired' THEN 'unpaid' ELSE payment_status END,
    review_reason = CASE WHEN $3 <> 'cancelled' THEN review_reason END,
    fulfillment_status = CASE WHEN $3 = 'cancelled' AND fulfillment_status = 'partially_shipped' THEN 'partially_returned' ELSE fulfillment_status END,
    completed_at = CASE WHEN $3 = 'completed' THEN $4 ELSE completed_at END,
    cancelled_at = CASE WHEN $3 = 'cancelled' THEN $4 ELSE cancelled_at END
  WHERE store_id = $1 AND id = $2`;
const EVENT = `INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const NOTE = `INSERT INTO order_note (store_id, order_id, id, text, author, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;

/** What a cancelled order had is free again: stock, what is packed included, licence keys, then the coupon's use. */
const letGo = async (tx: Sql, by: By, order: LockedOrder): Promise<void> => {
  const { id, paid, payment_status, fulfillment_status } = order;
  if (paid) throw orderRefusals.refundFirst();
  if (fulfillment_status !== 'none') {
    if (await goodsAreOut(tx, by.storeId, id)) throw orderRefusals.goodsOut();
    if (await cancelPacked(tx, by, id)) await fulfil(tx, by, id, { type: 'unpacked', text: '' });
  }
  await withdrawAttempts(tx, by, id, 'The order was cancelled');
  // What costs nothing is sold without anybody's money, and what was given back was sold
  if (payment_status === 'paid' || payment_status === 'refunded') await unsell(tx, by, { type: 'order', id });
  await release(tx, by, { type: 'order', id });
  await releaseRights(tx, by, id);
  await giveBack(tx, by, id);
};

/** What was packed for a completed order has reached its buyer. Resolves to whether anything did by that. */
const arrive = async (tx: Sql, by: By, { id, fulfillment_status }: LockedOrder): Promise<boolean> => {
  if (fulfillment_status === 'none' || !(await deliverAll(tx, by, id))) return false;
  await fulfil(tx, by, id, { type: 'delivered', text: '' });
  return true;
};

/**
 * Moves an order to another status; for one that was paid after its goods were released, processing reserves them again. Throws
 * `invalid_transition`, `out_of_stock`, `NotFound`, and of one that is to be cancelled `refund_first` when it is paid and `goods_out` when
 * it was sent.
 */
export const moveOrder = async (
  tx: Sql,
  { by, audit }: Changing,
  id: string,
  to: OrderState,
  note = '',
): Promise<Order> => {
  const order = await lockOrder(tx, by.storeId, id);
  const status = orderMachine.next(order.status, to);
  if (status === 'cancelled') await letGo(tx, by, order);
  const hasArrived = status === 'completed' && (await arrive(tx, by, order));
  if (status === 'processing' && order.review_reason === 'stock') await findGoods(tx, by, order.id);
  await tx.query(MOVE, [by.storeId, order.id, status, by.at]);
  await tx.query(EVENT, [by.storeId, order.id, uuidv7(), by.at, status, note, by.actor]);
  await orderChanged(tx, by.storeId, order.id);
  const diff = { status: { from: order.status, to: status } };
  await writeAudit(tx, audit, { action: 'order.write', subject: { type: 'order', id: order.id }, diff });
  if (hasArrived) await collectOnDelivery(tx, by, order.id);
  return orderById(tx, by.storeId, order.id);
};

/** Adds a note for the staff. Throws `NotFound`. */
export const addNote = async (tx: Sql, { by }: Changing, id: string, text: string): Promise<Order> => {
  const order = await lockOrder(tx, by.storeId, id);
  await tx.query(NOTE, [by.storeId, order.id, uuidv7(), text, by.actor, by.at]);
  return orderById(tx, by.storeId, order.id);
};

const codeOf = (error: unknown): string => {
  if (!(error instanceof Failure) || !['conflict', 'notFound'].includes(error.kind)) throw error;
  return error.code ?? 'not_found';
};

/** Moves those that can be moved, each in a transaction of its own, and tells which could not; those that the caller does not see are not there. */
export const moveOrders = async (
  database: Pick<Database, 'tx'> & Sql,
  caller: Pick<Caller, 'storeId' | 'sight'>,
  by: Changing,
  { ids, status }: BulkStatus,
): Promise<BulkStatusResult> => {
  const changed: string[] = [];
  const failed: BulkStatusResult['failed'] = [];
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    const move = (tx: Sql) => moveOrder(tx, by, id, status);
    const isThere = isUuid(id) && (await isSeen(database, caller, 'Order', id));
    const code = isThere ? await database.tx(move).then(() => undefined, codeOf) : 'not_found';
    if (code === undefined) changed.push(id);
    else failed.push({ id, code });
  }
  return { changed, failed };
};
