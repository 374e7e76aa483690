import type { Sql } from '@platform/data';

/** The second factors of users. */
export class SecondFactorRepository {
  /** True once per time step, and never for one before the last: a code that was seen is worth nothing. */
  async useStep(sql: Sql, userId: string, step: number): Promise<boolean> {
    const rows = await sql.query(
      'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND coalesce(totp_last_step, -1) < $2 RETURNING 1',
      [userId, step],
    );
    return rows.length > 0;
  }

  /** True once per code. */
  async useRecoveryCode(sql: Sql, userId: string, hash: string): Promise<boolean> {
    const rows = await sql.query(
      `UPDATE users SET recovery_hashes = array_remove(recovery_hashes, $2)
       WHERE id = $1 AND $2 = ANY (recovery_hashes) RETURNING 1`,
      [userId, hash],
    );
    return rows.length > 0;
  }

  async begin(sql: Sql, userId: string, sealed: string): Promise<void> {
    await sql.query('UPDATE users SET totp_pending_enc = $2 WHERE id = $1', [userId, sealed]);
  }

  /** False when another request was faster. */
  async turnOn(sql: Sql, userId: string, step: number, recoveryHashes: readonly string[]): Promise<boolean> {
    const rows = await sql.query(
      `UPDATE users SET totp_enc = totp_pending_enc, totp_pending_enc = NULL, totp_last_step = $2, recovery_hashes = $3
       WHERE id = $1 AND totp_enc IS NULL AND totp_pending_enc IS NOT NULL RETURNING 1`,
      [userId, step, recoveryHashes],
    );
    return rows.length > 0;
  }

  async turnOff(sql: Sql, userId: string): Promise<void> {
    await sql.query(
      `UPDATE users SET totp_enc = NULL, totp_pending_enc = NULL, totp_last_step = NULL, recovery_hashes = '{}' WHERE id = $1`,
      [userId],
    );
  }
}
