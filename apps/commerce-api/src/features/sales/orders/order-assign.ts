import { writeAudit, type Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import { relocate } from '../../stock/levels/public';
import { openWarehouse } from '../../stock/warehouses/public';
import { orderChanged } from '../news/public';
import type { Changing } from './order-steps';
import type { Assignment, Order } from './orders.dto';
import { lockOrder, type LockedOrder } from './order.locks';
import { orderById } from './orders.sql';

const MEMBER = `SELECT 1 FROM membership WHERE store_id = $1 AND user_id = $2 AND status = 'active'`;
const ASSIGN = `
  WITH event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $2, $5, $6, 'assigned', $7, $8)
  )
  UPDATE sales_order SET assignee_id = coalesce($3, assignee_id), warehouse_id = coalesce($4, warehouse_id),
    version = version + 1, updated_at = $6 WHERE store_id = $1 AND id = $2`;

const refuseStranger = async (tx: Sql, { storeId }: By, userId: string | undefined): Promise<void> => {
  if (userId === undefined) return;
  if ((await tx.query(MEMBER, [storeId, userId])).length === 0) throw new NotFound('Member not found');
};

/** What is not packed yet is taken from there: its stock moves along, or the order stays where it is. */
const moveGoods = async (tx: Sql, by: By, { id, status }: LockedOrder, warehouseId: string): Promise<void> => {
  if (!['open', 'processing'].includes(status)) throw invalidTransition(status);
  await openWarehouse(tx, by.storeId, warehouseId, 'FOR SHARE');
  await relocate(tx, by, { type: 'order', id }, warehouseId);
};

/**
 * Gives an order to a member, to a warehouse, or both. Throws `NotFound`, `out_of_stock` or `below_reserved` when the warehouse has not
 * everything, `invalid_transition` for the warehouse of an order that has ended, `InvalidInput` for neither.
 */
export const assignOrder = async (
  tx: Sql,
  { by, audit }: Changing,
  id: string,
  { user_id, warehouse_id }: Assignment,
): Promise<Order> => {
  const to = { assignee_id: user_id?.toLowerCase(), warehouse_id: warehouse_id?.toLowerCase() };
  const given = Object.entries(to).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    throw new InvalidInput([{ field: 'user_id', tag: 'required', message: 'user_id or warehouse_id is required' }]);
  const order = await lockOrder(tx, by.storeId, id);
  await refuseStranger(tx, by, to.assignee_id);
  if (to.warehouse_id !== undefined) await moveGoods(tx, by, order, to.warehouse_id);
  const told = given.map(([field]) => (field === 'assignee_id' ? 'To a member' : 'To a warehouse')).join(', ');
  const values = [by.storeId, order.id, to.assignee_id ?? null, to.warehouse_id ?? null, uuidv7(), by.at, told];
  await tx.query(ASSIGN, [...values, by.actor]);
  await orderChanged(tx, by.storeId, order.id);
  const diff = Object.fromEntries(given.map(([field, value]) => [field, { to: value }]));
  await writeAudit(tx, audit, { action: 'order.write', subject: { type: 'order', id: order.id }, diff });
  return orderById(tx, by.storeId, order.id);
};
