import type { Database, Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import { book } from './bookings';

const NOW = new Date('2026-03-01T08:00:00.000Z');

/** A store with variants and warehouses, as the tests of stock need them. */
export interface Shelf {
  readonly by: By;
  readonly variants: readonly string[];
  readonly warehouses: readonly string[];
}

const INSERT_STORE = `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
  VALUES ($1::text, 'Toko', $1::text, 'IDR', 'Asia/Jakarta', $2, $2)`;
const INSERT_PRODUCT = `INSERT INTO product (store_id, id, kind, name, slug, status, created_at, updated_at)
  VALUES ($1, $2, 'physical', 'Barang', 'barang', 'active', $3, $3)`;
const INSERT_VARIANT = `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, created_at, updated_at)
  VALUES ($1, $2, $3, $4::varchar, jsonb_build_object('nomor', $4::text), 1000, $5, $5)`;
const INSERT_WAREHOUSE = `INSERT INTO warehouse (store_id, id, name, is_default, created_at, updated_at)
  VALUES ($1, $2, 'Gudang', $3, $4, $4)`;

/** Makes a store of so many variants and warehouses, with `onHand` pieces of each variant in each warehouse. */
export const newShelf = async (
  database: Pick<Database, 'tx'> & Sql,
  { variants: count = 1, warehouses: places = 1, onHand = 0 } = {},
): Promise<Shelf> => {
  const by = { storeId: uuidv7(), actor: 'u1', at: NOW };
  const product = uuidv7();
  const variants = Array.from({ length: count }, uuidv7);
  const warehouses = Array.from({ length: places }, uuidv7);
  await database.query(INSERT_STORE, [by.storeId, NOW]);
  await database.query(INSERT_PRODUCT, [by.storeId, product, NOW]);
  for (const id of variants) await database.query(INSERT_VARIANT, [by.storeId, id, product, id, NOW]);
  for (const id of warehouses) await database.query(INSERT_WAREHOUSE, [by.storeId, id, id === warehouses[0], NOW]);
  const lines = warehouses.flatMap((warehouse_id) =>
    variants.map((variant_id) => ({ variant_id, warehouse_id, counted: onHand })),
  );
  if (onHand > 0) await database.tx((tx) => book(tx, by, { reason: 'count' }, lines));
  return { by, variants, warehouses };
};

/** Levels of a store as `on hand/reserved`, in the order of variants and warehouses. */
export const levelsOf = async (sql: Sql, { by }: Shelf): Promise<string[]> => {
  const rows = await sql.query<{ level: string }>(
    `SELECT on_hand || '/' || reserved AS level FROM stock_level WHERE store_id = $1 ORDER BY variant_id, warehouse_id`,
    [by.storeId],
  );
  return rows.map(({ level }) => level);
};

/** Levels that their movements and reservations do not explain, over all stores; and those that are oversold. */
export const unexplained = (sql: Sql): Promise<object[]> =>
  sql.query(`
    SELECT s.variant_id, s.on_hand, s.reserved, m.on_hand AS moved, m.reserved AS moved_reserved, r.held
    FROM stock_level s
      LEFT JOIN LATERAL (SELECT coalesce(sum(delta_on_hand), 0)::int AS on_hand, coalesce(sum(delta_reserved), 0)::int AS reserved
        FROM stock_movement m WHERE (m.store_id, m.variant_id, m.warehouse_id) = (s.store_id, s.variant_id, s.warehouse_id)) m ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(qty), 0)::int AS held FROM stock_reservation r
        WHERE (r.store_id, r.variant_id, r.warehouse_id) = (s.store_id, s.variant_id, s.warehouse_id) AND state = 'held') r ON true
    WHERE m.on_hand <> s.on_hand OR m.reserved <> s.reserved OR r.held <> s.reserved
      OR NOT s.allow_backorder AND s.reserved > s.on_hand`);

/** In the order of their ids, but for the seed's, which is the first: movements after which a level of a store without backorders was below nothing, or had more reserved than there was. */
export const belowNothing = (sql: Sql): Promise<object[]> =>
  sql.query(`
    SELECT variant_id, on_hand, reserved FROM (
      SELECT variant_id, sum(delta_on_hand) OVER past AS on_hand, sum(delta_reserved) OVER past AS reserved FROM stock_movement
      WINDOW past AS (PARTITION BY store_id, variant_id, warehouse_id ORDER BY actor <> 'seed', id)) m
    WHERE least(on_hand, reserved, on_hand - reserved) < 0`);
