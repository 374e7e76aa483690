import { bigintNumber, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { mayLeave } from '../../../may-send';
import type { Refund } from './refunds.dto';

const ROW = `r.id, r.order_id, r.payment_id, r.credit_no, r.amount, r.tax, r.method, r.status, r.reason, r.failure, r.created_at`;

export type StoredRefund = Omit<Refund, 'amount' | 'tax' | 'created_at'> & {
  readonly amount: string;
  readonly tax: string;
  readonly created_at: Date;
};

export const readRefund = (row: StoredRefund): Refund => ({
  ...row,
  amount: bigintNumber.from(row.amount),
  tax: bigintNumber.from(row.tax),
  created_at: row.created_at.toISOString(),
});

/** The refunds of the order `o` as its answers name them, the first first: for the statement that reads an order. */
export const REFUNDS_OF_ORDER = `
  (SELECT coalesce(json_agg(json_build_object('id', r.id, 'order_id', r.order_id, 'payment_id', r.payment_id, 'credit_no', r.credit_no,
      'amount', r.amount, 'tax', r.tax, 'method', r.method, 'status', r.status, 'reason', r.reason, 'failure', r.failure,
      'created_at', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY r.id), '[]')
    FROM refund r WHERE r.store_id = $1 AND r.order_id = o.id)`;

export const BY_KEY = `SELECT ${ROW}, r.request_hash FROM refund r WHERE r.store_id = $1 AND r.idempotency_key = $2`;

/** Throws `NotFound`. */
export const refundById = async (sql: Sql, storeId: string, id: string): Promise<Refund> => {
  const [row] = await sql.query<StoredRefund>(`SELECT ${ROW} FROM refund r WHERE r.store_id = $1 AND r.id = $2`, [
    storeId,
    id,
  ]);
  if (row) return readRefund(row);
  throw new NotFound('Refund not found');
};

/** What has been given back, or is about to be: $1 store, $2 order. What has failed counts nothing. */
const LIVE = `live AS (SELECT * FROM refund WHERE store_id = $1 AND order_id = $2 AND status <> 'failed')`;

/**
 * A locked order as its refunds see it, in one row: $1 store, $2 order. What came in beyond the total was no sale: amounts that give it back
 * are none of the order's, nor of its tax.
 */
export const SOLD = `
  WITH ${LIVE}, given_line AS (
    SELECT l.* FROM refund_line l JOIN live ON live.store_id = l.store_id AND live.id = l.refund_id
  ), given AS (
    SELECT order_item_id, sum(qty)::int AS qty, sum(amount)::bigint AS amount, sum(tax)::bigint AS tax FROM given_line GROUP BY 1
  )
  SELECT o.total::float8 AS total, o.tax_total::float8 AS tax,
    json_build_object('tax', back.tax, 'amount', back.of_price + greatest(0, back.beyond - back.too_much)) AS back,
    greatest(0, back.too_much - back.beyond)::float8 AS surplus,
    (SELECT json_agg(json_build_object('id', i.id, 'qty', i.qty, 'tax', i.tax,
        'net', i.total - i.discount_share + CASE WHEN o.tax->>'mode' = 'added' THEN i.tax ELSE 0 END,
        'back', json_build_object('qty', coalesce(g.qty, 0), 'amount', coalesce(g.amount, 0), 'tax', coalesce(g.tax, 0))) ORDER BY i.position)
      FROM order_item i LEFT JOIN given g ON g.order_item_id = i.id WHERE i.store_id = $1 AND i.order_id = o.id) AS lines,
    (SELECT coalesce(json_agg(json_build_object('id', p.id, 'provider', p.provider, 'provider_ref', p.provider_ref, 'mode', p.mode,
        'amount', p.amount, 'platform_fee', p.platform_fee, 'currency', p.currency, 'back', (
          SELECT json_build_object('amount', coalesce(sum(r.amount), 0), 'fee', coalesce(sum(r.fee_share), 0)) FROM live r WHERE r.payment_id = p.id))
        ORDER BY p.attempt DESC), '[]')
      FROM payment p WHERE p.store_id = $1 AND p.order_id = o.id AND p.status = 'paid') AS payments
  FROM sales_order o CROSS JOIN LATERAL (
    SELECT coalesce(sum(tax), 0) AS tax, coalesce(sum(amount - beyond), 0) AS of_price, coalesce(sum(beyond), 0) AS beyond,
      greatest(0, o.paid_total - o.total) AS too_much
    FROM (SELECT amount, tax, CASE WHEN id IN (SELECT refund_id FROM given_line) THEN 0 ELSE coalesce(beyond, amount) END AS beyond FROM live) each) back
  WHERE o.store_id = $1 AND o.id = $2`;

/** $1 refund, $2 its lines, as JSON. What a provider gives back is known by its id, which that names. */
export const WRITE = `
  WITH written AS (
    INSERT INTO refund (store_id, id, order_id, payment_id, idempotency_key, request_hash, amount, beyond, tax, currency, fee_share,
      from_pending, method, status, reason, bank_enc, actor, created_at, updated_at)
    SELECT store_id, id, order_id, payment_id, idempotency_key, request_hash, amount, beyond, tax, currency, fee_share, from_pending, method,
      'requested', reason, bank_enc, actor, created_at, created_at FROM jsonb_populate_record(NULL::refund, $1::jsonb) RETURNING *
  ), known AS (
    INSERT INTO global_key (kind, value, store_id, ref_id)
    SELECT 'refund', id::text, store_id, id::text FROM written WHERE method <> 'manual'
  )
  INSERT INTO refund_line (store_id, refund_id, order_id, order_item_id, qty, amount, tax, restocked_to)
  SELECT written.store_id, written.id, written.order_id, l.order_item_id, l.qty, l.amount, l.tax, l.restocked_to
  FROM written, jsonb_populate_recordset(NULL::refund_line, $2::jsonb) l`;

/** Takes of a payment's money that has not settled, at most $3: $1 store, $2 payment. None when it has settled. */
export const TAKE_PENDING = `
  UPDATE wallet_settlement SET amount = amount - least(amount, $3::bigint)
  WHERE store_id = $1 AND payment_id = $2 AND released_at IS NULL RETURNING old.amount - new.amount AS taken`;

/** Gives it back where it was, unless it has settled meanwhile: $3 how much. */
export const PUT_BACK = `
  UPDATE wallet_settlement SET amount = amount + $3 WHERE store_id = $1 AND payment_id = $2 AND released_at IS NULL RETURNING 1`;

/** Pieces of an order's lines that were paid back, a refund that ends now among them: $1 store, $2 order, $3 that refund. */
export const RETURNED = `
  SELECT l.order_item_id, sum(l.qty)::int AS qty FROM refund_line l JOIN refund r ON r.store_id = l.store_id AND r.id = l.refund_id
  WHERE l.store_id = $1 AND l.order_id = $2 AND l.qty > 0 AND (r.status = 'succeeded' OR r.id = $3) GROUP BY 1`;

/** One that has not begun is asked of nobody yet. A payout goes to any account, as a withdrawal does: it waits where those wait. */
const MAY_BEGIN = `(r.method <> 'payout' OR ${mayLeave('r.store_id', "r.status = 'processing'")})`;

/** A refund that is to be done, or is under way: $1 store, $2 id, $3 now. Resolves to nothing when it has ended, or waits. */
export const BEGIN = `
  UPDATE refund r SET status = 'processing', updated_at = $3 FROM payment p
  WHERE r.store_id = $1 AND r.id = $2 AND r.status IN ('requested', 'processing') AND ${MAY_BEGIN}
    AND p.store_id = r.store_id AND p.id = r.payment_id
  RETURNING r.order_id, r.amount, r.currency, r.method, r.reason, r.bank_enc, r.provider_ref, p.provider, p.mode, p.provider_ref AS payment_ref,
    old.status = 'processing' AS asked_before, r.xmin::text AS mark`;

/** One that has not begun: $1 store, $2 id. */
export const WAITS = `SELECT 1 FROM refund WHERE store_id = $1 AND id = $2 AND status = 'requested'`;

/** The provider has not got it, and nobody else has asked meanwhile: the next refusal is the whole truth again. $1 store, $2 id, $3 mark. */
export const UNDONE = `UPDATE refund SET status = 'requested' WHERE store_id = $1 AND id = $2 AND status = 'processing' AND provider_ref IS NULL AND xmin::text = $3`;

/** Whether it is as the step with this mark has left it: $1 store, $2 id, $3 mark. */
export const SAME = `SELECT 1 FROM refund WHERE store_id = $1 AND id = $2 AND xmin::text = $3`;

/** $1 store, $2 id, $3 what the provider calls it. Resolves to nothing when it has ended. */
export const NAMED = `UPDATE refund SET provider_ref = $3 WHERE store_id = $1 AND id = $2 AND status IN ('requested', 'processing') RETURNING 1`;

/** Locks a refund of a locked order: $1 store, $2 id, $3 in which states. */
export const LOCK = `
  SELECT r.id, r.order_id, r.payment_id, r.amount, r.currency, r.fee_share, r.from_pending, r.method, p.mode
  FROM refund r JOIN payment p ON p.store_id = r.store_id AND p.id = r.payment_id
  WHERE r.store_id = $1 AND r.id = $2 AND r.status = ANY ($3::text[]) FOR UPDATE OF r`;

/** The store of a refund through a provider, by the id that operators and providers name; undefined: it is none of ours. */
export const storeOfRefund = async (sql: Sql, id: string): Promise<string | undefined> => {
  const text = `SELECT store_id FROM global_key WHERE kind = 'refund' AND value = $1`;
  return (await sql.query<{ store_id: string }>(text, [id]))[0]?.store_id;
};

/** $1 store, $2 id. */
export const STANDS = `SELECT order_id, method, status FROM refund WHERE store_id = $1 AND id = $2`;

/** Somebody must look at one that has failed: $1 store, $2 id, $3 why. */
export const ALERT = `UPDATE refund SET alert = $3 WHERE store_id = $1 AND id = $2 AND status = 'failed'`;

/** Somebody has looked at it: $1 store, $2 id. */
export const CALM = `UPDATE refund SET alert = NULL WHERE store_id = $1 AND id = $2 AND alert IS NOT NULL RETURNING id`;

/** Money that had gone is here again: $1 store, $2 order, $3 how much. */
export const RETURN = `UPDATE sales_order SET refunded_total = refunded_total - $3 WHERE store_id = $1 AND id = $2`;

/**
 * A refund has succeeded, and its order stands so: $1 store, $2 id, $3 order, $4 now, $5 payment_status, $6 review_reason, $7 year of the
 * number, $8 event's id, $9 text, $10 actor, $11 provider's reference. The counter's row is the last that is locked.
 */
export const SUCCEED = (job: string): string => `
  WITH credit AS (
    INSERT INTO receipt_counter AS c (store_id, kind, year, last) VALUES ($1, 'credit', $7, 1)
    ON CONFLICT (store_id, kind, year) DO UPDATE SET last = c.last + 1 RETURNING last::text AS number
  ), ended AS (
    UPDATE refund SET status = 'succeeded', failure = NULL, alert = NULL, provider_ref = coalesce($11, provider_ref), ended_at = $4, updated_at = $4,
      credit_no = (SELECT 'CRN-' || $7::text || '-' || lpad(number, greatest(6, length(number)), '0') FROM credit)
    WHERE store_id = $1 AND id = $2 RETURNING store_id, payment_id, amount
  ), told AS (
    INSERT INTO payment_event (store_id, payment_id, id, at, type, text, actor)
    SELECT store_id, payment_id, $8, $4, 'refunded', $9, $10 FROM ended
  ), event AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $3, $8, $4, 'refunded', $9, $10)
  )
  UPDATE sales_order SET refunded_total = refunded_total + (SELECT amount FROM ended), payment_status = $5, review_reason = $6::text,
    version = version + 1, updated_at = $4
  WHERE store_id = $1 AND id = $3 RETURNING (${job}).id AS job`;

/** $1 store, $2 id, $3 order, $4 now, $5 why, $6 event's id, $7 actor. */
export const FAIL = `
  WITH ended AS (
    UPDATE refund SET status = 'failed', failure = $5, alert = NULL, ended_at = $4, updated_at = $4 WHERE store_id = $1 AND id = $2
  )
  INSERT INTO order_event (store_id, order_id, id, at, type, text, actor) VALUES ($1, $3, $6, $4, 'refund_failed', $5, $7)`;
