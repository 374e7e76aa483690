import type { Sql } from '@platform/data';
import { boughtBy } from '../../sales/buyers/public';

const LOCK = 'SELECT 1 FROM contact WHERE store_id = $1 AND id = $2 FOR NO KEY UPDATE';
const COUNT = `UPDATE contact SET orders_count = $3, spent = $4, last_order_at = $5
  WHERE store_id = $1 AND id = $2 AND (orders_count, spent, last_order_at) IS DISTINCT FROM ($3::int, $4::bigint, $5::timestamptz)
  RETURNING id`;

/**
 * Counts the orders of a contact anew; whether that changed anything. The contact is locked before its orders are read, so that of two
 * who count at once the later one has seen all that the other saw.
 */
export const countOrders = async (tx: Sql, storeId: string, id: string): Promise<boolean> => {
  await tx.later('buyer lock', LOCK, [storeId, id]);
  const { orders, spent, lastAt } = await boughtBy(tx, storeId, id);
  return (await tx.prepared('buyer count', COUNT, [storeId, id, orders, spent, lastAt])).length > 0;
};
