import type { Sql } from '@platform/data';
import type { UserRole } from '@platform/contracts';

export type SessionKind = 'web' | 'jwt';

export interface NewSession {
  readonly sidHash: string;
  readonly refreshHash: string;
  readonly userId: string;
  readonly storeId: string;
  readonly kind: SessionKind;
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly jti: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** A login that is good, with what its user is in the store now. */
export interface LiveSession {
  readonly userId: string;
  readonly email: string;
  readonly role: UserRole;
  readonly teams: string[];
  readonly expiresAt: Date;
}

/** The session, its first refresh token and the user's last store, in one statement: all or nothing. */
const BEGIN = `
  WITH session AS (
    INSERT INTO auth_sessions (sid_hash, user_id, store_id, kind, ip, user_agent, current_jti, created_at, last_seen_at, expires_at)
    VALUES ($1, $3, $4, $5, $6, $7, $8, $9, $9, $10)),
  refresh AS (INSERT INTO refresh_tokens (hash, sid_hash, expires_at) VALUES ($2, $1, $10))
  UPDATE users SET last_store_id = $4 WHERE id = $3`;

/** Empty when the login was revoked, its user or membership disabled, or its store suspended. */
export const LIVE_SESSION = `
  SELECT u.id AS "userId", u.email::text AS email, m.role, m.teams, s.expires_at AS "expiresAt"
  FROM auth_sessions s
    JOIN users u ON u.id = s.user_id AND u.status = 'active'
    JOIN memberships m ON m.store_id = $2 AND m.user_id = u.id AND m.status = 'active'
    JOIN stores st ON st.store_id = m.store_id AND st.status <> 'suspended'
  WHERE s.sid_hash = $1 AND s.revoked_at IS NULL`;

const revoke = (column: 'sid_hash' | 'user_id'): string =>
  `UPDATE auth_sessions SET revoked_at = $1 WHERE ${column} = $2 AND revoked_at IS NULL RETURNING sid_hash`;

export const REVOKE_ONE = revoke('sid_hash');
export const REVOKE_ALL = revoke('user_id');

/** Logins (`sid`); `sql` is the database, or the transaction it has to happen in. */
export class SessionRepository {
  async insert(sql: Sql, session: NewSession): Promise<void> {
    const { sidHash, refreshHash, userId, storeId, kind, ip, userAgent, jti, now, expiresAt } = session;
    const values = [sidHash, refreshHash, userId, storeId, kind, ip, userAgent?.slice(0, 256), jti, now, expiresAt];
    await sql.prepared('session-begin', BEGIN, values);
  }

  /** The store is the token's, because a login may have tokens for several of its user's stores. */
  async live(sql: Sql, sidHash: string, storeId: string): Promise<LiveSession | undefined> {
    const [session] = await sql.prepared<LiveSession>('session-live', LIVE_SESSION, [sidHash, storeId]);
    return session;
  }

  /** Another access token is the current one now; the one before stays known for 30 seconds (parallel tabs). */
  async renew(sql: Sql, sidHash: string, jti: string, now: Date): Promise<void> {
    await sql.prepared(
      'session-renew',
      `UPDATE auth_sessions SET prev_jti = current_jti, prev_until = $3::timestamptz + interval '30 seconds',
         current_jti = $2, last_seen_at = $3
       WHERE sid_hash = $1`,
      [sidHash, jti, now],
    );
  }

  /** The hashes of those that were good until now: of one login, or of all of a user's. */
  async revoke(sql: Sql, now: Date, which: { sidHash: string } | { userId: string }): Promise<string[]> {
    const rows = await ('sidHash' in which
      ? sql.query<{ sid_hash: string }>(REVOKE_ONE, [now, which.sidHash])
      : sql.query<{ sid_hash: string }>(REVOKE_ALL, [now, which.userId]));
    return rows.map((row) => row.sid_hash);
  }
}
