import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { announce } from '../../../announce';
import { LOW_STOCK } from './low.sql';

/** What of a variant `v` can be sold, in all warehouses. */
const AVAILABLE = `(SELECT coalesce(sum(l.on_hand - l.reserved), 0) FROM stock_level l WHERE l.store_id = v.store_id AND l.variant_id = v.id)`;

/** SQL: of how many products in the shop some variant was announced as low, and the names of the first. */
export const LOW_STOCK_OF = (store: string, named: number): string => `
  SELECT count(*)::int AS count, string_agg(x.name, ', ' ORDER BY x.n) FILTER (WHERE x.n <= ${named}) AS names FROM (
    SELECT p.name, row_number() OVER (ORDER BY min(w.since), p.id) AS n
    FROM low_stock w
      JOIN variant v ON v.store_id = w.store_id AND v.id = w.variant_id AND v.status = 'active'
      JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.status = 'active'
    WHERE w.store_id = ${store} GROUP BY p.id, p.name) x`;

/** One look at a store's shelves at a time: what another has moved meanwhile is seen by whoever comes later. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('low stock ' || $1, 0))`;

/** $1 store, $2 variants, $3 now. Those that have fallen. */
const FALLEN = `
  WITH seen AS (
    SELECT v.id, ${AVAILABLE} <= ${LOW_STOCK} AS low FROM variant v
    WHERE v.store_id = $1 AND v.id = ANY ($2::uuid[]) AND v.track_stock AND v.status = 'active'
  ), risen AS (
    DELETE FROM low_stock w USING seen WHERE w.store_id = $1 AND w.variant_id = seen.id AND NOT seen.low
  )
  INSERT INTO low_stock (store_id, variant_id, since) SELECT $1::varchar, id, $3 FROM seen WHERE low ORDER BY id
  ON CONFLICT DO NOTHING RETURNING variant_id AS id`;

/**
 * Announces which of these variants have fallen to the store's threshold, each once until it has risen above it. In the transaction that moves
 * stock, or after it, as the shelves stand then.
 */
export const watchLowStock = async (
  tx: Sql,
  { storeId, actor, at }: { readonly storeId: string; readonly actor: string; readonly at: Date },
  variantIds: readonly string[],
): Promise<void> => {
  if (variantIds.length === 0) return;
  await tx.later('low stock turn', TURN, [storeId]);
  const fallen = await tx.prepared<{ id: string }>('low stock fallen', FALLEN, [storeId, variantIds, at]);
  const events = fallen.map(({ id }) => ({
    ...({ eventId: uuidv7(), kind: 'stock.low', subjectId: id, at: at.toISOString(), actor } as const),
  }));
  await announce(tx, storeId, events);
};
