/** A payment by the number that its provider was told, in whichever store: $1 number. */
export const BY_NUMBER = `
  SELECT p.store_id, p.id, p.order_id, p.invoice_id, p.provider, p.mode FROM global_key g
    JOIN payment p ON p.store_id = g.store_id AND p.id = g.ref_id::uuid
  WHERE g.kind = 'payment' AND g.value = $1`;

/**
 * What came, once; whoever comes again finds it: $1 store, $2 id, $3 provider, $4 route, $5 what makes it one, $6 headers, $7 bytes,
 * $8 now, $9 whether the platform's account has signed it.
 */
export const KEEP = `
  WITH kept AS (
    INSERT INTO webhook_event (store_id, id, provider, route, dedupe_key, headers, raw, signature_ok, by_platform, outcome,
      received_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, true, $9, 'received', $8)
    ON CONFLICT (store_id, provider, dedupe_key) WHERE signature_ok DO NOTHING RETURNING id, false AS done
  )
  SELECT id, done FROM kept UNION ALL
  SELECT id, processed_at IS NOT NULL AS done FROM webhook_event
  WHERE store_id = $1 AND provider = $3 AND dedupe_key = $5 AND signature_ok
  LIMIT 1`;

/** In the last hour one store, or nobody, is shown no more than these. */
const MOST_FORGED = 200;

/** $1 store, $2 id, $3 provider, $4 route, $5 of what, $6 headers, $7 the first bytes, $8 now. */
export const KEEP_FORGED = `
  INSERT INTO webhook_event (store_id, id, provider, route, dedupe_key, headers, raw, signature_ok, outcome, attempts, received_at, processed_at)
  SELECT $1::varchar, $2::uuid, $3, $4, $5, $6::jsonb, $7::bytea, false, 'signature_failed', 1, $8, $8
  WHERE ${MOST_FORGED} > (SELECT count(*) FROM (
    SELECT FROM webhook_event e WHERE e.store_id = $1 AND e.received_at > $8::timestamptz - interval '1 hour' AND NOT e.signature_ok
    LIMIT ${MOST_FORGED}) forged)`;

/** Whoever takes it up is alone with it until the transaction ends; of one that was done already nothing: $1 store, $2 id, $3 now, $4 outcome, $5 milliseconds, $6 whether it is done again. */
export const TAKE_UP = `
  UPDATE webhook_event SET attempts = attempts + 1, outcome = $4, duration_ms = $5, processed_at = $3, error = NULL
  WHERE store_id = $1 AND id = $2 AND (processed_at IS NULL OR $6::boolean) RETURNING id`;

/** It stays, to be done again: $1 store, $2 id, $3 outcome, $4 what went wrong, $5 milliseconds. */
export const FAILED = `
  UPDATE webhook_event SET attempts = attempts + 1, outcome = $3, error = $4, duration_ms = $5
  WHERE store_id = $1 AND id = $2 AND processed_at IS NULL`;

/** $1 store, $2 id. */
export const STORED = `
  SELECT id, provider, route, headers, raw, signature_ok, by_platform FROM webhook_event WHERE store_id = $1 AND id = $2`;
