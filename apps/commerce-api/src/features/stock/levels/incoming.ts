import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { OPEN_LEVELS } from './reservations.sql';

/** What is on its way to a warehouse. */
export interface Coming {
  readonly variant_id: string;
  readonly warehouse_id: string;
  /** Negative when it has come. */
  readonly qty: number;
}

const LOCK = `
  SELECT 1 FROM stock_level s JOIN unnest($2::uuid[], $3::uuid[]) AS l(variant_id, warehouse_id) USING (variant_id, warehouse_id)
  WHERE s.store_id = $1 ORDER BY s.variant_id, s.warehouse_id FOR UPDATE OF s`;

const COME = `
  UPDATE stock_level s SET incoming = s.incoming + l.qty, updated_at = $5
  FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS l(variant_id, warehouse_id, qty)
  WHERE s.store_id = $1 AND s.variant_id = l.variant_id AND s.warehouse_id = l.warehouse_id`;

type Place = Pick<Coming, 'variant_id' | 'warehouse_id'>;
const places = (lines: readonly Place[]) => [
  lines.map(({ variant_id }) => variant_id),
  lines.map(({ warehouse_id }) => warehouse_id),
];

/**
 * Makes and locks the levels of several operations in the order in which every one of them locks, so that two transactions with
 * more than one of them never wait in a circle.
 */
export const lockLevels = async (tx: Sql, { storeId, at }: By, lines: readonly Place[]): Promise<void> => {
  await tx.query(OPEN_LEVELS, [storeId, ...places(lines), at]);
  await tx.query(LOCK, [storeId, ...places(lines)]);
};

/** Notes what is on its way, on levels that `lockLevels` has locked. It is no stock before it is booked. */
export const come = async (tx: Sql, { storeId, at }: By, lines: readonly Coming[]): Promise<void> => {
  await tx.query(COME, [storeId, ...places(lines), lines.map(({ qty }) => qty), at]);
};
