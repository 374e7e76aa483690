import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { fulfil, lockOrder } from '../../sales/orders/public';
import { book, type Booking } from '../../stock/levels/public';
import { openWarehouse } from '../../stock/warehouses/public';
import { progressOf, shipmentById, type Shipment } from '../parcels/public';
import { told } from './packing';
import { returnable, type Moving } from './shipment.rules';
import type { NewShipment } from './shipments.dto';
import { writeShipment } from './shipments.sql';

/** One booking a level; what is not tracked has none. */
const bookings = (moving: readonly Moving[], warehouse_id: string, sign: 1 | -1): Booking[] => {
  const pieces = new Map<string, number>();
  for (const { item, qty } of moving)
    if (item.track_stock) pieces.set(item.variant_id, (pieces.get(item.variant_id) ?? 0) + qty);
  return [...pieces].map(([variant_id, qty]) => ({ variant_id, warehouse_id, delta: sign * qty }));
};

/**
 * Books goods that came back into the warehouse that got them, and damaged ones out of it again; the money is another matter. Throws
 * `nothing_left` for more than was sent and has not come back yet, `waybill_used`, `NotFound`; the transaction is then to be rolled back.
 */
export const takeBack = async (tx: Sql, by: Writer, body: NewShipment): Promise<Shipment> => {
  const { order_id, lines, warehouse_id: asked, ...means } = body;
  const order = await lockOrder(tx, by.storeId, order_id);
  if (order.status === 'draft') throw invalidTransition(order.status);
  const { id: warehouse_id } = await openWarehouse(tx, by.storeId, asked, 'FOR SHARE');
  const moving = returnable(await progressOf(tx, by.storeId, order.id), lines);
  const id = uuidv7();
  const came = lines.map(({ order_item_id, qty, condition = 'good' }) => ({ order_item_id, qty, condition }));
  const shipment = { id, order_id: order.id, direction: 'return', warehouse_id, status: 'delivered' } as const;
  await writeShipment(tx, by, { ...means, ...shipment, lines: came });
  const damaged = moving.filter((_, at) => came[at]?.condition === 'damaged');
  const ref = `shipment:${id}`;
  await book(tx, by, { reason: 'return', ref }, bookings(moving, warehouse_id, 1));
  await book(tx, by, { reason: 'damage', ref }, bookings(damaged, warehouse_id, -1));
  const pieces = came.reduce((sum, { qty }) => sum + qty, 0);
  await fulfil(tx, by, order.id, { type: 'returned', text: `${pieces} came back` });
  return told(tx, by, undefined, await shipmentById(tx, by.storeId, id));
};
