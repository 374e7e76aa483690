import { jobQueue } from '../../../jobs';
import { changedOrder } from '../news/public';
import { LIVE } from './attempts.sql';
import { leavingFrom } from './leaving';
import { announcedPaid } from './paid.observers';

const ORDER = `o.id, o.number, o.status, o.payment_status, o.fulfillment_status, o.total, o.paid_total, o.refunded_total, o.currency,
  o.paid_at IS NOT NULL AS was_full,
  o.warehouse_id, o.receipt_no, o.review_reason, o.coupon IS NOT NULL AS has_coupon,
  extract(year FROM $3::timestamptz AT TIME ZONE s.timezone)::int AS year`;

/** Locks an order for its payments: $1 store, $2 order, $3 now. */
export const LOCK_ORDER = `
  SELECT ${ORDER} FROM sales_order o JOIN store s ON s.store_id = o.store_id
  WHERE o.store_id = $1 AND o.id = $2 FOR UPDATE OF o`;

/** The same by a payment, which is locked after its order, as everybody does: $1 store, $2 payment, $3 now. */
export const LOCK_PAYMENT = `
  SELECT ${ORDER}, p.id AS payment_id, p.status AS attempt_status, p.provider, p.amount, p.currency AS asked_currency, p.mode, p.platform_fee
  FROM payment p JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id JOIN store s ON s.store_id = o.store_id
  WHERE p.store_id = $1 AND p.id = $2 FOR UPDATE OF o, p`;

/** What of a locked order is on its way back: $1 store, $2 order. */
export const LEAVING = `SELECT ${leavingFrom('$1', '$2')} AS amount`;

/** A payment of a bill, which is locked before it: $1 store, $2 payment. */
export const LOCK_BILL = `
  SELECT i.id AS invoice_id, i.kind, i.status, p.id, p.status AS attempt_status, p.provider, p.amount, p.currency AS asked_currency
  FROM payment p JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id
  WHERE p.store_id = $1 AND p.id = $2 FOR UPDATE OF i, p`;

/**
 * The payment of a bill is paid: $1 store, $2 payment, $3 now, $4 paid at, $5 provider's reference, $6 channel, $7 fee, $8 why somebody must
 * look at it, $9 event's id, $10 text, $11 actor.
 */
export const PAID_BILL = `
  WITH paid AS (
    UPDATE payment SET status = 'paid', paid_at = $4, provider_ref = coalesce($5, provider_ref), channel = coalesce($6, channel),
      fee = coalesce($7::bigint, fee), review_reason = $8::text, poll_at = NULL, updated_at = $3
    WHERE store_id = $1 AND id = $2 RETURNING store_id, id
  )
  INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
  SELECT store_id, id, $9, $3, 'paid', $10, $11 FROM paid`;

/**
 * A new attempt of a locked order, unless one is with a provider: $1 store, $2 id, $3 order, $4 request's id, $5 provider, $6 amount,
 * $7 currency, $8 now.
 */
export const ADD_ATTEMPT = `
  INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, created_at, updated_at)
  SELECT $1::varchar, $2, $3, coalesce(max(p.attempt), 0) + 1, $4, $5, $6, $7, 'created', $8, $8
  FROM payment p WHERE p.store_id = $1 AND p.order_id = $3
  HAVING count(*) FILTER (WHERE p.provider IN ('a', 'b', 'c') AND p.status IN ('created', 'pending')) = 0
  RETURNING id`;

/** Another amount than was asked for: nobody is paid. $1 store, $2 payment, $3 event's id, $4 now, $5 text, $6 actor. */
export const REVIEW_AMOUNT = `
  WITH doubted AS (
    UPDATE payment SET review_reason = 'amount', updated_at = $4 WHERE store_id = $1 AND id = $2 RETURNING store_id, id
  )
  INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
  SELECT store_id, id, $3, $4, 'review', $5, $6 FROM doubted`;

/** Whether the bot engine hears of it. */
const TELLS = `($18::json IS NOT NULL AND (o.channel = 'bot' OR $21::boolean))`;
const NOTICE = jobQueue().expression('bot.payment-notice', {
  payload: `json_build_object('storeId', $1::text, 'paymentId', $12::uuid)`,
  key: `'bot:' || $12::text`,
});

/**
 * The order as its payment makes it, with its receipt, and the payment. The counter's row is locked by this statement, which is the last
 * of the transaction: so its numbers have no gap, and nobody waits for it longer than a commit takes.
 * $1 store, $2 order, $3 now, $4 paid_total, $5 status, $6 payment_status, $7 review_reason, $8 whether a receipt is due, $9 its year,
 * $10 actor, $11 paid at, $12 payment (null: none), $13 provider's reference, $14 channel, $15 fee, $16 event's id, $17 its text,
 * $18 what the observers are told (null: nothing), $19 what of it waits in the wallet until $20 (null: nothing), $21 whether the bot engine is
 * told of an order that it has not sold, $22 whether all its money is there by that. The providers of its other attempts are asked soon: they are to take nothing more.
 */
export const STAND = `
  WITH receipt AS (
    INSERT INTO receipt_counter AS c (store_id, kind, year, last) SELECT $1, 'receipt', $9::int, 1 WHERE $8::boolean
    ON CONFLICT (store_id, kind, year) DO UPDATE SET last = c.last + 1 RETURNING last::text AS number
  ), paid AS (
    UPDATE payment SET status = 'paid', paid_at = $11, provider_ref = coalesce($13, provider_ref), channel = coalesce($14, channel),
      fee = coalesce($15::bigint, fee), review_reason = NULL, poll_at = NULL, updated_at = $3,
      bot_told = bot_told OR (SELECT ${TELLS} FROM sales_order o WHERE o.store_id = $1 AND o.id = $2)
    WHERE store_id = $1 AND id = $12::uuid RETURNING id
  ), others AS (
    UPDATE payment p SET poll_at = $3
    WHERE p.store_id = $1 AND p.order_id = $2 AND p.id IS DISTINCT FROM $12::uuid AND ${LIVE} AND $18::json IS NOT NULL
  ), told AS (
    INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor) SELECT $1, id, $16, $3, 'paid', $17, $10 FROM paid
  ), unsettled AS (
    INSERT INTO wallet_settlement (store_id, payment_id, amount, currency, due_at)
    SELECT $1, paid.id, $19::bigint, o.currency, $20::timestamptz FROM paid, sales_order o
    WHERE o.store_id = $1 AND o.id = $2 AND $19::bigint > 0
  ), event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) SELECT $1, $2, $16, $3, 'payment', $17, $10 FROM paid
  )
  UPDATE sales_order SET paid_total = $4, status = $5, payment_status = $6, review_reason = $7::text, pay_expires_at = NULL,
    cancelled_at = CASE WHEN $5 = 'cancelled' THEN cancelled_at END,
    paid_at = coalesce(paid_at, CASE WHEN $22::boolean THEN $11::timestamptz END),
    receipt_no = coalesce(receipt_no,
      (SELECT 'RCP-' || $9::text || '-' || lpad(number, greatest(6, length(number)), '0') FROM receipt)),
    version = version + 1, updated_at = $3
  WHERE store_id = $1 AND id = $2 RETURNING CASE WHEN $18::json IS NULL THEN (${changedOrder('sales_order')}).id END AS job, ${announcedPaid('sales_order', '$18::json')},
    CASE WHEN ${TELLS.replace('o.', 'sales_order.')} AND EXISTS (
      SELECT FROM payment p WHERE p.store_id = $1 AND p.id = $12::uuid AND NOT p.bot_told) THEN (${NOTICE}).id END AS job_bot`;

/**
 * What a locked order sells and has no goods for: they are neither held for it nor in its parcels, which have their own. What of it went back on
 * the shelf with a refund is sold no more. $1 store, $2 order.
 */
export const LACKING = `
  WITH sold AS (
    SELECT i.variant_id, sum(i.qty - (SELECT coalesce(sum(l.qty), 0) FROM refund_line l
      WHERE l.store_id = $1 AND l.order_id = $2::uuid AND l.order_item_id = i.id AND l.restocked_to IS NOT NULL)) AS qty
    FROM order_item i JOIN variant v ON v.store_id = i.store_id AND v.id = i.variant_id AND v.track_stock
    WHERE i.store_id = $1 AND i.order_id = $2::uuid GROUP BY 1
  ), packed AS (
    SELECT i.variant_id, sum(l.qty) AS qty FROM order_item i
      JOIN shipment_line l ON l.store_id = i.store_id AND l.order_id = i.order_id AND l.order_item_id = i.id
      JOIN shipment s ON s.store_id = l.store_id AND s.id = l.shipment_id AND s.direction = 'out' AND s.status <> 'cancelled'
    WHERE i.store_id = $1 AND i.order_id = $2::uuid GROUP BY 1
  ), held AS (
    SELECT variant_id, sum(qty) AS qty FROM stock_reservation
    WHERE store_id = $1 AND owner_type = 'order' AND owner_id = $2::text AND state <> 'released' GROUP BY 1
  )
  SELECT * FROM (
    SELECT sold.variant_id, (sold.qty - coalesce(packed.qty, 0) - coalesce(held.qty, 0))::int AS qty
    FROM sold LEFT JOIN packed USING (variant_id) LEFT JOIN held USING (variant_id)) lacking
  WHERE qty > 0`;
