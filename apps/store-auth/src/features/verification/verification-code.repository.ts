import type { Sql } from '@platform/data';

export const codePurposes = ['verify_email', 'reset_password', 'invite', 'phone'] as const;
export type CodePurpose = (typeof codePurposes)[number];

export interface NewCode {
  readonly id: string;
  /** Undefined: nobody has this address, and the code never matches. */
  readonly userId: string | undefined;
  /** The e-mail or phone number it is sent to. */
  readonly subject: string;
  readonly purpose: CodePurpose;
  readonly hash: string;
  readonly expiresAt: Date;
}

export interface TriedCode {
  readonly userId: string | null;
  readonly subject: string;
  readonly hash: string;
}

const TRIES = 5;

/** Codes that were sent to somebody, as hashes. */
export class VerificationCodeRepository {
  /** A new code voids the earlier ones for the same purpose. */
  async insert(sql: Sql, { id, userId, subject, purpose, hash, expiresAt }: NewCode, now: Date): Promise<void> {
    await sql.query(
      `WITH former AS (UPDATE verification_codes SET used_at = $7 WHERE subject = $3 AND purpose = $4 AND used_at IS NULL)
       INSERT INTO verification_codes (id, user_id, subject, purpose, code_hash, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, userId ?? null, subject, purpose, hash, expiresAt, now],
    );
  }

  /** The user it belongs to, used up or not. */
  async ownerOf(sql: Sql, id: string): Promise<string | undefined> {
    const statement = 'SELECT user_id AS "userId" FROM verification_codes WHERE id = $1';
    const [row] = await sql.query<{ userId: string | null }>(statement, [id]);
    return row?.userId ?? undefined;
  }

  /** Counts a try before anything is compared; undefined once it is used, expired or was tried five times. */
  async try(sql: Sql, id: string, purpose: CodePurpose, now: Date): Promise<TriedCode | undefined> {
    const [row] = await sql.query<TriedCode>(
      `UPDATE verification_codes SET attempts = attempts + 1
       WHERE id = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3 AND attempts < ${TRIES}
       RETURNING user_id AS "userId", subject, code_hash AS hash`,
      [id, purpose, now],
    );
    return row;
  }

  async use(sql: Sql, id: string, now: Date): Promise<void> {
    await sql.query('UPDATE verification_codes SET used_at = $2 WHERE id = $1', [id, now]);
  }
}
