import type { Sql } from '@platform/data';
import { cut } from '@platform/runtime';
import { hashOf, opaqueToken } from '../issuing/public';
import type { Visitor } from '../audit/public';

export interface Challenge {
  readonly userId: string;
  readonly visitor: Visitor;
}

interface ChallengeRow {
  readonly user_id: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

const challengeOf = ({ user_id: userId, ip, user_agent: agent }: ChallengeRow): Challenge => ({
  userId,
  visitor: { address: ip ?? '', userAgent: agent ?? undefined },
});

/** Proof that somebody passed the password check a moment ago; single use, stored as a hash. */
export class ChallengeRepository {
  async create(sql: Sql, userId: string, visitor: Visitor, needs: { otp: boolean; until: Date }): Promise<string> {
    const challenge = opaqueToken();
    await sql.prepared(
      'challenge-create',
      'INSERT INTO challenges (hash, user_id, needs_otp, ip, user_agent, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [
        hashOf(challenge),
        userId,
        needs.otp,
        visitor.address,
        visitor.userAgent && cut(visitor.userAgent, 256),
        needs.until,
      ],
    );
    return challenge;
  }

  /** One that still lacks its second factor. */
  async waiting(sql: Sql, challenge: string, now: Date): Promise<Challenge | undefined> {
    const [row] = await sql.query<ChallengeRow>(
      'SELECT user_id, ip, user_agent FROM challenges WHERE hash = $1 AND expires_at > $2 AND needs_otp',
      [hashOf(challenge), now],
    );
    return row && challengeOf(row);
  }

  /** The second factor was shown. */
  async complete(sql: Sql, challenge: string): Promise<void> {
    await sql.query('UPDATE challenges SET needs_otp = false WHERE hash = $1', [hashOf(challenge)]);
  }

  /** Uses it up; nothing when it is unknown, used, expired, or still lacks a second factor. */
  async take(sql: Sql, challenge: string, now: Date): Promise<Challenge | undefined> {
    const [row] = await sql.prepared<ChallengeRow>(
      'challenge-take',
      `DELETE FROM challenges WHERE hash = $1 AND expires_at > $2 AND NOT needs_otp RETURNING user_id, ip, user_agent`,
      [hashOf(challenge), now],
    );
    return row && challengeOf(row);
  }
}
