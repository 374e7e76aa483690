import type { Sql, Transaction } from '@platform/data';
import type { UserRole } from '@platform/contracts';
import { cut } from '@platform/runtime';

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

/** A valid login, with its user's current role and teams in the store. */
export interface LiveSession {
  readonly userId: string;
  readonly email: string;
  readonly role: UserRole;
  readonly teams: string[];
  readonly expiresAt: Date;
}

export interface SessionStep {
  readonly sidHash: string;
  /** Of the next access token. */
  readonly jti: string;
  /** That token, sealed: the successor of the one before. */
  readonly sealed: string;
  readonly now: Date;
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

const revoke = (which: string): string =>
  `UPDATE auth_sessions SET revoked_at = $1 WHERE revoked_at IS NULL AND ${which} RETURNING sid_hash`;

/** A login that moved to another store may still hold tokens for the one before. */
const inStore = (parameter: string): string => `(store_id = ${parameter} OR ${parameter} = ANY (past_stores))`;

export const REVOKE_ONE = revoke('sid_hash = $2');
export const REVOKE_OF_USER = revoke(
  `user_id = $2 AND ($3::text IS NULL OR ${inStore('$3')}) AND ($4::text IS NULL OR sid_hash <> $4)`,
);
export const REVOKE_OF_STORE = revoke(
  `user_id IN (SELECT user_id FROM memberships WHERE store_id = $2) AND ${inStore('$2')}`,
);

/** Which logins: one; a user's, in one store only or all but one; or everybody's in a store. */
export type WhichSessions =
  | { readonly sidHash: string }
  | { readonly userId: string; readonly storeId?: string; readonly exceptSidHash?: string }
  | { readonly storeId: string };

const revocation = (which: WhichSessions): [name: string, text: string, values: (string | null)[]] => {
  if ('sidHash' in which) return ['session-revoke', REVOKE_ONE, [which.sidHash]];
  if ('userId' in which)
    return [
      'session-revoke-of-user',
      REVOKE_OF_USER,
      [which.userId, which.storeId ?? null, which.exceptSidHash ?? null],
    ];
  return ['session-revoke-of-store', REVOKE_OF_STORE, [which.storeId]];
};

/** A login that has not ended, locked until the end of the transaction. */
export interface HeldSession {
  readonly userId: string;
  readonly storeId: string;
  readonly currentJti: string;
  readonly previousJti: string | null;
  readonly previousUntil: Date | null;
  readonly successorSealed: string | null;
  readonly expiresAt: Date;
}

/** Logins (`sid`); `sql` is the database, or the transaction to join. */
export class SessionRepository {
  async insert(sql: Sql, session: NewSession): Promise<void> {
    const { sidHash, refreshHash, userId, storeId, kind, ip, userAgent, jti, now, expiresAt } = session;
    const values = [
      sidHash,
      refreshHash,
      userId,
      storeId,
      kind,
      ip,
      userAgent && cut(userAgent, 256),
      jti,
      now,
      expiresAt,
    ];
    await sql.prepared('session-begin', BEGIN, values);
  }

  /** `storeId` is the token's, because a login may have tokens for several of its user's stores. */
  async live(sql: Sql, sidHash: string, storeId: string): Promise<LiveSession | undefined> {
    const [session] = await sql.prepared<LiveSession>('session-live', LIVE_SESSION, [sidHash, storeId]);
    return session;
  }

  /**
   * As `live`, with the rights locked until the transaction ends: whoever changes a team holds the store. Lock the session
   * itself only afterwards, as they do.
   */
  async liveHeld(tx: Transaction, sidHash: string, storeId: string): Promise<LiveSession | undefined> {
    await this.holdStore(tx, storeId);
    return this.live(tx, sidHash, storeId);
  }

  /** Locks the team of the store until the transaction ends. */
  async holdStore(tx: Transaction, storeId: string): Promise<void> {
    await tx.prepared('session-store-hold', 'SELECT 1 FROM stores WHERE store_id = $1 FOR SHARE', [storeId]);
  }

  /** The user of a login, ended or not. */
  async ownerOf(sql: Sql, sidHash: string): Promise<string | undefined> {
    const statement = 'SELECT user_id AS "userId" FROM auth_sessions WHERE sid_hash = $1';
    const [session] = await sql.prepared<{ userId: string }>('session-owner', statement, [sidHash]);
    return session?.userId;
  }

  /** Of two concurrent callers the second sees what the first did. */
  async hold(sql: Sql, sidHash: string, now: Date): Promise<HeldSession | undefined> {
    const [session] = await sql.prepared<HeldSession>(
      'session-hold',
      `SELECT user_id AS "userId", store_id AS "storeId", current_jti AS "currentJti", prev_jti AS "previousJti",
         prev_until AS "previousUntil", successor_enc AS "successorSealed", expires_at AS "expiresAt"
       FROM auth_sessions WHERE sid_hash = $1 AND revoked_at IS NULL AND expires_at > $2 FOR UPDATE`,
      [sidHash, now],
    );
    return session;
  }

  /**
   * Makes another access token the current one; the one before stays known for 30 seconds (parallel tabs). False when the
   * login has ended.
   */
  async renew(sql: Sql, { sidHash, jti, sealed, now }: SessionStep): Promise<boolean> {
    const rows = await sql.prepared(
      'session-renew',
      `UPDATE auth_sessions SET prev_jti = current_jti, prev_until = $3::timestamptz + interval '30 seconds',
         current_jti = $2, successor_enc = $4, last_seen_at = $3
       WHERE sid_hash = $1 AND revoked_at IS NULL RETURNING 1`,
      [sidHash, jti, now, sealed],
    );
    return rows.length > 0;
  }

  /** Moves the login to another of its user's stores, which also becomes the default of the next login. */
  async enter(sql: Sql, sidHash: string, storeId: string): Promise<void> {
    await sql.prepared(
      'session-enter',
      `WITH entered AS (
         UPDATE auth_sessions SET store_id = $2, past_stores =
           CASE WHEN store_id = $2 OR store_id = ANY (past_stores) THEN past_stores ELSE past_stores || store_id END
         WHERE sid_hash = $1 RETURNING user_id)
       UPDATE users SET last_store_id = $2 FROM entered WHERE id = entered.user_id`,
      [sidHash, storeId],
    );
  }

  /** Resolves to the hashes of those that were valid until now. */
  async revoke(sql: Sql, now: Date, which: WhichSessions): Promise<string[]> {
    const [name, statement, values] = revocation(which);
    const rows = await sql.prepared<{ sid_hash: string }>(name, statement, [now, ...values]);
    return rows.map((row) => row.sid_hash);
  }
}
