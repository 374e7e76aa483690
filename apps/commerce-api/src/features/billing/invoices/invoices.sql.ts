import { jobQueue } from '../../../jobs';

const queue = jobQueue();

/** As the answers name it, of the row `i`; `url` is that of the attempt which waits to be paid. */
export const INVOICE = `i.id, i.number, i.kind, i.lines, i.amount, i.currency, i.status, i.due_at, i.paid_at, i.created_at,
  (SELECT p.url FROM payment p WHERE p.store_id = i.store_id AND p.invoice_id = i.id AND p.status = 'pending'
    AND i.status = 'open' ORDER BY p.attempt DESC LIMIT 1) AS url`;

/**
 * Opens a bill unless the number is somebody's, or there is one for this already: $1 store, $2 id, $3 number, $4 kind, $5 ref, $6 lines,
 * $7 amount, $8 currency, $9 due, $10 now.
 */
export const OPEN = `
  WITH claimed AS (
    INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('invoice', $3, $1::text, $2::text) ON CONFLICT DO NOTHING RETURNING value
  )
  INSERT INTO invoice AS i (store_id, id, number, kind, ref, lines, amount, currency, status, due_at, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, value, $4, $5, $6::jsonb, $7, $8, 'open', $9, $10, $10 FROM claimed
  ON CONFLICT (store_id, kind, ref) DO NOTHING RETURNING ${INVOICE}`;

export const BY_ID = `SELECT ${INVOICE} FROM invoice i WHERE i.store_id = $1 AND i.id = $2`;
export const BY_REF = `SELECT ${INVOICE} FROM invoice i WHERE i.store_id = $1 AND i.kind = $2 AND i.ref = $3`;
export const LOCK = `${BY_ID} FOR UPDATE OF i`;
/** All of a plan for which money may come yet: $1 store. */
export const LOCK_UNPAID = `SELECT FROM invoice
  WHERE store_id = $1 AND status IN ('open', 'void') AND kind <> 'topup' ORDER BY id FOR UPDATE`;

/** Makes a locked bill paid and tells whoever waits for it: $1 store, $2 bill, $3 now, $4 the job's payload. */
export const PAY = `
  UPDATE invoice SET status = 'paid', paid_at = $3, updated_at = $3 WHERE store_id = $1 AND id = $2
  RETURNING (${queue.expression('invoice.paid', { payload: '$4::json' })}).id AS job`;
