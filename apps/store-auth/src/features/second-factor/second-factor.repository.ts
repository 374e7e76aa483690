import type { Sql } from '@platform/data';
import type { Verified } from '../accounts/public';

/** The second factors of users. */
export class SecondFactorRepository {
  /**
   * True once per time step, and never for one before the last: a code that was seen is void. So is one of a second factor
   * that was replaced meanwhile.
   */
  async useStep(sql: Sql, { id, credentialVersion }: Verified, step: number): Promise<boolean> {
    const rows = await sql.prepared(
      'second-factor-step',
      `UPDATE users SET totp_last_step = $3
       WHERE id = $1 AND credential_version = $2 AND coalesce(totp_last_step, -1) < $3 RETURNING 1`,
      [id, credentialVersion, step],
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

  /** False when the credentials have changed since they were verified for it. */
  async begin(sql: Sql, { id, credentialVersion }: Verified, sealed: string): Promise<boolean> {
    const rows = await sql.query(
      `UPDATE users SET totp_pending_enc = $3
       WHERE id = $1 AND credential_version = $2 AND status = 'active' AND totp_enc IS NULL RETURNING 1`,
      [id, credentialVersion, sealed],
    );
    return rows.length > 0;
  }

  /** Turns on `pending`, the set-up that was begun, and no other. False when another request was faster. */
  async turnOn(
    sql: Sql,
    userId: string,
    pending: string,
    { step, recoveryHashes }: { readonly step: number; readonly recoveryHashes: readonly string[] },
  ): Promise<boolean> {
    const rows = await sql.query(
      `UPDATE users SET totp_enc = totp_pending_enc, totp_pending_enc = NULL, totp_last_step = $3, recovery_hashes = $4,
         credential_version = credential_version + 1
       WHERE id = $1 AND totp_enc IS NULL AND totp_pending_enc = $2 RETURNING 1`,
      [userId, pending, step, recoveryHashes],
    );
    return rows.length > 0;
  }

  /** False when it was replaced or turned off since the proof for it was shown. */
  async turnOff(sql: Sql, { id, credentialVersion }: Verified): Promise<boolean> {
    const rows = await sql.query(
      `UPDATE users SET totp_enc = NULL, totp_pending_enc = NULL, totp_last_step = NULL, recovery_hashes = '{}',
         credential_version = credential_version + 1
       WHERE id = $1 AND credential_version = $2 AND totp_enc IS NOT NULL RETURNING 1`,
      [id, credentialVersion],
    );
    return rows.length > 0;
  }
}
