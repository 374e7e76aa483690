import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { book } from './bookings';
import { lockLevels } from './incoming';
import { commit, release, reserve, type Owner, type StockLine } from './reservations';

/** What an owner has in a warehouse: held for it, or sold to it and not yet gone from there. */
export interface Goods extends StockLine {
  readonly state: 'held' | 'committed';
}

/** What is to be handed over. */
export interface WantedGoods extends Pick<StockLine, 'variant_id' | 'qty'> {
  /** What is not tracked has no level, unless it was when it was reserved. */
  readonly track_stock: boolean;
}

export const GOODS = `SELECT variant_id, warehouse_id, qty, state FROM stock_reservation
  WHERE store_id = $1 AND owner_type = $2 AND owner_id = $3 AND state <> 'released' ORDER BY variant_id, warehouse_id`;

/** The caller holds the lock of what the owner is. */
export const goodsOf = (tx: Sql, { storeId }: By, { type, id }: Owner): Promise<Goods[]> =>
  tx.prepared<Goods>('stock goods', GOODS, [storeId, type, id]);

/**
 * Goods of one owner become another's, or its own in another warehouse, without a movement: $1 store, $2 and $3 the owner, $4 variants,
 * $5 warehouses, $6 quantities, $7 and $8 the new owner, $9 their new warehouses, $10 state, $11 now.
 */
export const TAKE = `
  WITH line AS (
    SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::int[], $9::uuid[]) AS l(variant_id, warehouse_id, qty, into_id)
  ), gone AS (
    DELETE FROM stock_reservation r USING line WHERE r.store_id = $1 AND r.owner_type = $2 AND r.owner_id = $3
      AND r.variant_id = line.variant_id AND r.warehouse_id = line.warehouse_id AND r.qty = line.qty
  ), less AS (
    UPDATE stock_reservation r SET qty = r.qty - line.qty, updated_at = $11 FROM line
    WHERE r.store_id = $1 AND r.owner_type = $2 AND r.owner_id = $3
      AND r.variant_id = line.variant_id AND r.warehouse_id = line.warehouse_id AND r.qty > line.qty
  )
  INSERT INTO stock_reservation AS r (store_id, owner_type, owner_id, variant_id, warehouse_id, qty, state, created_at, updated_at)
  SELECT $1, $7, $8, variant_id, into_id, sum(qty), $10, $11, $11 FROM line GROUP BY variant_id, into_id
  ON CONFLICT (store_id, owner_type, owner_id, variant_id, warehouse_id) DO UPDATE
    SET qty = CASE r.state WHEN 'released' THEN 0 ELSE r.qty END + excluded.qty, state = excluded.state, updated_at = excluded.updated_at`;

interface Take {
  readonly from: Owner;
  readonly to: Owner;
  /** The goods stay where they are unless given. */
  readonly into?: string;
}

/** Goods in one state. */
const take = async (tx: Sql, { storeId, at }: By, { from, to, into }: Take, goods: readonly Goods[]): Promise<void> => {
  const [first] = goods;
  if (!first) return;
  const columns = [goods.map(({ variant_id }) => variant_id), goods.map(({ warehouse_id }) => warehouse_id)];
  const places = goods.map(({ warehouse_id }) => into ?? warehouse_id);
  const values = [storeId, from.type, from.id, ...columns, goods.map(({ qty }) => qty), to.type, to.id, places];
  await tx.prepared('stock take', TAKE, [...values, first.state, at]);
};

const inState = (goods: readonly Goods[], state: Goods['state']): Goods[] =>
  goods.filter((line) => line.state === state);

/** One line a variant and warehouse. */
const summed = <Line extends StockLine>(lines: readonly Line[]): Line[] => {
  const byLevel = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.variant_id} ${line.warehouse_id}`;
    byLevel.set(key, { ...line, qty: line.qty + (byLevel.get(key)?.qty ?? 0) });
  }
  return [...byLevel.values()];
};

/** Goods that are sold come from another warehouse than they were booked out of: as if they were brought there at once. */
const swap = async (tx: Sql, by: By, ref: string, goods: readonly Goods[], warehouse_id: string): Promise<void> => {
  if (goods.length === 0) return;
  const back = goods.map(({ variant_id, warehouse_id: from, qty }) => ({ variant_id, warehouse_id: from, qty }));
  const out = back.map((line) => ({ ...line, warehouse_id }));
  const booked = (lines: readonly StockLine[], sign: 1 | -1) =>
    summed(lines).map(({ qty, ...level }) => ({ ...level, delta: sign * qty }));
  await book(tx, by, { reason: 'transfer_out', ref }, booked(out, -1));
  await book(tx, by, { reason: 'transfer_in', ref }, booked(back, 1));
};

/** Which goods cover what is wanted, those in the warehouse first, and what of it nothing covers. */
const planned = (goods: readonly Goods[], wanted: readonly WantedGoods[], warehouse_id: string) => {
  const near = goods.toSorted(
    (one, other) => Number(other.warehouse_id === warehouse_id) - Number(one.warehouse_id === warehouse_id),
  );
  const open = new Map<string, number>();
  for (const { variant_id, qty } of wanted) open.set(variant_id, (open.get(variant_id) ?? 0) + qty);
  const taken = near.flatMap((line) => {
    const qty = Math.min(line.qty, open.get(line.variant_id) ?? 0);
    open.set(line.variant_id, (open.get(line.variant_id) ?? 0) - qty);
    return qty > 0 ? [{ ...line, qty }] : [];
  });
  const tracked = new Set(wanted.filter(({ track_stock }) => track_stock).map(({ variant_id }) => variant_id));
  const missing = [...open]
    .filter(([variant_id, qty]) => qty > 0 && tracked.has(variant_id))
    .map(([variant_id, qty]) => ({ variant_id, warehouse_id, qty }));
  return { taken, missing };
};

/**
 * What `from` has of these goods becomes `to`'s in the warehouse, in the caller's transaction, which holds the lock of `from`; `to` is new.
 * Goods that are held or sold elsewhere come from this warehouse now, and what `from` has not is reserved for `to`. Throws `out_of_stock`
 * or `below_reserved` when the warehouse has not enough; the transaction is then to be rolled back.
 */
export const handOver = async (
  tx: Sql,
  by: By,
  { from, to, warehouse_id }: { readonly from: Owner; readonly to: Owner; readonly warehouse_id: string },
  wanted: readonly WantedGoods[],
): Promise<void> => {
  const { taken, missing } = planned(await goodsOf(tx, by, from), wanted, warehouse_id);
  await lockLevels(tx, by, [...taken, ...missing, ...taken.map((line) => ({ ...line, warehouse_id }))]);
  const isHere = (line: Goods): boolean => line.warehouse_id === warehouse_id;
  const [held, sold] = [inState(taken, 'held'), inState(taken, 'committed')];
  const elsewhere = held.filter((line) => !isHere(line));
  await take(tx, by, { from, to }, elsewhere);
  if (elsewhere.length > 0) await release(tx, by, to);
  const anew = [...missing, ...elsewhere.map((line) => ({ ...line, warehouse_id }))];
  if (anew.length > 0) await reserve(tx, by, to, anew);
  await take(tx, by, { from, to }, held.filter(isHere));
  if (sold.length === 0) return;
  // Sold in part is sold: one line an owner and level has one state
  await commit(tx, by, to);
  await swap(
    tx,
    by,
    `${to.type}:${to.id}`,
    sold.filter((line) => !isHere(line)),
    warehouse_id,
  );
  await take(tx, by, { from, to, into: warehouse_id }, sold);
};

/** All that `from` has is `to`'s again, in the caller's transaction, which holds the lock of `to`. */
export const handBack = async (tx: Sql, by: By, { from, to }: Pick<Take, 'from' | 'to'>): Promise<void> => {
  const [its, theirs] = [await goodsOf(tx, by, from), await goodsOf(tx, by, to)];
  const isSold = inState([...its, ...theirs], 'committed').length > 0;
  if (isSold && inState([...its, ...theirs], 'held').length > 0) {
    await lockLevels(tx, by, [...its, ...theirs]);
    await commit(tx, by, from);
    await commit(tx, by, to);
  }
  await take(
    tx,
    by,
    { from, to },
    its.map((line) => (isSold ? { ...line, state: 'committed' } : line)),
  );
};

/** All that an owner has comes from this warehouse now. Throws as `handOver` does. */
export const relocate = async (tx: Sql, by: By, owner: Owner, warehouse_id: string): Promise<void> => {
  const goods = await goodsOf(tx, by, owner);
  const elsewhere = goods.filter((line) => line.warehouse_id !== warehouse_id);
  if (elsewhere.length === 0) return;
  await lockLevels(tx, by, [...goods, ...goods.map(({ variant_id }) => ({ variant_id, warehouse_id }))]);
  if (inState(elsewhere, 'held').length > 0) {
    const held = await release(tx, by, owner);
    await reserve(
      tx,
      by,
      owner,
      held.map((line) => ({ ...line, warehouse_id })),
    );
  }
  const sold = inState(elsewhere, 'committed');
  await swap(tx, by, `${owner.type}:${owner.id}`, sold, warehouse_id);
  await take(tx, by, { from: owner, to: owner, into: warehouse_id }, sold);
};
