import { AS_LOCKED, MOST_PIECES } from './reservations.sql';

/**
 * Changes what is on hand, each line by `delta` or to `counted`, and tells every line: $1 store, $2 variants, $3 warehouses, $4 deltas,
 * $5 counts, $6 reason, $7 reference, $8 note, $9 actor, $10 now. One line a level. Locked in the order of RESERVE; a line that would leave less
 * than is reserved is not written, nor one of a closed warehouse, which cannot close
 * meanwhile; another one may become the default. A count that is right moves nothing.
 */
export const BOOK = `
  WITH line AS (
    SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[]) AS l(variant_id, warehouse_id, delta, counted)
  ), locked AS (
    SELECT s.variant_id, s.warehouse_id, s.on_hand, s.reserved, s.allow_backorder, s.on_hand - s.reserved AS available,
      coalesce(line.counted, s.on_hand + line.delta) AS becomes,
      s.allow_backorder OR coalesce(line.counted, s.on_hand + line.delta) >= s.reserved AS covers
    FROM stock_level s JOIN line USING (variant_id, warehouse_id)
      JOIN warehouse w ON w.store_id = $1 AND w.id = s.warehouse_id
    WHERE s.store_id = $1 AND w.status = 'active'
    ORDER BY s.variant_id, s.warehouse_id FOR UPDATE OF s FOR KEY SHARE OF w
  ), changed AS (
    UPDATE stock_level s SET on_hand = locked.becomes, reserved = locked.reserved, ${AS_LOCKED}, updated_at = $10 FROM locked
    WHERE s.store_id = $1 AND s.variant_id = locked.variant_id AND s.warehouse_id = locked.warehouse_id
      AND locked.covers AND locked.becomes <> locked.on_hand AND locked.becomes <= ${MOST_PIECES}
    RETURNING s.variant_id, s.warehouse_id, locked.becomes - locked.on_hand AS delta
  ), moved AS (
    INSERT INTO stock_movement
      (store_id, id, variant_id, warehouse_id, delta_on_hand, reason, ref, note, actor, created_at)
    SELECT $1, uuidv7(), variant_id, warehouse_id, delta, $6, $7::text, $8::text, $9, $10 FROM changed
    RETURNING variant_id, warehouse_id, id, delta_on_hand
  )
  SELECT line.variant_id, line.warehouse_id, moved.id, moved.delta_on_hand AS delta, coalesce(locked.available, 0) AS available,
    locked.variant_id IS NOT NULL AS found, coalesce(locked.covers, false) AS covers, coalesce(locked.becomes <= ${MOST_PIECES}, true) AS fits
  FROM line LEFT JOIN locked USING (variant_id, warehouse_id) LEFT JOIN moved USING (variant_id, warehouse_id)
  ORDER BY 1, 2`;
