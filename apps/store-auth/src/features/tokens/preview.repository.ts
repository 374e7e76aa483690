import type { Sql } from '@platform/data';

export interface PreviewToken {
  readonly jti: string;
  readonly sidHash: string;
  readonly referer: string;
  readonly expiresAt: Date;
}

/** Preview tokens: the referer each is bound to, and whether it was consumed. */
export class PreviewRepository {
  async insert(sql: Sql, { jti, sidHash, referer, expiresAt }: PreviewToken): Promise<void> {
    await sql.prepared(
      'preview-insert',
      'INSERT INTO preview_tokens (jti, sid_hash, referer, expires_at) VALUES ($1, $2, $3, $4)',
      [jti, sidHash, referer, expiresAt],
    );
  }

  /** Whether there are so many of the login; they stay for an hour after they have expired. */
  async hasMany(sql: Sql, sidHash: string, count: number): Promise<boolean> {
    const statement = 'SELECT 1 FROM preview_tokens WHERE sid_hash = $1 OFFSET $2 LIMIT 1';
    return (await sql.prepared('preview-many', statement, [sidHash, count - 1])).length > 0;
  }

  /** Undefined once it was consumed. */
  async refererOf(sql: Sql, jti: string): Promise<string | undefined> {
    const [row] = await sql.prepared<{ referer: string }>(
      'preview-referer',
      'SELECT referer FROM preview_tokens WHERE jti = $1 AND consumed_at IS NULL',
      [jti],
    );
    return row?.referer;
  }

  /** True for one caller only, however many ask. */
  async consume(sql: Sql, jti: string, now: Date): Promise<boolean> {
    const rows = await sql.prepared(
      'preview-consume',
      'UPDATE preview_tokens SET consumed_at = $2 WHERE jti = $1 AND consumed_at IS NULL RETURNING 1',
      [jti, now],
    );
    return rows.length > 0;
  }
}
