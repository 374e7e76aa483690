import { bigintNumber, listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import { ShippingMethodsQuery, type ShippingMethod, type ShippingMethodBody } from './methods.dto';

/** Every cart is compared with all of them. */
const MOST_METHODS = 50;
const COLUMNS = 'm.id, m.kind, m.name, m.cost, m.free_over, m.areas, m.max_weight_g, m.active';

export const methodRefusals = {
  tooMany: (): Failure =>
    new Conflict(`A store has at most ${MOST_METHODS} shipping methods`, { code: 'too_many_methods' }),
} as const;

type Stored = Omit<ShippingMethod, 'cost' | 'free_over'> & { readonly cost: string; readonly free_over: string | null };
const read = (row: Stored): ShippingMethod => ({
  ...row,
  cost: bigintNumber.from(row.cost),
  free_over: bigintNumber.from(row.free_over),
});

export const methodListing = listingOf(ShippingMethodsQuery, {
  from: 'shipping_method m',
  tenant: 'm.store_id',
  select: COLUMNS,
  sort: { name: 'm.name' },
  usualSort: 'name',
  tie: 'm.id',
  where: { active: 'm.active = ?' },
  read,
});

export const ACTIVE_METHODS = `SELECT ${COLUMNS} FROM shipping_method m WHERE m.store_id = $1 AND m.active ORDER BY m.name, m.id`;

/** Those that buyers may choose, at most `MOST_METHODS`. */
export const activeMethods = async (sql: Sql, storeId: string): Promise<ShippingMethod[]> =>
  (await sql.prepared<Stored>('shipping methods', ACTIVE_METHODS, [storeId])).map(read);

const complete = (id: string, body: ShippingMethodBody): ShippingMethod => {
  const { kind, name, cost = 0, free_over = null, areas = [], max_weight_g = null, active = true } = body;
  if (kind !== 'pickup' || areas.length === 0) return { id, kind, name, cost, free_over, areas, max_weight_g, active };
  throw new InvalidInput([{ field: 'areas', tag: 'excluded', message: 'areas do not go with pickup: buyers come' }]);
};

const columnsOf = ({ kind, name, cost, free_over, areas, max_weight_g, active }: ShippingMethod) => [
  ...[kind, name, cost, free_over, areas, max_weight_g, active],
];

const told = async (tx: Sql, by: Writer, before?: ShippingMethod, after?: ShippingMethod): Promise<void> => {
  const id = (after ?? before)?.id ?? '';
  await audited(tx, by, { action: 'shipping.write', type: 'shipping_method', id, before, after });
};

/** Throws `too_many_methods`, `InvalidInput`. */
export const createMethod = async (tx: Sql, by: Writer, body: ShippingMethodBody): Promise<ShippingMethod> => {
  const method = complete(uuidv7(), body);
  // One at a time in a store, so that the count stays true
  await tx.query('SELECT 1 FROM store WHERE store_id = $1 FOR NO KEY UPDATE', [by.storeId]);
  const insert = `INSERT INTO shipping_method (store_id, id, kind, name, cost, free_over, areas, max_weight_g, active, created_at, updated_at)
    SELECT $1::varchar, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10
    WHERE (SELECT count(*) FROM shipping_method o WHERE o.store_id = $1) < ${MOST_METHODS} RETURNING id`;
  const rows = await tx.query(insert, [by.storeId, method.id, ...columnsOf(method), by.at]);
  if (rows.length === 0) throw methodRefusals.tooMany();
  await told(tx, by, undefined, method);
  return method;
};

const methodById = async (tx: Sql, storeId: string, id: string): Promise<ShippingMethod> => {
  const statement = `SELECT ${COLUMNS} FROM shipping_method m WHERE m.store_id = $1 AND m.id = $2 FOR UPDATE`;
  const [row] = await tx.query<Stored>(statement, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Shipping method not found');
};

/** What a form shows of it. */
export const editableOf = ({ id: _id, ...method }: ShippingMethod): object => method;

/** What is not given is as in a new one. Throws `NotFound`, `InvalidInput`, and `version_conflict` when it is not any more what was `seen` of it. */
export const changeMethod = async (
  tx: Sql,
  by: Writer,
  id: string,
  body: ShippingMethodBody,
  seen?: string,
): Promise<ShippingMethod> => {
  const before = await methodById(tx, by.storeId, id);
  demandSeen(seen, editableOf(before));
  const after = complete(before.id, body);
  const update = `UPDATE shipping_method SET kind = $3, name = $4, cost = $5, free_over = $6, areas = $7, max_weight_g = $8,
    active = $9, updated_at = $10 WHERE store_id = $1 AND id = $2`;
  await tx.query(update, [by.storeId, after.id, ...columnsOf(after), by.at]);
  await told(tx, by, before, after);
  return after;
};

/** Orders keep what it was; what is quoted already stays good until it expires. Throws `NotFound`. */
export const deleteMethod = async (tx: Sql, by: Writer, id: string): Promise<void> => {
  const before = await methodById(tx, by.storeId, id);
  await tx.query('DELETE FROM shipping_method WHERE store_id = $1 AND id = $2', [by.storeId, before.id]);
  await told(tx, by, before);
};
