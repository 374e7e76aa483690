import { changedOrder } from '../news/public';
import { attributionOf } from '../../marketing/attribution/public';
import { NEW_ORDER } from './orders.sql';

const ORDER_COLUMNS = [
  ...[
    'store_id',
    'id',
    'number',
    'idempotency_key',
    'request_hash',
    'contact_id',
    'channel',
    'status',
    'payment_status',
  ],
  ...[
    'buyer',
    'address',
    'shipping',
    'payment_method',
    'note',
    'coupon',
    'tax',
    'subtotal',
    'discount',
    'shipping_total',
  ],
  ...[
    'fee',
    'tax_total',
    'total',
    'currency',
    'assignee_id',
    'warehouse_id',
    'search_text',
    'placed_at',
    'pay_expires_at',
  ],
  'created_at',
  'updated_at',
  'attribution',
].join(', ');
const ORDER_VALUES = ORDER_COLUMNS.replace('search_text', 'lower(search_text)').replace(
  'attribution',
  attributionOf('asked'),
);
const ITEM_COLUMNS = `store_id, order_id, id, position, variant_id, name, sku, price, cost, qty, discount_share, tax, total,
  weight_g, image_url, note`;

/**
 * Writes an order, its lines and its first event, and returns it, unless the number is somebody's already: $1 order, $2 lines, $3 event's id,
 * $4 actor.
 */
export const WRITE_ORDER = `
  WITH asked AS (SELECT * FROM jsonb_populate_record(NULL::sales_order, $1::jsonb)),
  claimed AS (
    INSERT INTO global_key (kind, value, store_id, ref_id) SELECT 'order', number, store_id, id::text FROM asked
    ON CONFLICT DO NOTHING RETURNING value
  ), placed AS (
    INSERT INTO sales_order (${ORDER_COLUMNS}) SELECT ${ORDER_VALUES} FROM asked, claimed RETURNING *
  ), line AS (
    INSERT INTO order_item (${ITEM_COLUMNS})
    SELECT ${ITEM_COLUMNS} FROM jsonb_populate_recordset(NULL::order_item, $2::jsonb), claimed RETURNING *
  ), event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor)
    SELECT store_id, id, $3::uuid, placed_at, 'placed', 'Order placed', $4 FROM placed
  )
  SELECT ${NEW_ORDER}, (${changedOrder('o')}).id AS job FROM placed o`;

/** Lines of which a warehouse has not enough, as far as anybody knows before its levels are locked. */
const shortIn = (columns: string, warehouse: string): string => `
  SELECT ${columns} FROM line JOIN variant v ON v.store_id = $1 AND v.id = line.variant_id
    LEFT JOIN stock_level s ON s.store_id = $1 AND s.variant_id = v.id AND s.warehouse_id = ${warehouse}
  WHERE v.track_stock AND NOT v.allow_backorder AND coalesce(s.on_hand - s.reserved, 0) < line.qty`;

/**
 * The warehouse that an order is taken from, whole: one that has everything before one that has not, then the default, then one in the
 * buyer's city; and the lines of which it has not enough. $1 store, $2 variants, $3 quantities, $4 the one that is asked for, $5 city.
 */
export const ROUTE = `
  WITH line AS (SELECT l.variant_id, sum(l.qty) AS qty FROM unnest($2::uuid[], $3::int[]) AS l(variant_id, qty) GROUP BY 1)
  SELECT chosen.id, CASE WHEN covers THEN '[]' ELSE (SELECT json_agg(short ORDER BY variant_id) FROM
    (${shortIn('v.id AS variant_id, chosen.id AS warehouse_id, coalesce(s.on_hand - s.reserved, 0) AS available', 'chosen.id')}) short) END AS short
  FROM (
    SELECT w.id, NOT EXISTS (${shortIn('', 'w.id')}) AS covers
    FROM warehouse w
    WHERE w.store_id = $1 AND w.status = 'active' AND ($4::uuid IS NULL OR w.id = $4)
    ORDER BY covers DESC, w.is_default DESC, coalesce(lower(w.address->>'city') = lower($5), false) DESC, w.id
    LIMIT 1) chosen`;

export const BY_KEY = `SELECT id, request_hash FROM sales_order WHERE store_id = $1 AND idempotency_key = $2`;
