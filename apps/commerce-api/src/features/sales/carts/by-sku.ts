import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Wanted } from './cart-lines';

/** What somebody wants who may know it by its SKU alone. */
export interface WantedBySku {
  readonly variant_id?: string | undefined;
  readonly sku?: string | undefined;
  readonly qty: number;
}

export const BY_SKU = `SELECT id, sku FROM variant WHERE store_id = $1 AND sku = ANY ($2::text[]) AND status = 'active'`;

/** The items by their variants. Throws `InvalidInput` for a SKU that is not on sale. */
export const wantedBySku = async (sql: Sql, storeId: string, items: readonly WantedBySku[]): Promise<Wanted[]> => {
  const skus = items.flatMap(({ variant_id, sku }) => (variant_id === undefined && sku !== undefined ? [sku] : []));
  const rows =
    skus.length === 0
      ? []
      : await sql.prepared<{ id: string; sku: string }>('variants by sku', BY_SKU, [storeId, skus]);
  const bySku = new Map(rows.map(({ id, sku }) => [sku, id]));
  const wanted = items.map(({ variant_id, sku = '', qty }) => ({ variant_id: variant_id ?? bySku.get(sku), qty }));
  const missing = wanted.flatMap(({ variant_id }, at) => (variant_id === undefined ? [`items[${at}].sku`] : []));
  if (missing.length === 0) return wanted.map(({ variant_id = '', qty }) => ({ variant_id, qty }));
  throw notOnSale(missing);
};

/** The refusal of these fields. */
export const notOnSale = (fields: readonly string[]): InvalidInput =>
  new InvalidInput(fields.map((field) => ({ field, tag: 'exists', message: `${field} is not on sale in this store` })));
