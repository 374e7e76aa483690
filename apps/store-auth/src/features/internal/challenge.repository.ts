import type { Sql } from '@platform/data';
import { hashOf, opaqueToken } from '../tokens/opaque-token';
import type { Visitor } from '../audit/audit.repository';

export interface Challenge {
  readonly userId: string;
  readonly visitor: Visitor;
}

/** Proof that somebody passed the password check a moment ago; single use, stored as a hash. */
export class ChallengeRepository {
  async create(sql: Sql, userId: string, visitor: Visitor, needs: { otp: boolean; until: Date }): Promise<string> {
    const challenge = opaqueToken();
    await sql.prepared(
      'challenge-create',
      'INSERT INTO challenges (hash, user_id, needs_otp, ip, user_agent, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [hashOf(challenge), userId, needs.otp, visitor.address, visitor.userAgent?.slice(0, 256), needs.until],
    );
    return challenge;
  }

  /** Uses it up; nothing when it is unknown, used, expired, or still lacks a second factor. */
  async take(sql: Sql, challenge: string, now: Date): Promise<Challenge | undefined> {
    const [row] = await sql.prepared<{ user_id: string; ip: string | null; user_agent: string | null }>(
      'challenge-take',
      `DELETE FROM challenges WHERE hash = $1 AND expires_at > $2 AND NOT needs_otp RETURNING user_id, ip, user_agent`,
      [hashOf(challenge), now],
    );
    return row && { userId: row.user_id, visitor: { address: row.ip ?? '', userAgent: row.user_agent ?? undefined } };
  }
}
