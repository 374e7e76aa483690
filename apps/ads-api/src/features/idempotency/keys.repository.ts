import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { keyRefusals } from './idempotency.refusals';
import type { IdempotencyKeys, KeyedAnswer, KeyedRequest, OfOperation } from './idempotency.types';

const KEPT_MS = 24 * 3_600_000;
/** Longer than a call under a key takes. A caller that is still at work then is not disturbed: its repeat hears "unknown". */
const WORK_MS = 60_000;

/** A call that has neither ended in time nor an operation that recovery ends was interrupted: its outcome is unknown (design 3.5). */
const STANDING = `
  SELECT request_hash AS hash, operation_id AS "operationId", value::text AS value,
    CASE WHEN state = 'running' AND operation_id IS NULL AND until <= $3 THEN 'unknown' ELSE state END AS state
  FROM idempotency_keys
  WHERE application_id = $1 AND key = $2 AND (expires_at > $3 OR state = 'running')`;

const CLAIM = `
  INSERT INTO idempotency_keys AS old (application_id, key, request_hash, operation_id, state, until, expires_at)
  VALUES ($1, $2, $3, $4, 'running', $5, $6)
  ON CONFLICT (application_id, key) DO UPDATE SET request_hash = excluded.request_hash, operation_id = excluded.operation_id,
    state = 'running', value = NULL, until = excluded.until, expires_at = excluded.expires_at
    WHERE old.expires_at <= $7 AND old.state <> 'running'
  RETURNING 1`;

const ENDED = `unnest($1::uuid[], $2::uuid[]) AS ended (application_id, operation_id)`;
const OF_ENDED = `k.application_id = ended.application_id AND k.operation_id = ended.operation_id AND k.state <> 'done'`;

const FINISH = `
  UPDATE idempotency_keys k SET state = 'done', value = ended.value::json
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS ended (application_id, operation_id, value) WHERE ${OF_ENDED}`;
const FREE = `DELETE FROM idempotency_keys k USING ${ENDED} WHERE ${OF_ENDED}`;
const DOUBT = `UPDATE idempotency_keys k SET state = 'unknown' FROM ${ENDED} WHERE ${OF_ENDED}`;

/** Only the holder's: a key that was taken anew after its time belongs to somebody else. */
const HELD = `application_id = $1 AND key = $2 AND operation_id IS NULL AND until = $3 AND state <> 'done'`;

const idsOf = (ended: readonly OfOperation[]): string[][] => [
  ended.map(({ applicationId }) => applicationId),
  ended.map(({ operationId }) => operationId),
];

/** A key that was taken for work without an operation of ours. */
export interface HeldKey extends Pick<KeyedRequest, 'applicationId' | 'key'> {
  readonly until: Date;
}

/** The table `idempotency_keys`. */
export class KeysRepository implements IdempotencyKeys {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  async standing({ applicationId, key, hash }: KeyedRequest): Promise<KeyedAnswer | undefined> {
    const values = [applicationId, key, this.clock.now()];
    const [row] = await this.sql.prepared<KeyedAnswer & { hash: Buffer }>('key_standing', STANDING, values);
    if (!row) return undefined;
    const { hash: known, ...answer } = row;
    if (!known.equals(hash)) throw keyRefusals.otherRequest();
    return answer;
  }

  async claim(tx: Sql, request: KeyedRequest, operationId: string | null): Promise<boolean> {
    return (await this.take(tx, request, operationId)) !== undefined;
  }

  /** Takes the key for work without an operation; undefined: somebody else has it. */
  async hold(request: KeyedRequest): Promise<HeldKey | undefined> {
    const until = await this.take(this.sql, request, null);
    return until && { applicationId: request.applicationId, key: request.key, until };
  }

  async finish(tx: Sql, ended: readonly (OfOperation & { readonly value: string })[]): Promise<void> {
    if (ended.length > 0) await tx.prepared('key_finish', FINISH, [...idsOf(ended), ended.map(({ value }) => value)]);
  }

  async free(tx: Sql, ended: readonly OfOperation[]): Promise<void> {
    if (ended.length > 0) await tx.prepared('key_free', FREE, idsOf(ended));
  }

  async doubt(tx: Sql, ended: readonly OfOperation[]): Promise<void> {
    if (ended.length > 0) await tx.prepared('key_doubt', DOUBT, idsOf(ended));
  }

  async finishHeld(held: HeldKey, value: string): Promise<void> {
    const text = `UPDATE idempotency_keys SET state = 'done', value = $4::json WHERE ${HELD}`;
    await this.sql.prepared('key_finish_held', text, [held.applicationId, held.key, held.until, value]);
  }

  async freeHeld(held: HeldKey): Promise<void> {
    await this.sql.prepared('key_free_held', `DELETE FROM idempotency_keys WHERE ${HELD}`, [
      held.applicationId,
      held.key,
      held.until,
    ]);
  }

  /** Of a call that did not end in its time; nothing when somebody else has taken it up already. */
  async freeInterrupted({ applicationId, key }: KeyedRequest): Promise<void> {
    const left = `application_id = $1 AND key = $2 AND operation_id IS NULL AND state = 'running' AND until <= $3`;
    await this.sql.query(`DELETE FROM idempotency_keys WHERE ${left}`, [applicationId, key, this.clock.now()]);
  }

  async doubtHeld(held: HeldKey): Promise<void> {
    const text = `UPDATE idempotency_keys SET state = 'unknown' WHERE ${HELD}`;
    await this.sql.query(text, [held.applicationId, held.key, held.until]);
  }

  private async take(tx: Sql, request: KeyedRequest, operationId: string | null): Promise<Date | undefined> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + WORK_MS);
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    const { applicationId, key, hash } = request;
    const values = [applicationId, key, hash, operationId, until, expiresAt, now];
    const taken = await tx.prepared('key_claim', CLAIM, values);
    return taken.length > 0 ? until : undefined;
  }
}
