import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { AuthenticationCreds } from 'baileys';
import type { Library } from './baileys.library';
import { openingReadsOn } from './opening.reads';

export interface Farewell {
  /** As WhatsApp names the linked device. */
  readonly account: string;
  readonly creds: AuthenticationCreds;
  readonly tries: number;
}

const SAVE = `
INSERT INTO farewell (instance_id, account, creds_enc) VALUES ($1, $2, $3)
ON CONFLICT (instance_id, account) DO UPDATE SET creds_enc = excluded.creds_enc`;

/** WhatsApp itself unlinks what does not log in for so long. */
const PATIENCE = '14 days';

const COUNT = `
WITH old AS (DELETE FROM farewell WHERE instance_id = $1 AND created_at < now() - interval '${PATIENCE}')
UPDATE farewell SET tries = tries + 1 WHERE instance_id = $1 AND created_at >= now() - interval '${PATIENCE}'
RETURNING account, creds_enc AS sealed, tries`;

/** Accounts of a device that were given up here, and at WhatsApp not yet. */
export class FarewellStore {
  constructor(
    private readonly instanceId: string,
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly library: Pick<Library, 'BufferJSON'>,
  ) {}

  async save(creds: AuthenticationCreds): Promise<void> {
    const account = creds.me?.id ?? '';
    const sealed = this.box.seal(JSON.stringify(creds, this.library.BufferJSON.replacer), this.purpose(account));
    await this.sql.query(SAVE, [this.instanceId, account, sealed]);
  }

  /** For one more try each. */
  async take(): Promise<Farewell[]> {
    if (!(await openingReadsOn(this.sql).hasFarewells(this.instanceId))) return [];
    type Row = { account: string; sealed: string; tries: number };
    const rows = await this.sql.prepared<Row>('farewell_take', COUNT, [this.instanceId]);
    const { reviver } = this.library.BufferJSON;
    return rows.map(({ account, sealed, tries }) => ({
      account,
      tries,
      creds: JSON.parse(this.box.open(sealed, this.purpose(account)), reviver) as AuthenticationCreds,
    }));
  }

  async remove(account: string): Promise<void> {
    await this.sql.query('DELETE FROM farewell WHERE instance_id = $1 AND account = $2', [this.instanceId, account]);
  }

  private purpose(account: string): string {
    return `farewell ${this.instanceId} ${account}`;
  }
}
