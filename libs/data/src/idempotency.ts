import type { Sql } from './database.types';

/** A migration step: the table that `pgIdempotency` works on. `json`, not `jsonb`, keeps an answer's order of members. */
export const CREATE_IDEMPOTENCY_KEYS = `
  CREATE TABLE idempotency_keys (
    scope text NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    status integer,
    body json,
    PRIMARY KEY (scope, key)
  );
  CREATE INDEX idempotency_keys_claimed_at ON idempotency_keys (claimed_at)`;

export type IdempotencyState =
  | { state: 'new' }
  /** Answered before: send the same again. */
  | { state: 'replay'; status: number; body: unknown }
  /** The first request with this key is still at work. */
  | { state: 'running' }
  /** The key was used for another request. */
  | { state: 'mismatch' };

/** One request, one effect: the first with a key does the work, repetitions get its answer. Keys are kept for 24 hours. */
export interface Idempotency {
  /** `scope` holds the tenant and the operation. Whoever gets `new` must call `finish` or `forget`; a claim not finished in 60 s may be taken over. */
  begin(scope: string, key: string, requestHash: string): Promise<IdempotencyState>;
  /** Keeps the answer; the first answer stays. Inside the work's own transaction both commit together. */
  finish(scope: string, key: string, status: number, body: unknown): Promise<void>;
  /** Frees the key of a refused request, so that a corrected one may use it. An answer that was kept stays. */
  forget(scope: string, key: string): Promise<void>;
  /** Removes keys older than 24 hours and resolves to their number; call it now and then. */
  sweep(): Promise<number>;
}

interface Row {
  claimed: boolean;
  same: boolean;
  status: number | null;
  body: unknown;
}

/**
 * Guarantees that of any number of concurrent calls exactly one gets `claimed`: the insert waits for a rival's commit.
 * Answers no row when a rival's row was committed after this statement's snapshot; the next snapshot sees it.
 */
const BEGIN = `
  WITH claim AS (
    INSERT INTO idempotency_keys AS old (scope, key, request_hash) VALUES ($1, $2, $3)
    ON CONFLICT (scope, key) DO UPDATE
      SET request_hash = excluded.request_hash, claimed_at = now(), status = NULL, body = NULL
      WHERE old.claimed_at < now() - interval '24 hours'
         OR (old.status IS NULL AND old.request_hash = excluded.request_hash AND old.claimed_at < now() - interval '60 seconds')
    RETURNING 1
  )
  SELECT true AS claimed, true AS same, NULL::integer AS status, NULL::json AS body FROM claim
  UNION ALL
  SELECT false, request_hash = $3, status, body FROM idempotency_keys
  WHERE scope = $1 AND key = $2 AND NOT EXISTS (SELECT FROM claim)`;

const FINISH = `UPDATE idempotency_keys SET status = $3, body = $4 WHERE scope = $1 AND key = $2 AND status IS NULL`;
const FORGET = `DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2 AND status IS NULL`;

const SWEEP_ROWS = 5_000;
/** Bounded, so that it never holds many locks or meets the statement limit. */
const SWEEP = `
  DELETE FROM idempotency_keys WHERE (scope, key) IN (
    SELECT scope, key FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours'
    ORDER BY claimed_at LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED)
  RETURNING 1`;

const stateOf = ({ claimed, same, status, body }: Row): IdempotencyState => {
  if (claimed) return { state: 'new' };
  if (!same) return { state: 'mismatch' };
  return status === null ? { state: 'running' } : { state: 'replay', status, body };
};

/** On the table of `CREATE_IDEMPOTENCY_KEYS`, in a database or, for `finish`, in the transaction of the work. */
export const pgIdempotency = (sql: Sql): Idempotency => ({
  begin: async (scope, key, requestHash) => {
    for (;;) {
      const [row] = await sql.prepared<Row>('idempotency-begin', BEGIN, [scope, key, requestHash]);
      if (row) return stateOf(row);
    }
  },
  finish: async (scope, key, status, body) =>
    void (await sql.prepared('idempotency-finish', FINISH, [scope, key, status, JSON.stringify(body ?? null)])),
  forget: async (scope, key) => void (await sql.prepared('idempotency-forget', FORGET, [scope, key])),
  sweep: async () => {
    for (let removed = 0; ;) {
      const { length } = await sql.query(SWEEP);
      removed += length;
      if (length < SWEEP_ROWS) return removed;
    }
  },
});
