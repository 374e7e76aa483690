import { bigintNumber, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Minor } from '../money/public';
import { LAST } from './ledger.rows';
import type { AccountKey } from './operation.rows';
import type { Refusal } from './operation.refusal';

export type BatchState = 'planned' | 'unknown' | 'applied' | 'failed' | 'cancelled' | 'needs_review';

/** `ok`: upstream said it was done; `refused`: it was not; null: the process has not heard, or died. */
export type AttemptOutcome = 'ok' | 'refused' | 'unknown' | null;

/** An intent to write one absolute value, and what became of it. */
export interface Batch {
  readonly id: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly currency: string;
  /** The cap as it was read. */
  readonly base: Minor;
  /** Where its operations start. Another value than `base` where the write repairs a late one. */
  readonly start: Minor;
  readonly spent: Minor;
  readonly target: Minor;
  readonly name: string | null;
  readonly state: BatchState;
  readonly attempts: readonly { readonly sent_at: string; readonly outcome: AttemptOutcome }[];
  /** Milliseconds since the last send, by the database's clock. */
  readonly sentAgoMs: number;
}

interface Row {
  readonly id: string;
  readonly application_id: string;
  readonly account_id: string;
  readonly currency: string;
  readonly base_cap: string;
  readonly start_cap: string | null;
  readonly base_spent: string;
  readonly target: string;
  readonly new_name: string | null;
  readonly state: BatchState;
  readonly attempts: Batch['attempts'];
  readonly sent_ago_ms: string;
}

const COLUMNS = `b.id, b.application_id, b.account_id, b.currency, b.base_cap, b.start_cap, b.base_spent, b.target, b.new_name, b.state,
  b.attempts, extract(epoch FROM clock_timestamp() - (b.attempts->-1->>'sent_at')::timestamptz) * 1000 AS sent_ago_ms`;

const read = (row: Row): Batch => ({
  id: row.id,
  applicationId: row.application_id,
  accountId: row.account_id,
  currency: row.currency,
  base: bigintNumber.from(row.base_cap),
  start: bigintNumber.from(row.start_cap ?? row.base_cap),
  spent: bigintNumber.from(row.base_spent),
  target: bigintNumber.from(row.target),
  name: row.new_name,
  state: row.state,
  attempts: row.attempts,
  sentAgoMs: Number(row.sent_ago_ms),
});

/** Its first send is written down with it: from the commit on it may have been sent. */
const ATTEMPT = `jsonb_build_object('sent_at', clock_timestamp(), 'outcome', NULL)`;
const INSERT = `
  INSERT INTO cap_batches AS b (id, account_id, application_id, fence, currency, base_cap, start_cap, base_spent, target, new_name, state,
    attempts, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'planned', jsonb_build_array(${ATTEMPT}), $11) RETURNING ${COLUMNS}`;
const OPEN = `
  SELECT ${COLUMNS} FROM cap_batches b
  WHERE b.account_id = $2 AND b.application_id = $1 AND b.state IN ('planned', 'unknown') ORDER BY b.created_at, b.id`;
const SEND_AGAIN = `UPDATE cap_batches b SET attempts = attempts || ${ATTEMPT} WHERE id = $1 AND state IN ('planned', 'unknown') RETURNING ${COLUMNS}`;
const lastOutcome = (value: string): string =>
  `jsonb_set(attempts, ARRAY[(jsonb_array_length(attempts) - 1)::text, 'outcome'], to_jsonb(${value}::text))`;
const OUTCOME = `
  UPDATE cap_batches SET attempts = ${lastOutcome('$3')}, state = $2
  WHERE id = $1 AND state IN ('planned', 'unknown') RETURNING 1`;
const END = `
  UPDATE cap_batches b SET state = $2, resolved_at = $3, error = $4,
    attempts = CASE WHEN $6::text IS NULL THEN attempts ELSE ${lastOutcome('$6')} END
  WHERE id = $1 AND state = ANY($5) RETURNING ${COLUMNS}`;
const WRITES = `
  SELECT coalesce(sum(jsonb_array_length(attempts)), 0) AS count FROM cap_batches
  WHERE account_id = $2 AND application_id = $1 AND created_at > $3`;
/** So long after its send a write of which nobody knows the outcome may be executed (design 3.4). */
export const LATE_MS = 15 * 60_000;
/** And so much later it is still known for one: what came last is seen by the look that comes after it. */
const SEEN_MS = 5 * 60_000;
const LATE = `
  SELECT 1 FROM cap_batches b CROSS JOIN jsonb_to_recordset(b.attempts) AS a (sent_at timestamptz, outcome text)
  WHERE b.account_id = $2 AND b.application_id = $1 AND b.target = $3 AND coalesce(a.outcome, 'unknown') = 'unknown'
    AND a.sent_at > clock_timestamp() - interval '${LATE_MS + SEEN_MS} milliseconds' LIMIT 1`;
const IN_REVIEW = `SELECT ${COLUMNS} FROM cap_batches b WHERE b.state = 'needs_review' ORDER BY b.created_at LIMIT $1`;
const FIND = `SELECT ${COLUMNS} FROM cap_batches b WHERE b.id = $1`;

const UNCHECKED = `
  SELECT ${COLUMNS} FROM cap_batches b
  WHERE b.account_id = $2 AND b.application_id = $1 AND b.created_at > $3 AND b.state = 'applied' AND b.checked_at IS NULL AND b.target <> b.base_cap
  ORDER BY b.created_at, b.id LIMIT 100`;
/** The value before a write of ours that has ended since then, whenever it was sent, while the ledger says that another one stands. */
const WENT_BACK = `
  SELECT 1 FROM cap_batches b
  WHERE b.account_id = $2 AND b.application_id = $1 AND b.created_at > $4::timestamptz - interval '1 day' AND b.resolved_at > $4 AND b.state = 'applied' AND b.base_cap = $3
    AND $3 <> (SELECT cap_after FROM cap_ledger WHERE ${LAST}) LIMIT 1`;
const CHECKED = `UPDATE cap_batches SET checked_at = $2 WHERE id = ANY($1)`;

export type NewBatch = Omit<Batch, 'id' | 'state' | 'attempts' | 'sentAgoMs'>;

/** The table `cap_batches`. */
export const batchRows = {
  insert: async (tx: Sql, batch: NewBatch, { fence, now }: { fence: string; now: Date }): Promise<Batch> => {
    const { applicationId, accountId, currency, base, start, spent, target, name } = batch;
    const values = [uuidv7(), accountId, applicationId, fence, currency, base, start, spent, target, name, now];
    const [row] = (await tx.prepared<Row>('caps.batch_insert', INSERT, values)) as [Row];
    return read(row);
  },

  open: async (sql: Sql, { applicationId, accountId }: AccountKey): Promise<Batch[]> =>
    (await sql.prepared<Row>('caps.batch_open', OPEN, [applicationId, accountId])).map(read),

  find: async (sql: Sql, id: string): Promise<Batch | undefined> => {
    const [row] = await sql.prepared<Row>('caps.batch_find', FIND, [id]);
    return row && read(row);
  },

  inReview: async (sql: Sql, most: number): Promise<Batch[]> =>
    (await sql.prepared<Row>('caps.batch_review', IN_REVIEW, [most])).map(read),

  /** Undefined: it has ended. */
  sendAgain: async (tx: Sql, id: string): Promise<Batch | undefined> => {
    const [row] = await tx.prepared<Row>('caps.batch_again', SEND_AGAIN, [id]);
    return row && read(row);
  },

  /** What came of the last send. */
  outcome: async (
    tx: Sql,
    id: string,
    { state, outcome }: { readonly state: BatchState; readonly outcome: NonNullable<AttemptOutcome> },
  ): Promise<void> => {
    await tx.prepared('caps.batch_outcome', OUTCOME, [id, state, outcome]);
  },

  /** Undefined: it has ended already, however. */
  end: async (
    tx: Sql,
    id: string,
    {
      state,
      now,
      refusal,
      outcome = null,
      from = ['planned', 'unknown'],
    }: {
      readonly state: BatchState;
      readonly now: Date;
      readonly refusal?: Refusal;
      /** Of the last send, where upstream has said it: what has an answer cannot be executed late. */
      readonly outcome?: AttemptOutcome;
      readonly from?: readonly BatchState[];
    },
  ): Promise<Batch | undefined> => {
    const error = refusal ? JSON.stringify({ ...refusal.error, message: refusal.message }) : null;
    const [row] = await tx.prepared<Row>('caps.batch_end', END, [id, state, now, error, from, outcome]);
    return row && read(row);
  },

  writesSince: async (sql: Sql, { applicationId, accountId }: AccountKey, since: Date): Promise<number> => {
    const [row] = await sql.prepared<{ count: string }>('caps.writes', WRITES, [applicationId, accountId, since]);
    return Number(row?.count ?? 0);
  },

  mayBeLate: async (tx: Sql, { applicationId, accountId }: AccountKey, observed: Minor): Promise<boolean> =>
    (await tx.prepared('caps.batch_late', LATE, [applicationId, accountId, observed])).length > 0,

  /** Whether an account shows a cap that a write of ours has ended since then. */
  wentBack: async (
    sql: Sql,
    { applicationId, accountId }: AccountKey,
    { observed, since }: { readonly observed: Minor; readonly since: Date },
  ): Promise<boolean> =>
    (await sql.prepared('caps.went_back', WENT_BACK, [applicationId, accountId, observed, since])).length > 0,

  /** Applied since then; upstream's history was not asked about them yet. */
  unchecked: async (sql: Sql, { applicationId, accountId }: AccountKey, since: Date): Promise<Batch[]> =>
    (await sql.prepared<Row>('caps.unchecked', UNCHECKED, [applicationId, accountId, since])).map(read),

  checked: async (tx: Sql, batches: readonly Batch[], now: Date): Promise<void> => {
    await tx.prepared('caps.checked', CHECKED, [batches.map(({ id }) => id), now]);
  },
};
