import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { audited, type By, type Writer } from '../../../by';
import type { Kyc, KycFields, KycKind, KycState } from './kyc.dto';

interface Row extends Omit<Kyc, 'data'> {
  readonly data_enc: string;
}

const COLUMNS = `k.id, k.kind, k.status, k.data_enc, k.reason, (SELECT coalesce(json_agg(json_build_object('kind', d.kind, 'media_id', d.media_id)
  ORDER BY d.created_at, d.kind), '[]') FROM kyc_document d WHERE d.store_id = k.store_id AND d.submission_id = k.id) AS documents`;

export const KYC = `SELECT ${COLUMNS} FROM kyc_submission k WHERE k.store_id = $1 ORDER BY k.created_at, k.id`;
const ONE = `SELECT ${COLUMNS} FROM kyc_submission k WHERE k.store_id = $1 AND k.id = $2 FOR UPDATE OF k`;
const ADD = `INSERT INTO kyc_submission AS k (store_id, id, kind, status, data_enc, created_at, updated_at)
  VALUES ($1, $2, $3, 'draft', $4, $5, $5) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`;
const WRITE = `UPDATE kyc_submission SET status = $3::text, data_enc = $4, reason = $5, approved_name = $6, updated_at = $7,
    decided_at = CASE WHEN $3::text IN ('approved', 'rejected') THEN coalesce($8::timestamptz, decided_at) END
  WHERE store_id = $1 AND id = $2`;
/** An approved check outweighs one of the other kind that is not. */
const STAND = `UPDATE store SET updated_at = $2, kyc_status = (SELECT k.status FROM kyc_submission k WHERE k.store_id = $1
    ORDER BY k.status = 'approved' DESC, k.updated_at DESC, k.id LIMIT 1) WHERE store_id = $1`;

/** To what the box of the data is bound. */
const purposeOf = (storeId: string, id: string): string => `kyc_submission/${storeId}/${id}`;

/** The checks of stores, whose data only this class opens. */
export class KycRows {
  constructor(private readonly box: SecretBox) {}

  async all(sql: Sql, storeId: string): Promise<Kyc[]> {
    return (await sql.query<Row>(KYC, [storeId])).map((row) => this.opened(storeId, row));
  }

  /** Locked until the transaction ends. Throws `NotFound`. */
  async locked(tx: Sql, storeId: string, id: string): Promise<Kyc> {
    const [row] = await tx.query<Row>(ONE, [storeId, id]);
    if (row) return this.opened(storeId, row);
    throw new NotFound('Identity check not found');
  }

  /** Undefined: there is one of this kind. */
  async add(
    tx: Sql,
    by: Writer,
    { id, kind, data }: { id: string; kind: KycKind; data: KycFields },
  ): Promise<Kyc | undefined> {
    const values = [by.storeId, id, kind, this.sealed(by.storeId, id, data), by.at];
    const [row] = await tx.query<Row>(ADD, values);
    if (!row) return undefined;
    await this.told(tx, by, id, {}, { kind, status: 'draft' });
    return this.opened(by.storeId, row);
  }

  /** The check as it is from now on; `name` is that of an approved one. The data never stands in the audit log. */
  async write(
    tx: Sql,
    by: Writer,
    before: Kyc,
    { status = before.status, data, reason, name = null, decided = false }: KycChange,
  ): Promise<void> {
    const { storeId, at } = by;
    const why = reason ?? (status === before.status ? before.reason : null);
    const sealed = this.sealed(storeId, before.id, data ?? before.data);
    await tx.query(WRITE, [storeId, before.id, status, sealed, why, name, at, decided ? at : null]);
    const after = { status, reason: why, ...(data && { data: '***' }) };
    await this.told(tx, by, before.id, { status: before.status, reason: before.reason }, after);
  }

  private async told(tx: Sql, by: Writer, id: string, before: object, after: object): Promise<void> {
    await tx.query(STAND, [by.storeId, by.at]);
    await audited(tx, by, { action: 'kyc.write', type: 'kyc_submission', id, before, after });
  }

  private sealed(storeId: string, id: string, data: KycFields): string {
    return this.box.seal(JSON.stringify(data), purposeOf(storeId, id));
  }

  private opened(storeId: string, { data_enc, ...row }: Row): Kyc {
    return { ...row, data: JSON.parse(this.box.open(data_enc, purposeOf(storeId, row.id))) as KycFields };
  }
}

interface KycChange {
  readonly status?: KycState;
  readonly data?: KycFields;
  readonly reason?: string | undefined;
  readonly name?: string | null;
  /** Whether somebody has decided now. */
  readonly decided?: boolean;
}

const APPROVED_NAME = `SELECT approved_name AS name FROM kyc_submission
  WHERE store_id = $1 AND status = 'approved' ORDER BY decided_at DESC, id LIMIT 1`;

/** As whom the identity check of a store was approved last: a person's full name, or a business's legal one; null: not at all. */
export const approvedNameOf = async (sql: Sql, storeId: string): Promise<string | null> =>
  (await sql.query<{ name: string }>(APPROVED_NAME, [storeId]))[0]?.name ?? null;

const ATTACH = `INSERT INTO kyc_document (store_id, submission_id, kind, media_id, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id, submission_id, kind) DO UPDATE SET media_id = excluded.media_id, created_at = excluded.created_at`;

/** One document of a kind; the caller has the lock of the check, and hides the file of the one before. */
export const attachDocument = async (
  tx: Sql,
  { storeId, at }: By,
  submissionId: string,
  { kind, mediaId }: { readonly kind: string; readonly mediaId: string },
): Promise<void> => {
  await tx.query(ATTACH, [storeId, submissionId, kind, mediaId, at]);
};
