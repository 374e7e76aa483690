import { canExpire, reviewEnds } from '../payments/public';

/** What of an order an edit writes anew. */
const COLUMNS = [
  ...['contact_id', 'buyer', 'address', 'shipping', 'payment_method', 'note', 'coupon', 'tax', 'subtotal', 'discount'],
  ...['shipping_total', 'fee', 'tax_total', 'total', 'assignee_id', 'warehouse_id', 'search_text', 'updated_at'],
];
const valueOf = (column: string): string => (column === 'search_text' ? 'lower(asked.search_text)' : `asked.${column}`);
const set = COLUMNS.map((column) => `${column} = ${valueOf(column)}`).join(', ');
const ITEM = [
  ...['position', 'variant_id', 'name', 'sku', 'price', 'cost', 'qty', 'discount_share', 'tax', 'total', 'weight_g'],
  ...['image_url', 'note'],
];
const setItem = ITEM.map((column) => `${column} = excluded.${column}`).join(', ');
const ITEM_COLUMNS = `store_id, order_id, id, ${ITEM.join(', ')}`;

/**
 * Writes a locked order anew, with its lines: those that are named again keep their ids, the others go. $1 order, $2 lines, $3 event's id,
 * $4 actor, $5 until when it waits for its payment, unless it says so already; for another way it has the longer of both.
 */
export const EDIT_ORDER = `
  WITH asked AS (SELECT * FROM jsonb_populate_record(NULL::sales_order, $1::jsonb)),
  line AS (SELECT * FROM jsonb_populate_recordset(NULL::order_item, $2::jsonb)),
  gone AS (
    DELETE FROM order_item i USING asked
    WHERE i.store_id = asked.store_id AND i.order_id = asked.id AND i.id NOT IN (SELECT id FROM line)
  ), written AS (
    INSERT INTO order_item (${ITEM_COLUMNS}) SELECT ${ITEM_COLUMNS} FROM line
    ON CONFLICT (store_id, order_id, id) DO UPDATE SET ${setItem}
  ), event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor)
    SELECT store_id, id, $3::uuid, updated_at, 'edited', 'Order edited', $4 FROM asked
  )
  UPDATE sales_order o SET ${set}, version = o.version + 1,
    pay_expires_at = CASE
      WHEN NOT ${canExpire('o', 'asked.payment_method')} THEN NULL
      WHEN asked.payment_method <> o.payment_method THEN greatest(o.pay_expires_at, ${reviewEnds('o')}, $5::timestamptz)
      ELSE coalesce(o.pay_expires_at, ${reviewEnds('o')}, $5::timestamptz) END
  FROM asked WHERE o.store_id = asked.store_id AND o.id = asked.id`;
