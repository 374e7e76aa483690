import type { Sql } from '@platform/data';

export interface SigningApplication {
  readonly isActive: boolean;
  readonly keys: readonly { readonly fingerprint: string; readonly pem: string }[];
}

export interface Mint {
  readonly digest: Buffer;
  readonly nonce: Buffer;
  readonly applicationId: string;
  readonly mintedAt: Date;
  /** Until when a repeat of this handshake is recognised. */
  readonly rememberedUntil: Date;
}

export interface StoredToken {
  readonly hash: Buffer;
  readonly applicationId: string;
  readonly keyFingerprint: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export interface Exchange {
  /** Hashes of the bearer to replace and of the new one. */
  readonly old: Buffer;
  readonly hash: Buffer;
  readonly now: Date;
  readonly oldUntil: Date;
  readonly expiresAt: Date;
  readonly chainSeconds: number;
}

/** The owner of a live bearer. */
export interface Session {
  readonly token_hash: Buffer;
  readonly application_id: string;
  readonly name: string;
  readonly topup_policy: 'trusted' | 'verified_payment';
  readonly issued_at: Date;
  readonly expires_at: Date;
  /** Keys that the application may present now. */
  readonly fingerprints: readonly string[];
}

/** Keys in force: the current one, and a previous one until its end (design 2.2). */
const IN_FORCE = `(k.state = 'current' OR (k.state = 'previous' AND k.valid_until > $2))`;

const FIND_APPLICATION = `
  SELECT a.is_active AS "isActive",
    coalesce(json_agg(json_build_object('fingerprint', k.fingerprint, 'pem', k.spki_pem)) FILTER (WHERE k.fingerprint IS NOT NULL), '[]') AS keys
  FROM applications a LEFT JOIN application_keys k ON k.application_id = a.id AND ${IN_FORCE}
  WHERE a.id = $1 GROUP BY a.id`;

/** One statement decides whether a bearer is valid: not expired, not revoked, application active, minting key still in force. */
export const FIND_SESSION = `
  SELECT t.token_hash, t.application_id, a.name, a.topup_policy, t.issued_at, t.expires_at, array_agg(k.fingerprint) AS fingerprints
  FROM access_tokens t
  JOIN applications a ON a.id = t.application_id AND a.is_active
  JOIN application_keys k ON k.application_id = a.id AND ${IN_FORCE}
  WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2
  GROUP BY t.token_hash, a.id
  HAVING bool_or(k.fingerprint = t.key_fingerprint)`;

/** A bearer without the time of its handshake is its handshake's own. */
const EXCHANGE = `
  WITH old AS (
    UPDATE access_tokens SET expires_at = LEAST(expires_at, $3)
    WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > $2
    RETURNING application_id, key_fingerprint, COALESCE(signed_at, issued_at) AS signed_at)
  INSERT INTO access_tokens (token_hash, application_id, key_fingerprint, issued_at, expires_at, signed_at)
  SELECT $4, application_id, key_fingerprint, $2, LEAST($5, signed_at + make_interval(secs => $6)), signed_at FROM old
  RETURNING expires_at`;

/** Handshakes and the bearers they gave. */
export class HandshakeRepository {
  constructor(private readonly sql: Sql) {}

  async application(id: string, now: Date): Promise<SigningApplication | undefined> {
    const [found] = await this.sql.prepared<SigningApplication>('find_application', FIND_APPLICATION, [id, now]);
    return found;
  }

  /**
   * Claims a handshake. The first of all callers, over all processes, gets its own nonce back; a repeat gets the
   * first one's nonce and time, because the insert waits for a rival that has not committed yet.
   */
  async claim(mint: Mint): Promise<{ nonce: Buffer; mintedAt: Date }> {
    const { digest, nonce, applicationId, mintedAt, rememberedUntil } = mint;
    const mine = await this.sql.prepared(
      'handshake_claim',
      `INSERT INTO handshake_replays (digest, nonce, application_id, minted_at, expires_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING digest`,
      [digest, nonce, applicationId, mintedAt, rememberedUntil],
    );
    if (mine.length > 0) return { nonce, mintedAt };
    const [first] = await this.sql.prepared<{ nonce: Buffer; mintedAt: Date }>(
      'handshake_first',
      `SELECT nonce, minted_at AS "mintedAt" FROM handshake_replays WHERE digest = $1`,
      [digest],
    );
    if (!first) throw new Error('a claimed handshake is gone: was it cleaned up too early?');
    return first;
  }

  /** Once per bearer: a repeat neither prolongs nor revives it. */
  async keepToken({ hash, applicationId, keyFingerprint, issuedAt, expiresAt }: StoredToken): Promise<void> {
    await this.sql.prepared(
      'keep_token',
      `INSERT INTO access_tokens (token_hash, application_id, key_fingerprint, issued_at, expires_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      [hash, applicationId, keyFingerprint, issuedAt, expiresAt],
    );
  }

  /**
   * Puts a new bearer in the place of one, which ends at `oldUntil`. Neither it nor the new one outlives `chainSeconds` after the
   * handshake that both come from. Undefined when the old one is not valid any more: the row decides, not what was read before.
   */
  async exchange({ old, hash, now, oldUntil, expiresAt, chainSeconds }: Exchange): Promise<Date | undefined> {
    const [row] = await this.sql.prepared<{ expires_at: Date }>('exchange_token', EXCHANGE, [
      old,
      now,
      oldUntil,
      hash,
      expiresAt,
      chainSeconds,
    ]);
    return row?.expires_at;
  }

  /** For good: neither a repeated handshake nor a refresh revives it. */
  async revoke(hash: Buffer, now: Date): Promise<void> {
    await this.sql.query('UPDATE access_tokens SET revoked_at = $2 WHERE token_hash = $1 AND revoked_at IS NULL', [
      hash,
      now,
    ]);
  }

  async session(tokenHash: Buffer, now: Date): Promise<Session | undefined> {
    const [found] = await this.sql.prepared<Session>('find_session', FIND_SESSION, [tokenHash, now]);
    return found;
  }
}
