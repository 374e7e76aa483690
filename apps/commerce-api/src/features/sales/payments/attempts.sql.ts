import { jobQueue } from '../../../jobs';
import { changedOrder } from '../news/public';

const queue = jobQueue();

/** Payments that a provider knows, or may know, and that nobody has paid. */
export const LIVE = `p.provider IN ('a', 'b', 'c') AND p.status IN ('created', 'pending')`;

/**
 * An attempt at a provider for an order or a bill, whichever is not null, unless neither the store nor the platform has an account there:
 * $1 store, $2 id, $3 order, $4 bill, $5 number of either, $6 provider, $7 amount, $8 currency, $9 the platform's fee, $10 whether the
 * platform has an account, $11 channels (null: those of the method), $12 path of its notices, $13 until when, $14 now, $15 when it is
 * asked about, $16 whether the money is the platform's whatever accounts the store has. The account stays the store's until it is there: who takes
 * another one waits, and then finds it.
 */
export const OPEN = `
  WITH kept AS (
    SELECT credentials_enc, channels FROM payment_method WHERE store_id = $1 AND code = $6 FOR KEY SHARE
  ), method AS (
    SELECT $16::boolean IS FALSE AND kept.credentials_enc IS NOT NULL AS direct, kept.channels FROM (SELECT) AS one LEFT JOIN kept ON true
  ), next AS (
    SELECT coalesce(max(p.attempt), 0) + 1 AS attempt FROM payment p
    WHERE p.store_id = $1 AND (p.order_id = $3::uuid OR p.invoice_id = $4::uuid)
  ), opened AS (
    INSERT INTO payment (store_id, id, order_id, invoice_id, attempt, request_id, provider, invoice_number, amount, currency, status, mode,
      platform_fee, channels, notify_path, expires_at, poll_at, created_at, updated_at)
    SELECT $1::varchar, $2::uuid, $3::uuid, $4::uuid, attempt, $2::uuid, $6, $5 || '-' || attempt, $7, $8, 'created',
      CASE WHEN direct THEN 'direct' ELSE 'platform' END, CASE WHEN direct THEN 0 ELSE $9::bigint END,
      coalesce($11::text[], channels, '{}'), $12, $13, $15, $14, $14
    FROM method, next WHERE direct OR $10::boolean
    RETURNING store_id, id, invoice_number
  )
  INSERT INTO global_key (kind, value, store_id, ref_id) SELECT 'payment', invoice_number, store_id, id::text FROM opened
  RETURNING ref_id AS id`;

/** Those of an order, the newest first, locked: $1 store, $2 order. */
export const LIVE_OF_ORDER = `
  SELECT p.id, p.provider, p.status, p.url, p.amount, p.expires_at FROM payment p
  WHERE p.store_id = $1 AND p.order_id = $2 AND ${LIVE} ORDER BY p.attempt DESC FOR UPDATE`;

/**
 * An attempt ends unpaid, and with it its order's hope of it; its provider may be told, so it is asked once more. One that has ended stays so:
 * $1 store, $2 payments, $3 status, $4 now, $5 text, $6 actor, $7 asked next (null: never).
 */
export const END = `
  WITH ended AS (
    UPDATE payment p SET status = $3, updated_at = $4, poll_at = $7
    WHERE p.store_id = $1 AND p.id = ANY ($2::uuid[]) AND p.status IN ('created', 'pending') RETURNING p.store_id, p.id, p.order_id
  ), told AS (
    INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
    SELECT store_id, id, uuidv7(), $4, $3, $5, $6 FROM ended
  )
  UPDATE sales_order o SET payment_status = CASE WHEN $3 = 'cancelled' THEN 'unpaid' ELSE $3 END, updated_at = $4
  FROM (SELECT DISTINCT order_id FROM ended) AS e
  WHERE o.store_id = $1 AND o.id = e.order_id AND o.payment_status = 'pending' AND NOT EXISTS (
    SELECT FROM payment p WHERE p.store_id = $1 AND p.order_id = o.id AND ${LIVE} AND p.id <> ALL ($2::uuid[]))
  RETURNING (${changedOrder('o')}).id AS job`;

/** The bot engine is told of a payment once: $1 store, $2 payment. */
export const TELL_BOT = `
  WITH told AS (
    UPDATE payment SET bot_told = true WHERE store_id = $1 AND id = $2 AND NOT bot_told RETURNING store_id, id
  )
  SELECT (${queue.expression('bot.payment-notice', {
    payload: `json_build_object('storeId', store_id, 'paymentId', id)`,
    key: `'bot:' || id`,
  })}).id FROM told`;
