import type { Claim, Settled } from '@platform/runtime';
import type { Database, Sql, Transaction } from './database.types';
import { isNotNullViolation } from './postgres.errors';

/** A migration step: the table that `pgIdempotency` works on. `json`, not `jsonb`, keeps the order of an answer's members. */
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

/** An answer as it is sent, byte for byte. */
export interface KeptAnswer {
  readonly status: number;
  /** Content type; undefined: no body. */
  readonly type: string | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

/** One request, one effect: the first with a key does the work, repeats get its answer. Keys are kept for 24 hours. */
export interface Idempotency {
  /**
   * Runs `work` in one transaction that also keeps the answer it resolves to: both commit or neither, whatever dies. A failure
   * of `work` is thrown on and leaves the key free; after a deadlock the work runs again. Without a claim nothing is kept.
   * `before` is done first, by whoever has the claim alone, and holds no connection: what waits for others belongs there. Its
   * effects are its own: they stay when `work` fails.
   */
  once(
    claim: Claim | undefined,
    work: (tx: Transaction) => Promise<KeptAnswer>,
    before?: () => Promise<void>,
  ): Promise<Settled<KeptAnswer>>;
  /** Removes keys older than 24 hours and resolves to their number; call it periodically. */
  sweep(): Promise<number>;
}

interface Row {
  readonly mine: boolean;
  readonly same: boolean | null;
  readonly status: number | null;
  readonly body: Omit<KeptAnswer, 'status'> | null;
}

/**
 * The claim is a lock that lives exactly as long as the transaction, so the claim of a killed process is free at once and
 * nobody waits for a running one. The answer is read in the same statement: whoever does not get the lock learns whether the
 * other is still running or has committed and is about to release it.
 */
const BEGIN = `
  SELECT pg_try_advisory_xact_lock(hashtextextended($1 || chr(10) || $2, 0)) AS mine,
    kept.request_hash = $3 AS same, kept.status, kept.body
  FROM (SELECT) AS asked
  LEFT JOIN idempotency_keys AS kept
    ON kept.scope = $1 AND kept.key = $2 AND kept.status IS NOT NULL AND kept.claimed_at > now() - interval '24 hours'`;

/** Keeps no second answer: where a rival committed after our snapshot was taken, the NULL is refused, and with it our transaction. */
const KEEP = `
  INSERT INTO idempotency_keys AS old (scope, key, request_hash, status, body) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (scope, key) DO UPDATE SET claimed_at = now(), status = excluded.status, body = excluded.body,
    request_hash = CASE WHEN old.status IS NULL OR old.claimed_at <= now() - interval '24 hours' THEN excluded.request_hash END`;

/** A process that died over `before` keeps the key from nobody for longer. */
const LEASE = '1 minute';
/** For the time of `before`, which has no transaction whose lock would say that it is running. */
const HOLD = `
  INSERT INTO idempotency_keys AS old (scope, key, request_hash, claimed_at) VALUES ($1, $2, $3, clock_timestamp())
  ON CONFLICT (scope, key) DO UPDATE
    SET request_hash = excluded.request_hash, claimed_at = excluded.claimed_at, status = NULL, body = NULL
    WHERE (old.status IS NULL AND old.claimed_at <= now() - interval '${LEASE}') OR old.claimed_at <= now() - interval '24 hours'
  RETURNING claimed_at::text`;
const KEPT =
  'SELECT request_hash = $3 AS same, status, body, false AS mine FROM idempotency_keys WHERE scope = $1 AND key = $2';
const LET_GO = `DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2 AND status IS NULL AND claimed_at = $3::timestamptz`;

const SWEEP_ROWS = 5_000;
/** Bounded, so that it never holds many locks or runs into the statement timeout. One that is claimed anew meanwhile has moved, and stays. */
const SWEEP = `
  DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_keys WHERE claimed_at < now() - interval '24 hours'
    ORDER BY claimed_at LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED))
  RETURNING 1`;

/** The work was rolled back: a rival's answer was committed between our lookup and our lock. The next lookup sees it. */
const isOvertaken = (error: unknown): boolean => isNotNullViolation(error, 'idempotency_keys');

const settledBefore = ({ mine, same, status, body }: Row): Settled<KeptAnswer> | undefined => {
  if (status !== null && body !== null)
    return same ? { state: 'replay', answer: { ...body, status } } : { state: 'mismatch' };
  return mine ? undefined : { state: 'running' };
};

const keep = (tx: Sql, { scope, key, requestHash }: Claim, { status, ...body }: KeptAnswer): Promise<void> =>
  tx.later('idempotency-keep', KEEP, [scope, key, requestHash, status, JSON.stringify(body)]);

const attempt = (database: Transactions, claim: Claim, work: (tx: Transaction) => Promise<KeptAnswer>) =>
  database.tx(async (tx): Promise<Settled<KeptAnswer>> => {
    const { scope, key, requestHash } = claim;
    const [row] = await tx.prepared<Row>('idempotency-begin', BEGIN, [scope, key, requestHash]);
    const before = settledBefore(row as Row);
    if (before) return before;
    await keep(tx, claim, await work(tx));
    return { state: 'done' };
  });

type Transactions = Pick<Database, 'tx'>;

const DONE: Settled<KeptAnswer> = { state: 'done' };

const finished = async (
  database: Transactions,
  claim: Claim,
  work: (tx: Transaction) => Promise<KeptAnswer>,
): Promise<Settled<KeptAnswer>> => {
  for (;;) {
    const settled = await attempt(database, claim, work).catch((error: unknown) => {
      if (isOvertaken(error)) return undefined;
      throw error;
    });
    if (settled) return settled;
  }
};

/** Does what `claim` is for while nobody else does it; resolves to what others have made of it, if they were first. */
const held = async (
  sql: Sql,
  { scope, key, requestHash }: Claim,
  work: () => Promise<Settled<KeptAnswer>>,
): Promise<Settled<KeptAnswer>> => {
  const [mine] = await sql.query<{ claimed_at: string }>(HOLD, [scope, key, requestHash]);
  if (!mine) {
    const [row] = await sql.query<Row>(KEPT, [scope, key, requestHash]);
    return (row && settledBefore(row)) ?? { state: 'running' };
  }
  try {
    return await work();
  } catch (failure) {
    // Nobody waits for the end of the lease; what failed is told, whether or not this does
    await sql.query(LET_GO, [scope, key, mine.claimed_at]).catch(() => undefined);
    throw failure;
  }
};

/** On the table of `CREATE_IDEMPOTENCY_KEYS`. */
export const pgIdempotency = (database: Transactions & Sql): Idempotency => ({
  once: async (claim, work, before) => {
    if (claim && before) return held(database, claim, () => before().then(() => finished(database, claim, work)));
    if (claim) return finished(database, claim, work);
    await before?.();
    return database.tx(work).then(() => DONE);
  },
  sweep: async () => {
    for (let removed = 0; ;) {
      const { length } = await database.query(SWEEP);
      removed += length;
      if (length < SWEEP_ROWS) return removed;
    }
  },
});
