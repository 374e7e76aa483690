import { listingOf, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { lockStore } from '../../../store.lock';
import { demandSeen } from '../../../web/seen';
import { WarehousesQuery, type Warehouse, type WarehouseBody } from './warehouses.dto';

/** Sums over warehouses fit 32 bits. */
const MOST_WAREHOUSES = 200;
const COLUMNS = 'w.id, w.name, w.phone, w.address, w.is_default, w.status';

export const warehouseRefusals = {
  notEmpty: (): Failure => new Conflict('There is stock in the warehouse', { code: 'not_empty' }),
  isDefault: (): Failure => new Conflict('Make another warehouse the default first', { code: 'is_default' }),
  tooMany: (): Failure =>
    new Conflict(`A store has at most ${MOST_WAREHOUSES} warehouses`, { code: 'too_many_warehouses' }),
} as const;

export const warehouseListing = listingOf(WarehousesQuery, {
  from: 'warehouse w',
  tenant: 'w.store_id',
  select: COLUMNS,
  sort: { name: 'w.name', created_at: 'w.created_at' },
  usualSort: 'name',
  tie: 'w.id',
  where: { status: 'w.status = ?' },
  read: (row: Warehouse) => row,
});

/** Throws `NotFound`, also for one that is closed or another store's. */
export const openWarehouse = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<Warehouse> => {
  const statement = `SELECT ${COLUMNS} FROM warehouse w WHERE w.store_id = $1 AND w.id = $2 AND w.status = 'active' ${lock}`;
  const [row] = await sql.prepared<Warehouse>(`open warehouse ${lock}`, statement, [storeId, id]);
  if (row) return row;
  throw new NotFound('Warehouse not found');
};

/** Those that are open, the default one first. */
export const openWarehouses =
  (sql: Sql) =>
  (storeId: string): Promise<Pick<Warehouse, 'id' | 'name'>[]> =>
    sql.prepared<Pick<Warehouse, 'id' | 'name'>>(
      'open warehouses',
      `SELECT w.id, w.name FROM warehouse w WHERE w.store_id = $1 AND w.status = 'active' ORDER BY w.is_default DESC, w.name, w.id`,
      [storeId],
    );

const told = async (tx: Sql, by: Writer, before: Warehouse | undefined, after: Warehouse): Promise<Warehouse> => {
  await audited(tx, by, { action: 'warehouse.write', type: 'warehouse', id: after.id, before, after });
  return after;
};

/** The first of a store is its default. */
export const createWarehouse = async (tx: Sql, by: Writer, body: WarehouseBody): Promise<Warehouse> => {
  const { storeId, at } = by;
  await lockStore(tx, storeId);
  const insert = `INSERT INTO warehouse AS w (store_id, id, name, phone, address, is_default, created_at, updated_at)
    SELECT $1::varchar, $2, $3, $4, $5, NOT EXISTS (SELECT FROM warehouse o WHERE o.store_id = $1 AND o.is_default), $6, $6
    WHERE (SELECT count(*) FROM warehouse o WHERE o.store_id = $1) < ${MOST_WAREHOUSES} RETURNING ${COLUMNS}`;
  const values = [storeId, uuidv7(), body.name, body.phone, JSON.stringify(body.address), at];
  const [row] = await tx.query<Warehouse>(insert, values);
  if (!row) throw warehouseRefusals.tooMany();
  return told(tx, by, undefined, row);
};

/** What a form shows of it. */
export const editableOf = ({ name, phone, address }: Warehouse): object => ({ name, phone, address });

/** Throws `NotFound`, and `version_conflict` when it is not any more what was `seen` of it. */
export const changeWarehouse = async (
  tx: Sql,
  by: Writer,
  id: string,
  { name, phone, address }: WarehouseBody,
  seen?: string,
): Promise<Warehouse> => {
  const { storeId, at } = by;
  const before = await openWarehouse(tx, storeId, id, 'FOR UPDATE');
  demandSeen(seen, editableOf(before));
  const update = `UPDATE warehouse w SET name = $3, phone = $4, address = $5, updated_at = $6
    WHERE w.store_id = $1 AND w.id = $2 AND w.status = 'active' RETURNING ${COLUMNS}`;
  const [row] = await tx.query<Warehouse>(update, [storeId, id, name, phone, JSON.stringify(address), at]);
  if (!row) throw new NotFound('Warehouse not found');
  return told(tx, by, before, row);
};

/** Those that a change of the default writes, in the order in which whoever needs several has them stay. */
const LOCK_DEFAULTS = `SELECT FROM warehouse WHERE store_id = $1 AND (is_default OR id = $2) ORDER BY id FOR NO KEY UPDATE`;

export const makeDefault = async (tx: Sql, by: Writer, id: string): Promise<Warehouse> => {
  const { storeId, at } = by;
  await lockStore(tx, storeId);
  await tx.query(LOCK_DEFAULTS, [storeId, id]);
  const warehouse = await openWarehouse(tx, storeId, id);
  const update = (condition: string, is: boolean) =>
    tx.query(
      `UPDATE warehouse SET is_default = ${is}, updated_at = $3 WHERE store_id = $1 AND ${condition} AND is_default <> ${is}`,
      [storeId, id, at],
    );
  await update('id <> $2', false);
  await update('id = $2', true);
  return told(tx, by, warehouse, { ...warehouse, is_default: true });
};

const FILLED = `SELECT 1 FROM stock_level WHERE store_id = $1 AND warehouse_id = $2
  AND (on_hand <> 0 OR reserved <> 0 OR incoming <> 0) LIMIT 1`;

/** Closes it: its movements stay. Throws `is_default`, or `not_empty` when it has stock or waits for some. */
export const closeWarehouse = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const { storeId, at } = by;
  const before = await openWarehouse(tx, storeId, id, 'FOR UPDATE');
  if (before.is_default) throw warehouseRefusals.isDefault();
  if ((await tx.query(FILLED, [storeId, id])).length > 0) throw warehouseRefusals.notEmpty();
  await told(tx, by, before, { ...before, status: 'closed' });
  await tx.query(`UPDATE warehouse SET status = 'closed', updated_at = $3 WHERE store_id = $1 AND id = $2`, [
    storeId,
    id,
    at,
  ]);
};
