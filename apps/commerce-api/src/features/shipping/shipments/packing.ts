import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { leaveToBearer } from '../../sales/collecting/public';
import { fulfil, isSold, lockOrder, type LockedOrder } from '../../sales/orders/public';
import { commit, handBack, handOver } from '../../stock/levels/public';
import { openWarehouse } from '../../stock/warehouses/public';
import {
  leftOf,
  moveShipment,
  progressOf,
  shipmentById,
  shipmentsIn,
  stockOfShipment,
  type Shipment,
} from '../parcels/public';
import { packable, shipmentMachine, shipmentRefusals, type Moving } from './shipment.rules';
import type { NewShipment, WaybillInput } from './shipments.dto';
import { keepQuiet, nameWaybill, orderOf, stateOf, waybillOf, writeShipment } from './shipments.sql';

type Means = Pick<NewShipment, 'courier' | 'service' | 'cost' | 'waybill'>;

const ordersStock = (id: string) => ({ type: 'order', id });

/** The audit entry of what was done to a shipment. */
export const told = async (tx: Sql, by: Writer, before: object | undefined, after: Shipment): Promise<Shipment> => {
  const { status, waybill, warehouse_id } = after;
  const now = { status, waybill, warehouse_id };
  await audited(tx, by, { action: 'shipping.write', type: 'shipment', id: after.id, before, after: now });
  return after;
};

const sendable = ({ status }: LockedOrder): void => {
  if (!['open', 'processing'].includes(status)) throw invalidTransition(status);
};

/** The goods of a shipment leave the shelf, if they were not sold before. */
const sendOff = async (tx: Sql, by: Writer, { id, status }: Pick<Shipment, 'id' | 'status'>): Promise<void> => {
  await commit(tx, by, stockOfShipment(id));
  await moveShipment(tx, by, id, { status: shipmentMachine.next(status, 'ship') });
};

const eventText = ({ courier, service, waybill }: Means): string =>
  [courier, service, waybillOf(waybill)].filter(Boolean).join(' ');

interface Packing extends Means {
  readonly warehouse_id: string;
  readonly moving: readonly Moving[];
}

/** Packs goods of a locked order, and sends them off when they have a waybill. */
const packed = async (
  tx: Sql,
  by: Writer,
  order: LockedOrder,
  { moving, warehouse_id, ...means }: Packing,
): Promise<string> => {
  const id = uuidv7();
  await openWarehouse(tx, by.storeId, warehouse_id, 'FOR SHARE');
  const goods = moving.map(({ item: { variant_id, track_stock }, qty }) => ({ variant_id, track_stock, qty }));
  await handOver(tx, by, { from: ordersStock(order.id), to: stockOfShipment(id), warehouse_id }, goods);
  const lines = moving.map(({ item, qty }) => ({ order_item_id: item.id, qty, condition: null }));
  const shipment = {
    id,
    order_id: order.id,
    direction: 'out',
    warehouse_id,
    status: 'packed',
    ...means,
    lines,
  } as const;
  await writeShipment(tx, by, shipment);
  if (means.waybill !== undefined) await sendOff(tx, by, shipment);
  const type = means.waybill === undefined ? 'packed' : 'shipped';
  await fulfil(tx, by, order.id, { type, text: eventText(means) });
  return id;
};

/**
 * Packs lines of an order in one of the store's warehouses, whose stock they take; with a waybill they are on their way. Throws
 * `nothing_left`, `out_of_stock`, `below_reserved`, `waybill_used`, `invalid_transition`, `NotFound`, `InvalidInput`; the transaction is then to
 * be rolled back.
 */
export const packShipment = async (tx: Sql, by: Writer, body: NewShipment): Promise<Shipment> => {
  const { order_id, direction: _direction, lines, warehouse_id, ...means } = body;
  const order = await lockOrder(tx, by.storeId, order_id);
  sendable(order);
  if (means.waybill !== undefined) await leaveToBearer(tx, by, order.id);
  const moving = packable(await progressOf(tx, by.storeId, order.id), lines);
  const id = await packed(tx, by, order, { moving, warehouse_id: warehouse_id.toLowerCase(), ...means });
  return told(tx, by, undefined, await shipmentById(tx, by.storeId, id));
};

/** What a waybill is for: what is packed (there) first, else everything that is left. */
const forWaybill = async (tx: Sql, by: Writer, order: LockedOrder, body: WaybillInput): Promise<string> => {
  const { courier, service, waybill } = body;
  const asked = body.warehouse_id?.toLowerCase();
  const waiting = await shipmentsIn(tx, by, order.id, ['pending', 'packed']);
  const first = waiting.find(({ warehouse_id }) => asked === undefined || warehouse_id === asked);
  if (!first) {
    const items = await progressOf(tx, by.storeId, order.id);
    const moving = items.filter((item) => leftOf(item) > 0).map((item) => ({ item, qty: leftOf(item) }));
    if (moving.length === 0) throw shipmentRefusals.nothingLeft();
    const warehouse_id = asked ?? order.warehouse_id;
    if (warehouse_id === null) throw new NotFound('Warehouse not found');
    return packed(tx, by, order, { moving, warehouse_id, courier, service, waybill });
  }
  const named = await nameWaybill(tx, by, first.id, { courier, service, waybill });
  await sendOff(tx, by, first);
  // By what it says the parcel is found of which the buyer is told
  await fulfil(tx, by, order.id, { type: 'shipped', text: eventText(named) });
  return first.id;
};

/** Records the waybill of an order and sends its goods off. Throws as `packShipment` does. */
export const recordWaybill = async (tx: Sql, by: Writer, orderId: string, body: WaybillInput): Promise<Shipment> => {
  const order = await lockOrder(tx, by.storeId, orderId);
  sendable(order);
  await leaveToBearer(tx, by, order.id);
  const id = await forWaybill(tx, by, order, body);
  if (body.notify === false) await keepQuiet(tx, by, id);
  return told(tx, by, undefined, await shipmentById(tx, by.storeId, id));
};

/** Unpacks what has not been sent; its stock is the order's again. Throws `invalid_transition`, `NotFound`. */
export const cancelShipment = async (tx: Sql, by: Writer, id: string): Promise<Shipment> => {
  const orderId = await orderOf(tx, by.storeId, id);
  const order = await lockOrder(tx, by.storeId, orderId);
  const status = await stateOf(tx, by.storeId, id);
  await moveShipment(tx, by, id, { status: shipmentMachine.next(status, 'cancel') });
  await handBack(tx, by, { from: stockOfShipment(id), to: ordersStock(orderId) });
  // What was packed when its order was paid was not sold by that
  if (isSold(order)) await commit(tx, by, ordersStock(orderId));
  await fulfil(tx, by, orderId, { type: 'unpacked', text: '' });
  const after = await shipmentById(tx, by.storeId, id);
  const { waybill, warehouse_id } = after;
  return told(tx, by, { status, waybill, warehouse_id }, after);
};
