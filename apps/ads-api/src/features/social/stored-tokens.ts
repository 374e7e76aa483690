import type { Sql } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { UpstreamToken } from '../../clients/graph.types';
import type { SocialTokens } from './social.types';
import type { TokenBox } from './token.box';

interface SealedRow {
  readonly id: string;
  readonly ciphertext: string;
}

export interface StoredToken {
  readonly token: UpstreamToken;
  readonly ciphertext: string;
}

const ACTIVE = 'application_id = $1 AND is_active AND ciphertext IS NOT NULL';

/** The rows of `social_tokens` that open something upstream. */
export class StoredTokens implements SocialTokens {
  constructor(
    private readonly database: Sql,
    private readonly box: TokenBox,
    private readonly logger: Logger,
  ) {}

  async find(applicationId: string, tokenId: string): Promise<UpstreamToken | undefined> {
    const row = await this.row(applicationId, tokenId);
    return row && this.opened(applicationId, row);
  }

  /** As `find`, with the box that the row held: what is written upon it must find the same one. */
  async stored(applicationId: string, tokenId: string): Promise<StoredToken | undefined> {
    const row = await this.row(applicationId, tokenId);
    if (!row) return undefined;
    const accessToken = this.box.open(applicationId, row.id, row.ciphertext);
    return { token: { id: row.id, applicationId, accessToken }, ciphertext: row.ciphertext };
  }

  async newest(applicationId: string, most: number): Promise<UpstreamToken[]> {
    const rows = await this.database.prepared<SealedRow>(
      'social_tokens.newest',
      `SELECT id, ciphertext FROM social_tokens WHERE ${ACTIVE} ORDER BY connected_at DESC, id DESC LIMIT $2`,
      [applicationId, most],
    );
    return Promise.all(rows.map((row) => this.opened(applicationId, row)));
  }

  /** Upstream does not take the token any more. One that was connected anew meanwhile stays as it is. */
  async died({ applicationId, id, accessToken }: UpstreamToken, reason: string): Promise<void> {
    const stored = await this.stored(applicationId, id);
    if (stored?.token.accessToken !== accessToken) return;
    await this.database.query(
      `UPDATE social_tokens SET is_active = false, inactive_reason = $4
       WHERE application_id = $1 AND id = $2 AND ciphertext = $3`,
      [applicationId, id, stored.ciphertext, reason],
    );
    this.logger.warn('a social account must be connected anew', { applicationId, tokenId: id, reason });
  }

  private async row(applicationId: string, id: string): Promise<SealedRow | undefined> {
    const [row] = await this.database.prepared<SealedRow>(
      'social_tokens.one',
      `SELECT id, ciphertext FROM social_tokens WHERE ${ACTIVE} AND id = $2`,
      [applicationId, id],
    );
    return row;
  }

  private async opened(applicationId: string, { id, ciphertext }: SealedRow): Promise<UpstreamToken> {
    const accessToken = this.box.open(applicationId, id, ciphertext);
    if (this.box.isStale(ciphertext)) await this.reseal(applicationId, { id, ciphertext }, accessToken);
    return { id, applicationId, accessToken };
  }

  /** So that the older key can be taken out of the ring one day. */
  private async reseal(applicationId: string, { id, ciphertext }: SealedRow, accessToken: string): Promise<void> {
    const sealed = this.box.seal(applicationId, id, accessToken);
    await this.database.query(
      'UPDATE social_tokens SET ciphertext = $4, key_id = $5 WHERE application_id = $1 AND id = $2 AND ciphertext = $3',
      [applicationId, id, ciphertext, sealed.ciphertext, sealed.keyId],
    );
  }
}
