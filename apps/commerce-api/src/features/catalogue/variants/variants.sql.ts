import { isUniqueViolation, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { By } from '../../../by';
import { book } from '../../stock/levels/public';
import { freshSku, variantRefusals } from './variant.rules';
import type { Variant, VariantInput } from './variants.dto';

type Stored = Omit<Variant, 'price' | 'compare_at' | 'cost'> & Record<'price' | 'compare_at' | 'cost', string | null>;

const amount = (value: string | null): number | null => (value === null ? null : Number(value));
const variantOf = ({ price, compare_at, cost, ...row }: Stored): Variant => ({
  ...row,
  price: Number(price),
  compare_at: amount(compare_at),
  cost: amount(cost),
});

const select = (condition: string): string => `
  SELECT v.id, v.product_id, v.sku, v.barcode, v.option_values, v.price, v.tiers, v.compare_at, v.cost, v.weight_g,
    v.track_stock, v.allow_backorder, coalesce(s.on_hand, 0) AS on_hand, coalesce(s.reserved, 0) AS reserved,
    coalesce(s.on_hand - s.reserved, 0) AS available, v.status
  FROM variant v LEFT JOIN LATERAL (
    SELECT sum(s.on_hand)::int AS on_hand, sum(s.reserved)::int AS reserved
    FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = v.id
  ) s ON true WHERE v.store_id = $1 AND ${condition}`;

const ofProduct = (product: string): string => select(`v.product_id = ${product} AND v.status = 'active'`);
/** Variants on sale of one product, in the order in which they were made. */
export const OF_PRODUCT = `${ofProduct('$2')} ORDER BY v.id`;
const BY_ID = select(`v.id = $2 AND v.status = 'active'`);
export const BY_CODE = `${select(`v.status = 'active' AND v.sku = $2`)}
  UNION ALL ${select(`v.status = 'active' AND v.barcode = $2 AND v.sku <> $2`)} LIMIT 1`;

export const variantsOf = async (sql: Sql, storeId: string, productId: string): Promise<Variant[]> =>
  (await sql.prepared<Stored>('variants of product', OF_PRODUCT, [storeId, productId])).map(variantOf);

/** The same as JSON, for a statement that has the store as `$1` and the product's id as `product`. */
export const variantsAsJson = (product: string): string =>
  `(SELECT coalesce(json_agg(o ORDER BY o.id), '[]') FROM (${ofProduct(product)}) o)`;

const notFound = (): NotFound => new NotFound('Variant not found');

/** Throws `NotFound`, also for one that is archived or another store's. */
export const variantById = async (sql: Sql, storeId: string, id: string): Promise<Variant> => {
  const [row] = await sql.prepared<Stored>('variant by id', BY_ID, [storeId, id]);
  if (row) return variantOf(row);
  throw notFound();
};

/** By SKU, else by barcode. */
export const variantByCode = async (sql: Sql, storeId: string, code: string): Promise<Variant> => {
  const [row] = await sql.prepared<Stored>('variant by code', BY_CODE, [storeId, code]);
  if (row) return variantOf(row);
  throw notFound();
};

/** Writes what may break a variant's unique keys: `sku_taken`, `options_taken`. */
export const unlessTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'variant_sku')) throw variantRefusals.skuTaken();
    if (isUniqueViolation(error, 'variant_options')) throw variantRefusals.optionsTaken();
    throw error;
  }
};

const INSERT = `
  INSERT INTO variant (store_id, id, product_id, sku, barcode, option_values, price, tiers, compare_at, cost, weight_g, track_stock,
    allow_backorder, created_at, updated_at)
  SELECT $1, uuidv7(), $2, v.sku, v.barcode, coalesce(v.option_values, '{}'), v.price, coalesce(v.tiers, '[]'), v.compare_at, v.cost, v.weight_g,
    coalesce(v.track_stock, true), coalesce(v.allow_backorder, false), $4, $4
  FROM ROWS FROM (jsonb_to_recordset($3::jsonb) AS (sku text, barcode text, option_values jsonb, price bigint, tiers jsonb, compare_at bigint,
    cost bigint, weight_g int, track_stock boolean, allow_backorder boolean)) WITH ORDINALITY AS v ORDER BY v.ordinality
  RETURNING id, sku`;

/**
 * Adds checked variants with their opening stock, one without a SKU under one made of `words`. Throws `sku_taken`, `options_taken`, and `NotFound` for a
 * warehouse of another store. Two statements and one booking, however many they are.
 */
export const insertVariants = async (
  tx: Sql,
  by: By,
  product: { readonly id: string; readonly words: string },
  variants: readonly VariantInput[],
): Promise<void> => {
  const rows = variants.map(({ stock: _stock, ...variant }) => ({
    ...variant,
    sku: variant.sku ?? freshSku(product.words),
  }));
  const values = [by.storeId, product.id, JSON.stringify(rows), by.at];
  const made = await unlessTaken(tx.query<{ id: string; sku: string }>(INSERT, values));
  const ids = new Map(made.map(({ id, sku }) => [sku, id]));
  const stock = variants.flatMap((variant, index) =>
    (variant.stock ?? []).map(({ warehouse_id, on_hand }) => ({
      variant_id: ids.get(rows[index]?.sku ?? '') ?? '',
      warehouse_id,
      counted: on_hand,
    })),
  );
  if (stock.length > 0) await book(tx, by, { reason: 'count' }, stock);
};
