import type { Database, Sql } from '@platform/data';

/** A limit and the lock that follows when it is reached. Times in seconds. */
export interface ThrottleRule {
  readonly attempts: number;
  readonly windowSeconds: number;
  /** The first lock; each further one doubles. */
  readonly lockSeconds: number;
  readonly maxLockSeconds: number;
}

export interface Admission {
  readonly admitted: boolean;
  readonly locked_until: Date | null;
}

/**
 * One atomic upsert counts a try before it is made, so parallel tries cannot outrun the count: exactly `attempts`
 * are admitted. The one that reaches the limit is admitted and locks out the next. Nothing changes while it is
 * locked. The number of locks, which doubles their length, is forgotten after a day.
 */
const ADMIT = `
  INSERT INTO throttle AS t (key, window_start, failures, locks, locked_until, admitted)
  VALUES ($1, $2, 1, 0, NULL, true)
  ON CONFLICT (key) DO UPDATE SET (window_start, failures, locks, locked_until, admitted) = (
    SELECT
      CASE WHEN over AND NOT locked THEN $2::timestamptz ELSE t.window_start END,
      CASE WHEN locked THEN t.failures WHEN full_now THEN 0 ELSE tries END,
      CASE WHEN locked THEN t.locks WHEN full_now THEN past_locks + 1 ELSE past_locks END,
      CASE WHEN locked OR NOT full_now THEN t.locked_until
        ELSE $2::timestamptz + make_interval(secs => least($5::float8 * power(2, least(past_locks, 20)), $6::float8)) END,
      NOT locked
    FROM (SELECT coalesce(t.locked_until > $2, false) AS locked,
        t.window_start + make_interval(secs => $4::float8) <= $2 AS over) a,
      LATERAL (SELECT CASE WHEN over THEN 1 ELSE t.failures + 1 END AS tries,
        CASE WHEN t.window_start < $2::timestamptz - interval '1 day' THEN 0 ELSE t.locks END AS past_locks) b,
      LATERAL (SELECT tries >= $3::int AS full_now) c)
  RETURNING admitted, locked_until`;

/** Takes back one admitted try; a lock exists only because that try was counted, so it opens, one short of the limit. */
const WITHDRAW = `
  UPDATE throttle SET
    failures = CASE WHEN locked_until > $2 THEN $3::int - 1 ELSE greatest(failures - 1, 0) END,
    locks = CASE WHEN locked_until > $2 THEN greatest(locks - 1, 0) ELSE locks END,
    locked_until = NULL
  WHERE key = $1`;

export class ThrottleRepository {
  constructor(private readonly database: Database) {}

  async admit(key: string, rule: ThrottleRule, now: Date): Promise<Admission> {
    const [row] = await this.database.prepared<Admission>('throttle-admit', ADMIT, [
      key,
      now,
      rule.attempts,
      rule.windowSeconds,
      rule.lockSeconds,
      rule.maxLockSeconds,
    ]);
    if (!row) throw new Error('the throttle upsert returned no row');
    return row;
  }

  async withdraw(key: string, rule: ThrottleRule, now: Date): Promise<void> {
    await this.database.prepared('throttle-withdraw', WITHDRAW, [key, now, rule.attempts]);
  }

  /** False when nothing was counted. */
  async forget(key: string, sql: Sql = this.database): Promise<boolean> {
    const statement = 'DELETE FROM throttle WHERE key = $1 RETURNING 1';
    return (await sql.prepared('throttle-forget', statement, [key])).length > 0;
  }
}
