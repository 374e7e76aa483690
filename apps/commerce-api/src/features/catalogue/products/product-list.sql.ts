import { bigintNumber, listingOf, type WhereOf } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { soughtIn } from '../../../search-text';
import { freeKeys } from '../../digital/rights/public';
import { LOW_STOCK } from '../../stock/levels/public';
import type { ProductOption } from '../variants/public';
import { ProductsQuery, SKU_LIMIT, type ProductRow } from './products.dto';

const skusOf = (text: string): string[] => {
  const skus = text
    .split(',')
    .map((sku) => sku.trim())
    .filter(Boolean);
  if (skus.length > SKU_LIMIT)
    throw new InvalidInput([{ field: 'skus', tag: 'max', message: `skus must contain at maximum ${SKU_LIMIT} items` }]);
  return skus;
};

type Warehouse = { readonly warehouse_id?: string };
/** Free stock is on hand less reserved, over all warehouses or the one asked for. */
const FREE = 'sum(s.on_hand - s.reserved)::int';
const here = ({ warehouse_id }: Warehouse): string => (warehouse_id ? ` AND s.warehouse_id = ${warehouse_id}` : '');
const stockOf = (given: Warehouse): string =>
  `FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = v.id${here(given)}`;
/** Of the whole store at once, for statements that sort or filter by it; PostgreSQL drops it from the others. */
const withLevel = (given: Warehouse): string => `variant v LEFT JOIN (
  SELECT s.variant_id, ${FREE} AS free FROM stock_level s WHERE s.store_id = $1${here(given)} GROUP BY s.variant_id
) level ON level.variant_id = v.id`;
const AVAILABLE = `coalesce(level.free, 0)`;

/** More licence keys of a product are told as so many. */
const MOST_KEYS = 1_000;
/** What can be had of a variant, null where that has no end: it is not counted, or sold with nothing on a shelf. Of licence keys there are so many. */
const stockTold = (given: Warehouse): string => `least(${freeKeys('p.id', MOST_KEYS)}, (
  SELECT CASE WHEN v.track_stock AND (free > 0 OR NOT v.allow_backorder) THEN free END
  FROM (SELECT coalesce(${FREE}, 0) AS free ${stockOf(given)}) shelved))`;

/** With a text that no product has, for what is nearest to it. */
export class ListedQuery extends ProductsQuery {
  near?: string;
}

const productColumns = {
  name: 'p.name',
  /** The usual order; of what is only near, the nearest first. */
  created_at: ({ near }: { readonly near?: string }) =>
    near ? `word_similarity(lower(${near}), p.search_text)` : 'p.created_at',
  updated_at: 'p.updated_at',
};

const ofProduct = {
  status: 'p.status = ?',
  kind: 'p.kind = ?',
  category_id: 'p.category_id = ?',
  view: false,
  near: 'lower(?) <% p.search_text',
} satisfies Partial<WhereOf<ListedQuery>>;

/** How near a text must be to `near`, for the transaction of a list with it (design 2.3 B). */
export const NEAR = 'SET LOCAL pg_trgm.word_similarity_threshold = 0.4';

const ofVariant = {
  price_min: { sql: 'v.price >= ?', weighed: true },
  price_max: { sql: 'v.price <= ?', weighed: true },
  skus: { sql: 'v.sku = ANY (?)', value: skusOf },
  warehouse_id: (_parameter, given) => `EXISTS (SELECT ${stockOf(given)})`,
  // A page looks up variant by variant until it is full, the total adds all up at once
  low_stock: (parameter, given, counts) =>
    `(v.track_stock AND ${counts ? AVAILABLE : `(SELECT coalesce(${FREE}, 0) ${stockOf(given)})`} <= ${LOW_STOCK}) = ${parameter}`,
} satisfies Partial<WhereOf<ProductsQuery>>;

/** The first picture of a product. */
const IMAGE =
  '(SELECT i.url FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id ORDER BY i.position LIMIT 1) AS image';

export interface ListedVariant {
  readonly sku: string;
  readonly product_id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly options: readonly ProductOption[];
  readonly option_values: object;
  readonly category: string | null;
  readonly description: string;
  readonly price: number;
  readonly stock: number | null;
  readonly slug: string;
  readonly status: ProductRow['status'];
  readonly updated_at: Date;
  readonly image: string | null;
}

const productSought = soughtIn('p.search_text');
/**
 * What a variant itself is found by: not by the colour of another one of its product. What costs least is asked first, because a colour may be
 * that of every product: words of the name, then categories, which are sought once.
 */
const OF_VARIANT = `(lower(p.name) LIKE lower(?)
  OR p.category_id IN (SELECT c.id FROM category c WHERE c.store_id = $1 AND lower(c.name) LIKE lower(?))
  OR lower(concat_ws(' ', v.sku, v.barcode)) LIKE lower(?)
  OR EXISTS (SELECT FROM jsonb_each_text(v.option_values) o WHERE lower(o.value) LIKE lower(?)))`;

/** Active variants, as the bot reads them. */
export const variantListing = listingOf(ListedQuery, {
  // Every variant has its product: the total need not look for it, and where it is asked for a page begins with it
  from: (given, counts) =>
    `${withLevel(given)} ${counts ? 'LEFT JOIN' : 'JOIN'} product p ON p.store_id = $1 AND p.id = v.product_id`,
  // For a store of common size, all variants of a large one were met with each product of a page
  weighed: true,
  tenant: 'v.store_id',
  only: `v.status = 'active'`,
  select: (
    given,
  ) => `v.sku, p.id AS product_id, v.id AS variant_id, p.name, p.options, v.option_values, p.description, v.price,
    p.slug, p.status, p.updated_at, ${stockTold(given)} AS stock,
    (SELECT c.name FROM category c WHERE c.store_id = $1 AND c.id = p.category_id) AS category,
    ${IMAGE}`,
  sort: { ...productColumns, price: 'v.price', available: AVAILABLE },
  usualSort: '-created_at',
  tie: 'v.id',
  words: productSought.words.map((ofItsProduct) => `${ofItsProduct} AND ${OF_VARIANT}`),
  numbers: `${productSought.numbers} AND ${OF_VARIANT}`,
  where: { ...ofProduct, ...ofVariant },
  read: (row: ListedVariant): ListedVariant => ({ ...row, price: bigintNumber.from(row.price) }),
});

interface ListedProduct extends Pick<
  ProductRow,
  Exclude<keyof ProductRow, keyof Summed | 'created_at' | 'updated_at'>
> {
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly summed: Summed;
}
type Summed = Pick<ProductRow, 'price_min' | 'price_max' | 'available' | 'counted'>;

/** Products with prices and stock over all their active variants, if any; a filter keeps a product when one variant passes. */
export const productListing = listingOf(ListedQuery, {
  from: (given) => `product p LEFT JOIN (
    SELECT v.product_id, sum(level.free) AS free FROM ${withLevel(given)}
    WHERE v.store_id = $1 AND v.status = 'active' GROUP BY v.product_id
  ) total ON total.product_id = p.id`,
  tenant: 'p.store_id',
  select: (given) => `p.id, p.name, p.slug, p.kind, p.status, p.description, p.weight_g, p.created_at, p.updated_at,
    (SELECT json_build_object('id', c.id, 'name', c.name) FROM category c WHERE c.store_id = $1 AND c.id = p.category_id) AS category,
    ${IMAGE},
    (SELECT json_build_object('price_min', min(v.price), 'price_max', max(v.price),
       'available', coalesce(sum((SELECT coalesce(${FREE}, 0) ${stockOf(given)})), 0), 'counted', coalesce(bool_or(v.track_stock), true))
     FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active') AS summed`,
  sort: { ...productColumns, price: 'coalesce(p.price_min, 0)', available: 'coalesce(total.free, 0)' },
  usualSort: '-created_at',
  tie: 'p.id',
  ...productSought,
  where: ofProduct,
  some: {
    from: (given) => `FROM ${withLevel(given)} WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active'`,
    where: ofVariant,
  },
  // Named one by one: spreads cost V8 several times as much, and a page is many rows
  read: (row: ListedProduct): ProductRow => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    kind: row.kind,
    status: row.status,
    category: row.category,
    description: row.description,
    image: row.image,
    price_min: row.summed.price_min,
    price_max: row.summed.price_max,
    available: row.summed.available,
    counted: row.summed.counted,
    weight_g: row.weight_g,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }),
});
