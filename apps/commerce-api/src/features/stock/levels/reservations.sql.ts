/** Most pieces of a level, on hand or reserved: their sums over warehouses stay within 32 bits. */
export const MOST_PIECES = 10_000_000;

/**
 * An UPDATE that comes after a wait checks the row as its statement first saw it against the CHECK, before it takes up the newer one: so
 * every column of the CHECK is written as the lock found it.
 */
export const AS_LOCKED = 'allow_backorder = locked.allow_backorder';

/**
 * Reserves all lines or tells which are short: $1 store, $2 variants, $3 warehouses, $4 quantities, $5 owner's type, $6 owner's id,
 * $7 until when, $8 actor, $9 now. A negative quantity is given back of what the owner holds. Levels are locked in one order before any is written, so that carts in any order never wait in a
 * circle, and what is left is decided on the locked rows (design 3.2); a CHECK is the backstop. Untracked variants have no stock.
 * A variant of another store is short. Where a level of a variant that may be backordered is to be made first nothing is locked, and all
 * lines are told: whoever makes it waits for nobody who waits for a level.
 */
export const RESERVE = `
  WITH line AS (
    SELECT l.variant_id, l.warehouse_id, sum(l.qty)::int AS qty
    FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS l(variant_id, warehouse_id, qty) GROUP BY 1, 2
  ), wanted AS (
    SELECT line.*, v.allow_backorder FROM line LEFT JOIN variant v ON v.store_id = $1 AND v.id = line.variant_id
    WHERE v.track_stock IS DISTINCT FROM false OR line.qty < 0
  ), unopened AS (
    SELECT variant_id, warehouse_id FROM wanted WHERE allow_backorder AND NOT EXISTS (SELECT FROM stock_level s
        WHERE s.store_id = $1 AND s.variant_id = wanted.variant_id AND s.warehouse_id = wanted.warehouse_id)
      AND EXISTS (SELECT FROM warehouse w WHERE w.store_id = $1 AND w.id = wanted.warehouse_id)
  ), locked AS (
    SELECT s.variant_id, s.warehouse_id, s.on_hand - s.reserved AS available, s.on_hand, s.reserved, s.allow_backorder
    FROM stock_level s JOIN wanted USING (variant_id, warehouse_id) WHERE s.store_id = $1 AND NOT EXISTS (SELECT FROM unopened)
    ORDER BY s.variant_id, s.warehouse_id FOR UPDATE OF s
  ), taken AS (
    UPDATE stock_level s SET reserved = locked.reserved + wanted.qty, on_hand = locked.on_hand, ${AS_LOCKED}, updated_at = $9
    FROM locked JOIN wanted USING (variant_id, warehouse_id)
    WHERE s.store_id = $1 AND s.variant_id = locked.variant_id AND s.warehouse_id = locked.warehouse_id
      AND (locked.allow_backorder OR locked.available >= wanted.qty OR wanted.qty < 0) AND locked.reserved <= ${MOST_PIECES} - wanted.qty
    RETURNING s.variant_id, s.warehouse_id, wanted.qty
  ), held AS (
    INSERT INTO stock_reservation AS r
      (store_id, owner_type, owner_id, variant_id, warehouse_id, qty, state, expires_at, created_at, updated_at)
    SELECT $1, $5, $6, variant_id, warehouse_id, qty, 'held', $7::timestamptz, $9, $9 FROM taken WHERE qty > 0
    ON CONFLICT (store_id, owner_type, owner_id, variant_id, warehouse_id) DO UPDATE
      SET qty = CASE r.state WHEN 'held' THEN r.qty ELSE 0 END + excluded.qty, state = 'held',
        expires_at = excluded.expires_at, updated_at = excluded.updated_at
      WHERE r.state <> 'committed'
    RETURNING variant_id, warehouse_id
  ), lowered AS (
    UPDATE stock_reservation r SET qty = CASE WHEN r.qty + taken.qty > 0 THEN r.qty + taken.qty ELSE r.qty END,
      state = CASE WHEN r.qty + taken.qty > 0 THEN 'held' ELSE 'released' END, updated_at = $9
    FROM taken WHERE taken.qty < 0 AND r.store_id = $1 AND r.owner_type = $5 AND r.owner_id = $6
      AND r.variant_id = taken.variant_id AND r.warehouse_id = taken.warehouse_id AND r.state = 'held'
    RETURNING r.variant_id, r.warehouse_id
  ), moved AS (
    INSERT INTO stock_movement
      (store_id, id, variant_id, warehouse_id, delta_on_hand, delta_reserved, reason, ref, actor, created_at)
    SELECT $1, uuidv7(), variant_id, warehouse_id, 0, qty, CASE WHEN qty > 0 THEN 'reserve' ELSE 'release' END, $5 || ':' || $6, $8, $9 FROM taken
  )
  SELECT wanted.variant_id, wanted.warehouse_id, coalesce(locked.available, 0) AS available,
    (wanted.variant_id, wanted.warehouse_id) IN (SELECT variant_id, warehouse_id FROM unopened) AS opens,
    taken.variant_id IS NOT NULL AS sold
  FROM wanted LEFT JOIN locked USING (variant_id, warehouse_id) LEFT JOIN taken USING (variant_id, warehouse_id)
    LEFT JOIN (SELECT * FROM held UNION ALL SELECT * FROM lowered) AS done USING (variant_id, warehouse_id)
  WHERE done.variant_id IS NULL ORDER BY 1, 2`;

/** What an owner holds: $1 store, $2 owner's type, $3 owner's id. */
export const HELD = `
  SELECT variant_id, warehouse_id, qty FROM stock_reservation
  WHERE store_id = $1 AND owner_type = $2 AND owner_id = $3 AND state = 'held'`;

/**
 * Makes levels that nothing has moved in yet; variants and warehouses of other stores get none. $1 store, $2 variants, $3 warehouses, $4 now.
 * The variants are kept as they are to the end: who changes `allow_backorder` meanwhile would not find the level that copies it.
 */
export const OPEN_LEVELS = `
  WITH wanted AS (
    SELECT DISTINCT l.variant_id, l.warehouse_id FROM unnest($2::uuid[], $3::uuid[]) AS l(variant_id, warehouse_id)
    WHERE NOT EXISTS (SELECT FROM stock_level s
      WHERE s.store_id = $1 AND s.variant_id = l.variant_id AND s.warehouse_id = l.warehouse_id)
  ), kept AS (
    SELECT v.id, v.allow_backorder FROM variant v WHERE v.store_id = $1 AND v.id IN (SELECT variant_id FROM wanted)
    ORDER BY v.id FOR SHARE
  )
  INSERT INTO stock_level (store_id, variant_id, warehouse_id, on_hand, allow_backorder, updated_at)
  SELECT $1, v.id, w.id, 0, v.allow_backorder, $4::timestamptz
  FROM wanted l JOIN kept v ON v.id = l.variant_id JOIN warehouse w ON w.store_id = $1 AND w.id = l.warehouse_id
  ORDER BY 2, 3 ON CONFLICT DO NOTHING`;

interface Turn {
  readonly from: 'held' | 'committed';
  readonly to: 'held' | 'committed' | 'released';
  readonly reason: 'sale' | 'release';
  /** In pieces of each line. */
  readonly onHand: -1 | 0 | 1;
  readonly reserved: -1 | 1;
}

/** Turns all that an owner has of a state, locked as RESERVE does: $1 store, $2 owner's type, $3 owner's id, $4 actor, $5 now. */
const turn = ({ from, to, reason, onHand, reserved }: Turn): string => `
  WITH locked AS (
    SELECT r.variant_id, r.warehouse_id, r.qty, s.on_hand, s.reserved, s.allow_backorder
    FROM stock_reservation r JOIN stock_level s USING (store_id, variant_id, warehouse_id)
    WHERE r.store_id = $1 AND r.owner_type = $2 AND r.owner_id = $3 AND r.state = '${from}'
    ORDER BY r.variant_id, r.warehouse_id FOR UPDATE OF r, s
  ), turned AS (
    UPDATE stock_reservation r SET state = '${to}', updated_at = $5 FROM locked
    WHERE r.store_id = $1 AND r.owner_type = $2 AND r.owner_id = $3
      AND r.variant_id = locked.variant_id AND r.warehouse_id = locked.warehouse_id
  ), given AS (
    UPDATE stock_level s SET on_hand = locked.on_hand + ${onHand} * locked.qty,
      reserved = locked.reserved + ${reserved} * locked.qty, ${AS_LOCKED}, updated_at = $5 FROM locked
    WHERE s.store_id = $1 AND s.variant_id = locked.variant_id AND s.warehouse_id = locked.warehouse_id
    RETURNING s.variant_id, s.warehouse_id, locked.qty
  )
  INSERT INTO stock_movement
    (store_id, id, variant_id, warehouse_id, delta_on_hand, delta_reserved, reason, ref, actor, created_at)
  SELECT $1, uuidv7(), variant_id, warehouse_id, ${onHand} * qty, ${reserved} * qty, '${reason}', $2 || ':' || $3, $4, $5 FROM given
  RETURNING variant_id, warehouse_id, abs(delta_reserved) AS qty`;

/** What is sold leaves the shelf. */
export const COMMIT = turn({ from: 'held', to: 'committed', reason: 'sale', onHand: -1, reserved: -1 });
/** What is not bought is free again. */
export const RELEASE = turn({ from: 'held', to: 'released', reason: 'release', onHand: 0, reserved: -1 });
/** What was sold by mistake is on the shelf again, and held as before. */
export const UNSELL = turn({ from: 'committed', to: 'held', reason: 'sale', onHand: 1, reserved: 1 });
