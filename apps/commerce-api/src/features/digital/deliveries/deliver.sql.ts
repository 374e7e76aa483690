import { comingBack } from '../rights/public';

/** What is paid is its buyer's, but for as many of a line as its money is on its way back: $1 store, $2 order, $3 now. */
export const ASSIGN = `
  WITH mine AS (
    SELECT k.id, i.qty - ${comingBack("r.status <> 'failed'")} AS qty, row_number() OVER (PARTITION BY k.order_item_id ORDER BY k.state, k.id) AS nth
    FROM license_key k JOIN order_item i ON i.store_id = k.store_id AND i.order_id = k.order_id AND i.id = k.order_item_id
    WHERE k.store_id = $1 AND k.order_id = $2 AND k.state IN ('held', 'assigned')
  )
  UPDATE license_key k SET state = 'assigned', updated_at = $3 FROM mine
  WHERE k.store_id = $1 AND k.id = mine.id AND k.state = 'held' AND mine.nth <= mine.qty RETURNING k.order_item_id AS id`;

/** Whether some wait still: $1 store, $2 order. */
export const HELD = `SELECT FROM license_key WHERE store_id = $1 AND order_id = $2 AND state = 'held' LIMIT 1`;

/**
 * What a locked order has to get and has no link to: a file or the keys of a line each, and what was taken back until it was paid; and keys
 * that were added to those of a line. $1 store, $2 order, $3 usual downloads, $4 usual days, $5 lines that have new keys.
 */
export const WANTED = `
  WITH item AS (
    SELECT i.id, i.position, p.id AS product_id, p.kind FROM order_item i JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id
      JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id
    WHERE i.store_id = $1 AND i.order_id = $2
  ), thing AS (
    SELECT item.*, a.id AS asset_id FROM item
      JOIN digital_asset a ON a.store_id = $1 AND a.product_id = item.product_id AND a.removed_at IS NULL
    WHERE item.kind = 'digital'
    UNION ALL
    SELECT item.*, NULL FROM item WHERE EXISTS (
      SELECT FROM license_key k WHERE k.store_id = $1 AND k.order_id = $2 AND k.order_item_id = item.id AND k.state = 'assigned')
    UNION
    SELECT item.*, d.asset_id FROM item
      JOIN digital_delivery d ON d.store_id = $1 AND d.order_id = $2 AND d.order_item_id = item.id AND d.revoked_for = 'reversal'
  )
  SELECT d.id, thing.id AS order_item_id, thing.asset_id, coalesce(t.max_downloads, $3) AS max_downloads, coalesce(t.valid_days, $4) AS valid_days
  FROM thing LEFT JOIN digital_product t ON t.store_id = $1 AND t.product_id = thing.product_id
    LEFT JOIN digital_delivery d ON d.store_id = $1 AND d.order_id = $2 AND d.order_item_id = thing.id
      AND d.asset_id IS NOT DISTINCT FROM thing.asset_id
  WHERE d.id IS NULL OR d.revoked_for = 'reversal' OR thing.asset_id IS NULL AND d.revoked_at IS NULL AND thing.id = ANY ($5::uuid[])
  ORDER BY thing.position, thing.asset_id NULLS FIRST`;

/** Writes deliveries, new ones and such as get another link: $1 store, $2 order, $3 now, $4 issue, $5 the rows. */
export const ISSUE = `
  INSERT INTO digital_delivery AS d (store_id, id, order_id, order_item_id, asset_id, issue, token_hash, max_downloads, valid_days,
    expires_at, created_at, updated_at)
  SELECT $1, r.id, $2, r.order_item_id, r.asset_id, $4, r.token_hash, r.max_downloads, r.valid_days, $3::timestamptz + r.valid_days * interval '1 day', $3, $3
  FROM jsonb_to_recordset($5::jsonb) AS r(id uuid, order_item_id uuid, asset_id uuid, token_hash text, max_downloads int, valid_days int)
  ON CONFLICT (store_id, id) DO UPDATE SET issue = excluded.issue, token_hash = excluded.token_hash, downloads = 0,
    former_hashes = array_append(d.former_hashes[greatest(1, cardinality(d.former_hashes) - 18):], d.token_hash),
    max_downloads = excluded.max_downloads, valid_days = excluded.valid_days, expires_at = excluded.expires_at,
    sent_at = NULL, revoked_at = NULL, revoked_for = NULL, updated_at = excluded.updated_at
  RETURNING d.expires_at`;

/** A delivery of a store with what its order says: $1 store, $2 delivery. */
export const BY_ID = `
  SELECT d.id, d.order_id, d.order_item_id, d.asset_id, d.max_downloads, d.valid_days, d.revoked_at, o.buyer
  FROM digital_delivery d JOIN sales_order o ON o.store_id = d.store_id AND o.id = d.order_id
  WHERE d.store_id = $1 AND d.id = $2`;
