import type { Sql } from '@platform/data';

export interface RefreshToken {
  readonly sidHash: string;
  readonly storeId: string;
  readonly successorSealed: string | null;
  readonly usedAt: Date | null;
}

export interface Succession {
  readonly hash: string;
  readonly successorHash: string;
  readonly successorSealed: string;
  readonly sidHash: string;
  readonly expiresAt: Date;
  readonly now: Date;
}

/** Every grant gives another one. */
const UNUSED_OF_LOGIN = 1000;

export class RefreshRepository {
  /** Locks the row until the transaction ends: of two concurrent uses the second sees what the first did. */
  async take(sql: Sql, hash: string, now: Date): Promise<RefreshToken | undefined> {
    const [row] = await sql.prepared<RefreshToken>(
      'refresh-take',
      `SELECT r.sid_hash AS "sidHash", s.store_id AS "storeId", r.successor_enc AS "successorSealed", r.used_at AS "usedAt"
       FROM refresh_tokens r JOIN auth_sessions s USING (sid_hash)
       WHERE r.hash = $1 AND r.expires_at > $2 FOR UPDATE OF r`,
      [hash, now],
    );
    return row;
  }

  /** When the last but `count - 1` of the login's tokens was used; undefined when that was before `since`. */
  async usedBefore(
    sql: Sql,
    sidHash: string,
    { count, since }: { count: number; since: Date },
  ): Promise<Date | undefined> {
    const [row] = await sql.prepared<{ at: Date }>(
      'refresh-used-before',
      `SELECT used_at AS at FROM refresh_tokens WHERE sid_hash = $1 AND used_at > $2 ORDER BY used_at DESC OFFSET $3 LIMIT 1`,
      [sidHash, since, count - 1],
    );
    return row?.at;
  }

  /** Those of the login that nobody has used go when there are very many: whoever is given so many uses none. */
  async insert(sql: Sql, hash: string, sidHash: string, expiresAt: Date): Promise<void> {
    await sql.prepared(
      'refresh-insert',
      `WITH many AS (SELECT 1 FROM refresh_tokens WHERE sid_hash = $2 AND used_at IS NULL OFFSET ${UNUSED_OF_LOGIN - 1} LIMIT 1),
       gone AS (DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM refresh_tokens WHERE sid_hash = $2 AND used_at IS NULL AND EXISTS (SELECT 1 FROM many)
         FOR UPDATE SKIP LOCKED)))
       INSERT INTO refresh_tokens (hash, sid_hash, expires_at) VALUES ($1, $2, $3)`,
      [hash, sidHash, expiresAt],
    );
  }

  /** Marks it used and stores its successor. */
  async succeed(
    sql: Sql,
    { hash, successorHash, successorSealed, sidHash, expiresAt, now }: Succession,
  ): Promise<void> {
    await sql.prepared(
      'refresh-succeed',
      `WITH successor AS (INSERT INTO refresh_tokens (hash, sid_hash, expires_at) VALUES ($2, $3, $4))
       UPDATE refresh_tokens SET used_at = $5, successor_enc = $6 WHERE hash = $1`,
      [hash, successorHash, sidHash, expiresAt, now, successorSealed],
    );
  }
}
