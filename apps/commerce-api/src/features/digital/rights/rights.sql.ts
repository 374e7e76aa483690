/** SQL of how many pieces of a line `i` the refunds `r` that fit `which` give back. */
export const comingBack = (which: string): string => `
  (SELECT coalesce(sum(l.qty), 0) FROM refund_line l JOIN refund r ON r.store_id = l.store_id AND r.id = l.refund_id
    WHERE l.store_id = $1 AND l.order_id = $2 AND l.order_item_id = i.id AND ${which})::int`;
const BACK = comingBack("r.status = 'succeeded'");

/** SQL that holds keys for what is sold still of lines `i` of an order, those that fit `which`. */
const holding = (which: string): string => `
  WITH item AS (
    SELECT i.id, i.position, i.variant_id, v.product_id, i.qty - ${BACK} AS qty, (SELECT count(*) FROM license_key k WHERE k.store_id = $1
      AND k.order_id = $2 AND k.order_item_id = i.id AND k.state IN ('held', 'assigned'))::int AS has
    FROM order_item i JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.kind = 'digital'
      JOIN digital_product d ON d.store_id = p.store_id AND d.product_id = p.id AND d.needs_key
    WHERE i.store_id = $1 AND i.order_id = $2 AND ${which}
  ), lacking AS (
    SELECT *, qty - has AS lacks, sum(qty - has) OVER (PARTITION BY product_id ORDER BY position) AS upto FROM item WHERE qty > has
  ), picked AS (
    SELECT k.id, wanted.product_id FROM (SELECT product_id, sum(lacks) AS lacks FROM lacking GROUP BY 1) wanted
      CROSS JOIN LATERAL (
        SELECT f.id FROM license_key f WHERE f.store_id = $1 AND f.product_id = wanted.product_id AND f.state = 'free'
        ORDER BY f.id LIMIT wanted.lacks FOR UPDATE SKIP LOCKED) k
  ), numbered AS (
    SELECT id, product_id, row_number() OVER (PARTITION BY product_id ORDER BY id) AS nth FROM picked
  ), held AS (
    UPDATE license_key k SET state = 'held', order_id = $2, order_item_id = l.id, updated_at = $3
    FROM numbered n JOIN lacking l ON l.product_id = n.product_id AND n.nth > l.upto - l.lacks AND n.nth <= l.upto
    WHERE k.store_id = $1 AND k.id = n.id RETURNING k.order_item_id
  )
  SELECT variant_id, sum(has + got)::int AS available FROM (
    SELECT l.*, (SELECT count(*) FROM held h WHERE h.order_item_id = l.id) AS got FROM lacking l) line
  GROUP BY variant_id HAVING sum(got) < sum(lacks) ORDER BY variant_id`;

/**
 * Keys that the lines of a locked order lack are held for it, those of each product from its free ones that nobody else is taking at this
 * moment; what is lacking then is told. $1 store, $2 order, $3 now.
 */
export const HOLD = holding('true');

/** The same for lines that never had all their keys, as their product needed none when they were written. */
export const HOLD_MISSED = holding(
  'i.qty > (SELECT count(*) FROM license_key k WHERE k.store_id = $1 AND k.order_id = $2 AND k.order_item_id = i.id)',
);

/**
 * What a locked order does not buy (any more) it loses: keys that nobody has seen are free again, the others nobody's, and links to what is
 * gone altogether open nothing; what of it was not delivered yet never will be. $1 store, $2 order, $3 now, $4 whether nothing is left, $5 lines of which pieces came back, $6 how many,
 * $7 what for.
 */
export const LOSE = `
  WITH kept AS (
    SELECT i.id, i.qty - coalesce(back.qty, 0) AS qty FROM order_item i LEFT JOIN unnest($5::uuid[], $6::int[]) AS back(id, qty) USING (id)
    WHERE i.store_id = $1 AND i.order_id = $2 AND NOT $4::boolean
  ), mine AS (
    SELECT k.id, k.state, coalesce(kept.qty, 0) AS qty,
      row_number() OVER (PARTITION BY k.order_item_id ORDER BY k.state, k.id) AS nth
    FROM license_key k LEFT JOIN kept ON kept.id = k.order_item_id
    WHERE k.store_id = $1 AND k.order_id = $2 AND k.state IN ('held', 'assigned')
  ), gone AS (
    UPDATE license_key k SET state = CASE k.state WHEN 'held' THEN 'free' ELSE 'revoked' END,
      order_id = CASE WHEN k.state <> 'held' THEN k.order_id END, order_item_id = CASE WHEN k.state <> 'held' THEN k.order_item_id END,
      updated_at = $3
    FROM mine WHERE k.store_id = $1 AND k.id = mine.id AND mine.nth > mine.qty
  ), never AS (
    INSERT INTO digital_delivery (store_id, id, order_id, order_item_id, asset_id, issue, token_hash, max_downloads, valid_days, expires_at,
      revoked_at, revoked_for, created_at, updated_at)
    SELECT $1, uuidv7(), $2, i.id, a.id, gen_random_uuid(), gen_random_uuid()::text, 0, 1, $3, $3, 'return', $3, $3
    FROM order_item i JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN digital_asset a ON a.store_id = v.store_id AND a.product_id = v.product_id AND a.removed_at IS NULL
    WHERE i.store_id = $1 AND i.order_id = $2 AND $7 = 'return' AND NOT EXISTS (SELECT FROM kept WHERE kept.id = i.id AND kept.qty > 0)
    ON CONFLICT (store_id, order_id, order_item_id, asset_id) DO NOTHING
  )
  UPDATE digital_delivery d SET revoked_at = coalesce(d.revoked_at, $3), revoked_for = $7, updated_at = $3
  WHERE d.store_id = $1 AND d.order_id = $2 AND (d.revoked_at IS NULL OR d.revoked_for = 'reversal')
    AND NOT EXISTS (SELECT FROM kept WHERE kept.id = d.order_item_id AND kept.qty > 0)`;

/** The links of a locked order open nothing until it is paid again: $1 store, $2 order, $3 now. */
export const SUSPEND = `
  UPDATE digital_delivery SET revoked_at = $3, revoked_for = 'reversal', updated_at = $3
  WHERE store_id = $1 AND order_id = $2 AND revoked_at IS NULL`;

/** What a locked order lost is its own again when it is paid: $1 store, $2 order. */
export const REGAIN = `
  UPDATE digital_delivery SET revoked_for = 'reversal' WHERE store_id = $1 AND order_id = $2 AND revoked_for = 'return'`;

/** SQL of whether a row `order` sells something that is not sent by parcel. */
export const sellsDigital = (order: string): string => `
  (EXISTS (SELECT FROM order_item i JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.kind = 'digital'
    WHERE i.store_id = ${order}.store_id AND i.order_id = ${order}.id)
  OR EXISTS (SELECT FROM license_key k WHERE k.store_id = ${order}.store_id AND k.order_id = ${order}.id))`;
