/** Of them something physical is to be sent, and index `sales_order_to_ship` holds them; what was paid ahead and is given back is sent to nobody's door. */
export const PAID_FOR = `o.status IN ('open', 'processing') AND (o.payment_status IN ('paid', 'partially_refunded') OR o.payment_method = 'cod')
  AND o.payment_status <> 'refunded'
  AND o.fulfillment_status IN ('none', 'partially_packed', 'packed', 'partially_shipped')`;
/** Order by order: a store has few that wait, among all that it ever sold. */
export const HAS_GOODS = `EXISTS (SELECT FROM order_item i WHERE i.store_id = $1 AND i.order_id = o.id AND NOT EXISTS (
  SELECT FROM variant v JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.kind <> 'physical'
  WHERE v.store_id = i.store_id AND v.id = i.variant_id OFFSET 0) OFFSET 0)`;
