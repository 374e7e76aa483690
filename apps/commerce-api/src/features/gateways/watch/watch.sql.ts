import { jobQueue } from '../../../jobs';
import { nowOf } from '../../../moment';

const queue = jobQueue();

/** Of one store in one round: one with many keeps nobody waiting. */
const PORTION = 20;
const ROUND = 1_000;
/** A payment whose job was lost is found again. */
const LEASE = "interval '5 minutes'";

const NOW = nowOf('$1');

/** Payments whose providers are to be asked, a few of every store, who waits longest first: $1 now. */
export const DUE = `
  SELECT due.store_id, due.id, due.provider FROM store s CROSS JOIN LATERAL (
    SELECT p.store_id, p.id, p.provider, p.poll_at FROM payment p
    WHERE p.store_id = s.store_id AND p.poll_at <= ${NOW} ORDER BY p.poll_at LIMIT ${PORTION}) due
  ORDER BY due.poll_at LIMIT ${ROUND}`;

const PAYLOAD = `json_build_object('storeId', taken.store_id, 'paymentId', taken.id)`;
const jobs = (['a', 'b', 'c'] as const).map(
  (code) =>
    `WHEN '${code}' THEN (${queue.expression(`payment.confirm.${code}`, { payload: PAYLOAD, key: `'confirm:' || taken.id` })}).id`,
);

/** A job for each of them; whoever comes at the same time takes none of them again: $1 now. */
export const TAKE = `
  WITH due AS (${DUE}), taken AS (
    UPDATE payment p SET poll_at = ${NOW} + ${LEASE} FROM due
    WHERE p.store_id = due.store_id AND p.id = due.id AND p.poll_at <= ${NOW} RETURNING p.store_id, p.id, p.provider
  )
  SELECT CASE taken.provider ${jobs.join(' ')} END AS job FROM taken`;

/** $1 store, $2 payment. */
export const LOOK = `
  SELECT p.store_id, p.id, p.order_id, p.invoice_id, p.provider, p.mode, p.status, p.invoice_number, p.provider_ref, p.expires_at, p.polls,
    p.poll_at, p.calls, o.pay_expires_at AS held_until,
    p.status = 'cancelled' OR coalesce(o.status = 'cancelled' OR o.paid_at IS NOT NULL, i.status <> 'open') AS unwanted
  FROM payment p LEFT JOIN sales_order o ON o.store_id = p.store_id AND o.id = p.order_id
    LEFT JOIN invoice i ON i.store_id = p.store_id AND i.id = p.invoice_id
  WHERE p.store_id = $1 AND p.id = $2`;

/** $1 store, $2 payment, $3 when it is asked next (null: never). */
export const SCHEDULE = 'UPDATE payment SET poll_at = $3, polls = polls + 1 WHERE store_id = $1 AND id = $2';

/** $1 store, $2 payment, $3 now, $4 seconds. */
export const ASKED = `
  UPDATE payment SET asked_at = $3 WHERE store_id = $1 AND id = $2
    AND (asked_at IS NULL OR asked_at <= $3::timestamptz - make_interval(secs => $4))
  RETURNING id`;

/** What came of a notice: $1 store, $2 event, $3 outcome. */
export const OUTCOME = 'UPDATE webhook_event SET outcome = $3 WHERE store_id = $1 AND id = $2';
