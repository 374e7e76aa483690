import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { commit, goodsOf, handBack, lockLevels, unsell, type Owner } from '../../stock/levels/public';
import { goneOf, progressOf } from './fulfillment';
import { moveShipment, shipmentsIn } from './parcels.sql';

/** Who has the stock of what is packed. */
export const stockOfShipment = (id: string) => ({ type: 'shipment', id });

const stockOfOrder = (id: string): Owner => ({ type: 'order', id });

/** Those that have goods of an order which have not left: itself, and what is packed of it. Their levels are locked at once. */
const lockUnsent = async (tx: Sql, by: By, orderId: string) => {
  const packed = await shipmentsIn(tx, by, orderId, ['pending', 'packed']);
  const owners = [stockOfOrder(orderId), ...packed.map(({ id }) => stockOfShipment(id))];
  const goods = [];
  if (packed.length > 0) for (const owner of owners) goods.push(...(await goodsOf(tx, by, owner)));
  if (goods.length > 0) await lockLevels(tx, by, goods);
  return { packed, owners };
};

/** What is packed is the order's again, and so is its stock. Resolves to whether anything was. The caller holds the order's lock. */
export const cancelPacked = async (tx: Sql, by: By, orderId: string): Promise<boolean> => {
  const { packed } = await lockUnsent(tx, by, orderId);
  for (const { id } of packed) {
    await handBack(tx, by, { from: stockOfShipment(id), to: stockOfOrder(orderId) });
    await moveShipment(tx, by, id, { status: 'cancelled' });
  }
  return packed.length > 0;
};

/** What was sold to an order and has not left is held again, by it and by what is packed of it. The caller holds the order's lock. */
export const unsellUnsent = async (tx: Sql, by: By, orderId: string): Promise<void> => {
  const { owners } = await lockUnsent(tx, by, orderId);
  for (const owner of owners) await unsell(tx, by, owner);
};

/** Whether somebody has goods of the order that the shop has not back. */
export const goodsAreOut = async (tx: Sql, storeId: string, orderId: string): Promise<boolean> =>
  (await progressOf(tx, storeId, orderId)).some((item) => goneOf(item) > 0);

/**
 * Everything that was packed has reached its buyer; what has not left the books yet leaves them. Resolves to whether anything was. The caller
 * holds the order's lock.
 */
export const deliverAll = async (tx: Sql, by: By, orderId: string): Promise<boolean> => {
  const open = await shipmentsIn(tx, by, orderId, ['pending', 'packed', 'in_transit']);
  const goods = [];
  for (const { id } of open) goods.push(...(await goodsOf(tx, by, stockOfShipment(id))));
  if (goods.length > 0) await lockLevels(tx, by, goods);
  for (const { id, status } of open) {
    await commit(tx, by, stockOfShipment(id));
    if (status !== 'in_transit') await moveShipment(tx, by, id, { status: 'in_transit' });
    await moveShipment(tx, by, id, { status: 'delivered' });
  }
  return open.length > 0;
};
