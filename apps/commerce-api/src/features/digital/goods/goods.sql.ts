import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { freeKeys } from '../rights/public';
import { USUAL } from '../terms/public';
import type { DeliveryInput, DeliveryTerms, KeyCounts } from './goods.dto';

const SAVE = `
  INSERT INTO digital_product AS d (store_id, product_id, max_downloads, valid_days, needs_key, created_at, updated_at)
  VALUES ($1, $2, coalesce($3, ${USUAL.max_downloads}), coalesce($4, ${USUAL.valid_days}), coalesce($5, ${USUAL.needs_key}), $6, $6)
  ON CONFLICT (store_id, product_id) DO UPDATE SET max_downloads = coalesce($3, d.max_downloads), valid_days = coalesce($4, d.valid_days),
    needs_key = coalesce($5, d.needs_key), updated_at = $6`;

/** Links that were sent keep the terms of then. */
export const saveTerms = async (tx: Sql, { storeId, at }: By, id: string, given: DeliveryInput): Promise<void> => {
  const { max_downloads = null, valid_days = null, needs_key = null } = given;
  await tx.query(SAVE, [storeId, id, max_downloads, valid_days, needs_key, at]);
};

/** What a product has besides what every product has. */
export interface Beside {
  readonly delivery: DeliveryTerms;
  readonly files: number;
  /** Keys, up to a bound; null: it needs none. */
  readonly free: number | null;
}

interface BesideRow extends DeliveryTerms {
  readonly id: string;
  readonly files: number;
  readonly free: number | null;
}

/** More of a product are told as so many in a list. */
const MOST_KEYS = 1_000;

const BESIDE = `
  SELECT p.id, coalesce(d.max_downloads, ${USUAL.max_downloads}) AS max_downloads, coalesce(d.valid_days, ${USUAL.valid_days}) AS valid_days,
    coalesce(d.needs_key, ${USUAL.needs_key}) AS needs_key, ${freeKeys('p.id', MOST_KEYS)} AS free,
    (SELECT count(*)::int FROM digital_asset a WHERE a.store_id = $1 AND a.product_id = p.id AND a.removed_at IS NULL) AS files
  FROM product p LEFT JOIN digital_product d ON d.store_id = p.store_id AND d.product_id = p.id
  WHERE p.store_id = $1 AND p.id = ANY ($2::uuid[]) AND p.kind = 'digital'`;

/** By product; those that are not digital are left out. */
export const besidesOf = async (
  sql: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Beside>> => {
  const rows = await sql.prepared<BesideRow>('digital besides', BESIDE, [storeId, ids]);
  return new Map(rows.map(({ id, files, free, ...delivery }) => [id, { delivery, files, free }]));
};

const COUNTS =
  'SELECT state, count(*)::int AS n FROM license_key WHERE store_id = $1 AND product_id = $2 GROUP BY state';

export const keyCounts = async (sql: Sql, storeId: string, id: string): Promise<KeyCounts> => {
  const rows = await sql.prepared<{ state: keyof KeyCounts; n: number }>('key counts', COUNTS, [storeId, id]);
  const counts = { free: 0, held: 0, assigned: 0, revoked: 0 };
  for (const { state, n } of rows) counts[state] = n;
  return counts;
};
