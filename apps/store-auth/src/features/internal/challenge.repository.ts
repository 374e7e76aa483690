import type { Sql } from '@platform/data';
import { cut } from '@platform/runtime';
import { hashOf, opaqueToken } from '../issuing/public';
import type { Verified } from '../accounts/public';
import type { Visitor } from '../audit/public';

export interface Challenge {
  /** The user whose credentials were verified, and their version: void once they change. */
  readonly verified: Verified;
  readonly visitor: Visitor;
}

interface ChallengeRow {
  readonly user_id: string;
  readonly credential_version: number;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

const COLUMNS = 'user_id, credential_version, ip, user_agent';

const challengeOf = ({ user_id: id, credential_version, ip, user_agent: agent }: ChallengeRow): Challenge => ({
  verified: { id, credentialVersion: credential_version },
  visitor: { address: ip ?? '', userAgent: agent ?? undefined },
});

/** Proof that somebody passed the password check a moment ago; single use, stored as a hash. */
export class ChallengeRepository {
  /** Undefined when the user's credentials have changed since they were verified; waits for a reset in progress. */
  async create(
    sql: Sql,
    { id, credentialVersion }: Verified,
    visitor: Visitor,
    needs: { otp: boolean; until: Date },
  ): Promise<string | undefined> {
    const challenge = opaqueToken();
    const { address, userAgent } = visitor;
    const rows = await sql.prepared(
      'challenge-create',
      `INSERT INTO challenges (hash, user_id, credential_version, needs_otp, ip, user_agent, expires_at)
       SELECT $1, id, credential_version, $4::boolean, $5, $6, $7::timestamptz FROM users
       WHERE id = $2 AND credential_version = $3 AND status = 'active' FOR SHARE RETURNING 1`,
      [hashOf(challenge), id, credentialVersion, needs.otp, address, userAgent && cut(userAgent, 256), needs.until],
    );
    return rows.length > 0 ? challenge : undefined;
  }

  /** One that still lacks its second factor. */
  async waiting(sql: Sql, challenge: string, now: Date): Promise<Challenge | undefined> {
    const [row] = await sql.prepared<ChallengeRow>(
      'challenge-waiting',
      `SELECT ${COLUMNS} FROM challenges WHERE hash = $1 AND expires_at > $2 AND needs_otp`,
      [hashOf(challenge), now],
    );
    return row && challengeOf(row);
  }

  /** Marks the second factor as shown. False when the challenge has ended meanwhile. */
  async complete(sql: Sql, challenge: string): Promise<boolean> {
    const statement = 'UPDATE challenges SET needs_otp = false WHERE hash = $1 RETURNING 1';
    return (await sql.prepared('challenge-complete', statement, [hashOf(challenge)])).length > 0;
  }

  /** The user whose credentials it stands for, used up or not. */
  async verified(sql: Sql, challenge: string): Promise<Verified | undefined> {
    const statement = `SELECT ${COLUMNS} FROM challenges WHERE hash = $1`;
    const [row] = await sql.prepared<ChallengeRow>('challenge-verified', statement, [hashOf(challenge)]);
    return row && challengeOf(row).verified;
  }

  /** Uses it up; undefined when it is unknown, used, expired, or still lacks a second factor. */
  async take(sql: Sql, challenge: string, now: Date): Promise<Challenge | undefined> {
    const [row] = await sql.prepared<ChallengeRow>(
      'challenge-take',
      `DELETE FROM challenges WHERE hash = $1 AND expires_at > $2 AND NOT needs_otp RETURNING ${COLUMNS}`,
      [hashOf(challenge), now],
    );
    return row && challengeOf(row);
  }
}
