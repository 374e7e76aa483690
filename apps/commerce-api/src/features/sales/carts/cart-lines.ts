import { bigintNumber, type Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { refusals } from '../../../refusals';
import { optionWords, type ProductOption } from '../../catalogue/variants/public';
import { MOST_MONEY, type CartLine } from '../totals/public';

/** What somebody wants, as a request names it. */
export interface Wanted {
  readonly variant_id: string;
  readonly qty: number;
}

/** A line with what an order keeps of its variant, besides what the totals count. */
export interface StockedLine extends CartLine {
  readonly kind: 'physical' | 'digital' | 'service';
  readonly name: string;
  readonly sku: string;
  readonly cost: number | null;
  readonly weightG: number;
  readonly imageUrl: string | null;
  readonly trackStock: boolean;
  /** Each piece is a licence key. */
  readonly needsKey: boolean;
}

interface Row {
  readonly variant_id: string;
  readonly product_id: string;
  readonly kind: StockedLine['kind'];
  readonly name: string;
  readonly options: readonly ProductOption[];
  readonly option_values: object;
  readonly sku: string;
  readonly price: string;
  readonly cost: string | null;
  readonly tiers: readonly { readonly min_qty: number; readonly price: number; readonly tag_id?: string }[];
  readonly weight_g: number;
  readonly taxable: boolean;
  readonly track_stock: boolean;
  readonly needs_key: boolean;
  readonly image_url: string | null;
  readonly categories: string[];
}

/** What is on sale now, of these variants of a store; categories have at most three floors. */
export const CART_LINES = `
  SELECT v.id AS variant_id, p.id AS product_id, p.kind, p.name, p.options, v.option_values, v.sku, v.price, v.cost, v.tiers,
    coalesce(v.weight_g, p.weight_g) AS weight_g, p.taxable, v.track_stock,
    p.kind = 'digital' AND coalesce(d.needs_key, false) AS needs_key,
    (SELECT i.url FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id ORDER BY i.position LIMIT 1) AS image_url,
    array_remove(ARRAY[c1.id, c2.id, c3.id], NULL) AS categories
  FROM variant v
    JOIN product p ON p.store_id = v.store_id AND p.id = v.product_id AND p.status = 'active'
    LEFT JOIN digital_product d ON d.store_id = p.store_id AND d.product_id = p.id
    LEFT JOIN category c1 ON c1.store_id = p.store_id AND c1.id = p.category_id
    LEFT JOIN category c2 ON c2.store_id = p.store_id AND c2.id = c1.parent_id
    LEFT JOIN category c3 ON c3.store_id = p.store_id AND c3.id = c2.parent_id
  WHERE v.store_id = $1 AND v.id = ANY ($2::uuid[]) AND v.status = 'active'`;

const lineOf = (row: Row, qty: number): StockedLine => ({
  variantId: row.variant_id,
  productId: row.product_id,
  categoryIds: row.categories,
  price: bigintNumber.from(row.price),
  tiers: row.tiers.map((tier) => ({ minQty: tier.min_qty, price: tier.price, tagId: tier.tag_id ?? null })),
  taxable: row.taxable,
  qty,
  kind: row.kind,
  name: [row.name, ...optionWords(row.options, row)].join(' '),
  sku: row.sku,
  cost: row.cost === null ? null : bigintNumber.from(row.cost),
  weightG: row.weight_g,
  imageUrl: row.image_url,
  trackStock: row.track_stock,
  needsKey: row.needs_key,
});

/** The lines in the order of the request; undefined where the variant is not on sale. */
export const linesOnSale = async (
  sql: Sql,
  storeId: string,
  wanted: readonly Wanted[],
): Promise<(StockedLine | undefined)[]> => {
  const ids = [...new Set(wanted.map(({ variant_id }) => variant_id.toLowerCase()))];
  const rows = await sql.prepared<Row>('cart lines', CART_LINES, [storeId, ids]);
  const known = new Map(rows.map((row) => [row.variant_id, row]));
  return wanted.map(({ variant_id, qty }) => {
    const row = known.get(variant_id.toLowerCase());
    return row && lineOf(row, qty);
  });
};

/**
 * The lines of a cart in the order of the request, at today's catalogue. Throws `NotFound`, of the list called `field`, for a variant that is
 * not on sale, another store's included, and `InvalidInput` for more than `MOST_MONEY`.
 */
export const cartLines = async (
  sql: Sql,
  storeId: string,
  wanted: readonly Wanted[],
  field = 'items',
): Promise<StockedLine[]> => {
  const lines = await linesOnSale(sql, storeId, wanted);
  const missing = lines.findIndex((line) => line === undefined);
  if (missing >= 0) throw refusals.notHere(`${field}[${missing}].variant_id`, 'is not on sale in this store');
  const found = lines.filter((line) => line !== undefined);
  if (found.reduce((sum, { price, qty }) => sum + price * qty, 0) > MOST_MONEY)
    throw new InvalidInput([{ field, tag: 'max', message: `${field} must cost ${MOST_MONEY} or less together` }]);
  return found;
};
