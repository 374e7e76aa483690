import type { Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { productsTouched } from '../search/public';
import { MONEY, refuse, violation } from '../variants/public';
import type { BulkFailure, BulkResult, BulkSet, BulkUpdate, PriceChange } from './product.dto';
import { refusals } from '../../../refusals';

const PERCENT = { least: -100, most: 1_000 };

/** The price after the change, of a variant `v`: $3 the operation, $4 its value. */
const PRICE = `CASE $3::text WHEN 'set' THEN $4::bigint WHEN 'add' THEN v.price + $4::bigint
  WHEN 'percent' THEN round(v.price::numeric * (100 + $4::bigint) / 100)::bigint ELSE v.price END`;

/** Locks the products in one order, and tells of each whether the new price fits and whether it could be on sale. */
export const LOOK = `
  SELECT p.id, EXISTS (SELECT FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active'
      AND (${PRICE} NOT BETWEEN 0 AND ${MONEY} OR v.compare_at <= ${PRICE})) AS unpriced,
    NOT EXISTS (SELECT FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active')
      OR p.kind = 'physical' AND p.weight_g = 0 AND EXISTS (SELECT FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id
        AND v.status = 'active' AND coalesce(v.weight_g, 0) = 0) AS unsaleable
  FROM product p WHERE p.store_id = $1 AND p.id = ANY ($2::uuid[]) ORDER BY p.id FOR UPDATE OF p`;

const SET_PRICE = `UPDATE variant v SET price = ${PRICE}, updated_at = $5
  WHERE v.store_id = $1 AND v.product_id = ANY ($2::uuid[]) AND v.status = 'active'`;
const SET_PRODUCT = `UPDATE product p SET status = coalesce($3, p.status), category_id = CASE WHEN $5 THEN $4 ELSE p.category_id END
  WHERE p.store_id = $1 AND p.id = ANY ($2::uuid[])`;

interface Looked {
  readonly id: string;
  readonly unpriced: boolean;
  readonly unsaleable: boolean;
}

const refuseNonsense = ({ price, status, category_id }: BulkSet): void => {
  if (price === undefined && status === undefined && category_id === undefined)
    refuse([violation('set', 'required', 'must change something')]);
  if (price?.op === 'percent' && (price.value < PERCENT.least || price.value > PERCENT.most))
    refuse([violation('set.price.value', 'range', `must be from ${PERCENT.least} to ${PERCENT.most}`)]);
};

const categoryOf = async (tx: Sql, storeId: string, id: string | null = null): Promise<void> => {
  if (id === null) return;
  const found = await tx.query('SELECT 1 FROM category WHERE store_id = $1 AND id = $2 FOR KEY SHARE', [storeId, id]);
  if (found.length === 0) throw refusals.notHere('set.category_id', 'is not a category of this store');
};

const codeOf = (looked: Looked | undefined, { status }: BulkSet): string | undefined => {
  if (!looked) return 'not_found';
  if (looked.unpriced) return 'price_out_of_range';
  return status === 'active' && looked.unsaleable ? 'not_publishable' : undefined;
};

/** Changes those that can be, in the caller's transaction, and tells which could not; the same number of statements for one as for five hundred. */
export const bulkUpdate = async (tx: Sql, by: Writer, { ids: given, set }: BulkUpdate): Promise<BulkResult> => {
  refuseNonsense(set);
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  const price: Partial<PriceChange> = set.price ?? {};
  const category = [set.category_id ?? null, set.category_id !== undefined];
  const operation = [price.op ?? 'none', price.value ?? 0];
  await categoryOf(tx, by.storeId, set.category_id);
  const rows = await tx.query<Looked>(LOOK, [by.storeId, ids.filter(isUuid), ...operation]);
  const looked = new Map(rows.map((row) => [row.id, row]));
  const failed = ids.flatMap((id): BulkFailure[] => {
    const code = codeOf(looked.get(id), set);
    return code === undefined ? [] : [{ id, code }];
  });
  const failures = new Set(failed.map(({ id }) => id));
  const changed = ids.filter((id) => !failures.has(id));
  if (set.price) await tx.query(SET_PRICE, [by.storeId, changed, ...operation, by.at]);
  await tx.query(SET_PRODUCT, [by.storeId, changed, set.status ?? null, ...category]);
  await productsTouched(tx, by, 'p.id = ANY ($2::uuid[])', [changed]);
  const after = changed.length > 0 ? { ids: changed, set } : undefined;
  await audited(tx, by, { action: 'product.write', type: 'products', id: 'bulk-update', after });
  return { changed, failed };
};
