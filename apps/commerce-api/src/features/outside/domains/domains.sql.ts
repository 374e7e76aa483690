import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Domain } from './domains.dto';

export interface DomainRow extends Pick<Domain, 'id' | 'host' | 'status' | 'failure'> {
  readonly txt_token: string;
  readonly txt_found: boolean;
  readonly target_found: boolean;
  readonly missing_since: Date | null;
  readonly checked_at: Date | null;
  readonly verified_at: Date | null;
  readonly created_at: Date;
}

export const COLUMNS = `d.id, d.host, d.status, d.failure, d.txt_token, d.txt_found, d.target_found, d.missing_since,
  d.checked_at, d.verified_at, d.created_at`;

export const DOMAINS = `SELECT ${COLUMNS} FROM domain_binding d WHERE d.store_id = $1 ORDER BY d.created_at, d.id`;
const ONE = `SELECT ${COLUMNS} FROM domain_binding d WHERE d.store_id = $1 AND d.id = $2`;

/** Below the host that is verified. */
export const proofName = (host: string): string => `_verify.${host}`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** `target` is where merchants' hosts point. */
export const shownDomain = (row: DomainRow, target: string): Domain => ({
  ...{ id: row.id, host: row.host, status: row.status, failure: row.failure },
  records: [
    { type: 'TXT', name: proofName(row.host), value: row.txt_token, found: row.txt_found },
    { type: 'CNAME', name: row.host, value: target, found: row.target_found },
  ],
  ...{ checked_at: iso(row.checked_at), verified_at: iso(row.verified_at), created_at: row.created_at.toISOString() },
});

export const domainsOf = (sql: Sql, storeId: string): Promise<DomainRow[]> => sql.query(DOMAINS, [storeId]);

/** Throws `NotFound`, also for one of another store. */
export const domainById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<DomainRow> => {
  const [row] = await sql.query<DomainRow>(`${ONE} ${lock}`, [storeId, id]);
  if (!row) throw new NotFound('Domain not found');
  return row;
};

/** Whoever has proved a host first has it: $1 store, $2 host, $3 domain. */
const CLAIM = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('host', $2, $1, $3) ON CONFLICT DO NOTHING RETURNING 1`;
const OWNED = `SELECT FROM global_key WHERE kind = 'host' AND value = $2 AND store_id = $1 AND ref_id = $3`;

/** False: another store has it. */
export const claimHost = async (tx: Sql, storeId: string, { id, host }: Pick<DomainRow, 'id' | 'host'>) => {
  const claimed = await tx.query(CLAIM, [storeId, host, id]);
  return claimed.length > 0 || (await tx.query(OWNED, [storeId, host, id])).length > 0;
};

export const releaseHost = async (tx: Sql, storeId: string, { id, host }: Pick<DomainRow, 'id' | 'host'>) => {
  await tx.query(`DELETE FROM global_key WHERE kind = 'host' AND value = $2 AND store_id = $1 AND ref_id = $3`, [
    ...[storeId, host],
    id,
  ]);
};
