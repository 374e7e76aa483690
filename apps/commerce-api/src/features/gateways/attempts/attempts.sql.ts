import { canExpire } from '../../sales/payments/public';

/** $1 order. */
export const STORE_OF_ORDER = `SELECT store_id FROM global_key WHERE kind = 'order' AND ref_id = $1`;

/** How a locked order is to be paid and what fee of that is in its total, whether somebody is on the way who collects it, and whether its store is suspended: $1 store, $2 order. */
export const METHOD_OF = `
  SELECT o.payment_method AS code, (o.subtotal - o.discount + o.shipping_total)::float8 AS net, o.fee::float8 AS fee,
    o.payment_method = 'cod' AND EXISTS (SELECT FROM shipment s
    WHERE s.store_id = o.store_id AND s.order_id = o.id AND s.direction = 'out' AND s.status = 'in_transit') AS carried,
    (SELECT s.status = 'suspended' FROM store s WHERE s.store_id = o.store_id) AS suspended
  FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`;

/** As long as somebody may pay it, it is held: $1 store, $2 order, $3 until when. */
export const WAITS_UNTIL = `UPDATE sales_order SET pay_expires_at = greatest(pay_expires_at, $3)
  WHERE store_id = $1 AND id = $2 AND paid_total = 0 AND ${canExpire('sales_order')}`;

/** $1 store, $2 provider, $3 number or reference. */
export const BY_REFERENCE = `
  SELECT invoice_number, provider_ref, mode FROM payment WHERE store_id = $1 AND provider = $2 AND invoice_number = $3
  UNION ALL
  SELECT invoice_number, provider_ref, mode FROM payment WHERE store_id = $1 AND provider = $2 AND provider_ref = $3
  LIMIT 1`;
