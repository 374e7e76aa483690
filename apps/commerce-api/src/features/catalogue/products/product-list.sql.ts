import type { Page } from '../../../paging';

export type SortColumn = 'name' | 'price' | 'available' | 'created_at' | 'updated_at';

export interface ProductFilter {
  readonly status?: string;
  readonly kind?: string;
  readonly categoryId?: string;
  readonly warehouseId?: string;
  readonly lowStock?: boolean;
  readonly priceMin?: number;
  readonly priceMax?: number;
  readonly skus?: readonly string[];
  /** Lower case; every one must occur. */
  readonly words?: readonly string[];
}

export interface ProductListing extends Page {
  readonly storeId: string;
  readonly filter: ProductFilter;
  readonly sort: { readonly column: SortColumn; readonly descending: boolean };
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** At or below it a tracked variant is running out. */
export const LOW_STOCK = 5;

/** Collects `$n` parameters; the store is always `$1`. */
class Parameters {
  readonly values: unknown[];
  constructor(storeId: string) {
    this.values = [storeId];
  }
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

const likeAnywhere = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** The rows that a listing chooses from. Free stock is on hand less reserved, over all warehouses or the one asked for. */
interface Candidates {
  readonly parameters: Parameters;
  /** Conditions on `product p`, the store first. */
  readonly product: readonly string[];
  /** Conditions on `variant v`, store and status first. */
  readonly variant: readonly string[];
  /** `variant v`, joined to the free stock of the whole store where that sorts or filters. */
  readonly variants: string;
  /** Free stock of one variant `v`, for the rows of a page. */
  readonly stock: string;
  readonly ctes: readonly string[];
}

const candidatesOf = ({ storeId, filter, sort }: ProductListing): Candidates => {
  const parameters = new Parameters(storeId);
  const given = (value: unknown, type: string, condition: (parameter: string) => string): string[] =>
    value === undefined ? [] : [condition(parameters.add(value, type))];
  const [here = ''] = given(filter.warehouseId, 'uuid', (value) => ` AND s.warehouse_id = ${value}`);
  const ofVariant = `FROM stock_level s WHERE s.store_id = $1 AND s.variant_id = v.id${here}`;
  const ofStore = `SELECT s.variant_id, sum(s.on_hand - s.reserved)::int AS free FROM stock_level s WHERE s.store_id = $1${here} GROUP BY s.variant_id`;
  const wholeStock = sort.column === 'available' || filter.lowStock !== undefined;
  const low = `(v.track_stock AND coalesce(level.free, 0) <= ${LOW_STOCK})`;
  return {
    parameters,
    product: [
      'p.store_id = $1',
      ...given(filter.status, 'text', (value) => `p.status = ${value}`),
      ...given(filter.kind, 'text', (value) => `p.kind = ${value}`),
      ...given(filter.categoryId, 'uuid', (value) => `p.category_id = ${value}`),
      ...(filter.words ?? []).map((word) => `p.search_text LIKE ${parameters.add(likeAnywhere(word), 'text')}`),
    ],
    variant: [
      `v.store_id = $1 AND v.status = 'active'`,
      ...given(filter.priceMin, 'bigint', (value) => `v.price >= ${value}`),
      ...given(filter.priceMax, 'bigint', (value) => `v.price <= ${value}`),
      ...given(filter.skus, 'text[]', (value) => `v.sku = ANY (${value})`),
      ...(here ? [`EXISTS (SELECT ${ofVariant})`] : []),
      ...(filter.lowStock === undefined ? [] : [`${low} = ${filter.lowStock}`]),
    ],
    variants: wholeStock ? 'variant v LEFT JOIN level ON level.variant_id = v.id' : 'variant v',
    stock: `(SELECT coalesce(sum(s.on_hand - s.reserved), 0)::int ${ofVariant})`,
    ctes: wholeStock ? [`level AS MATERIALIZED (${ofStore})`] : [],
  };
};

const and = (conditions: readonly string[]): string => conditions.join(' AND ');

/** What a page is cut from: rows, the column that sorts them, and ids that make the order total. */
interface Source {
  readonly ctes: readonly string[];
  readonly from: string;
  readonly id: string;
  readonly key: string;
  readonly ties: readonly string[];
}

const ofProduct = { name: 'p.name', created_at: 'p.created_at', updated_at: 'p.updated_at' };

const variantSource = ({ product, variant, variants, ctes }: Candidates, column: SortColumn): Source => ({
  ctes,
  from: `FROM ${variants} JOIN product p ON p.store_id = $1 AND p.id = v.product_id WHERE ${and([...variant, ...product])}`,
  id: 'v.id',
  key: { ...ofProduct, price: 'v.price', available: 'coalesce(level.free, 0)' }[column],
  ties: ['p.id', 'v.id'],
});

/** Products of which a variant passes; without conditions on variants also those that have none. */
const productSource = ({ product, variant, variants, ctes }: Candidates, column: SortColumn): Source => {
  const passing = `p.id IN (SELECT v.product_id FROM ${variants} WHERE ${and(variant)})`;
  const conditions = variant.length === 1 ? product : [...product, passing];
  const summed = column === 'price' || column === 'available';
  const value = column === 'price' ? 'min(v.price)' : 'sum(level.free)';
  const total = `total AS MATERIALIZED (SELECT v.product_id, ${value} AS key FROM ${variants} WHERE ${variant[0]} GROUP BY v.product_id)`;
  return {
    ctes: summed ? [...ctes, total] : ctes,
    from: `FROM product p ${summed ? 'LEFT JOIN total ON total.product_id = p.id ' : ''}WHERE ${and(conditions)}`,
    id: 'p.id',
    key: { ...ofProduct, price: 'coalesce(total.key, 0)', available: 'coalesce(total.key, 0)' }[column],
    ties: ['p.id'],
  };
};

/** The ids of one page with what sorts them; `order` puts the rows that are joined to it into the same order. */
const cut = (
  { sort, page, perPage }: ProductListing,
  { ctes, from, id, key, ties }: Source,
  parameters: Parameters,
): { readonly ctes: string; readonly order: string } => {
  const direction = sort.descending ? 'DESC' : 'ASC';
  const orderBy = (first: string) => [first, ...ties].map((each) => `${each} ${direction}`).join(', ');
  const limit = `LIMIT ${parameters.add(perPage, 'int')} OFFSET ${parameters.add((page - 1) * perPage, 'int')}`;
  const rows = `page AS (SELECT ${id}, ${key} AS key ${from} ORDER BY ${orderBy(key)} ${limit})`;
  return { ctes: `WITH ${[...ctes, rows].join(', ')}`, order: `ORDER BY ${orderBy('page.key')}` };
};

/** One page of variants. Stock and picture are looked up for the rows of the page alone. */
export const variantRows = (listing: ProductListing): Statement => {
  const candidates = candidatesOf(listing);
  const { ctes, order } = cut(listing, variantSource(candidates, listing.sort.column), candidates.parameters);
  const text = `${ctes}
    SELECT v.sku, p.id AS product_id, v.id AS variant_id, p.name, v.option_values, c.name AS category, p.description, v.price,
      ${candidates.stock} AS stock, p.slug, p.status, p.updated_at,
      (SELECT i.url FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id ORDER BY i.position LIMIT 1) AS image
    FROM page
    JOIN variant v ON v.store_id = $1 AND v.id = page.id
    JOIN product p ON p.store_id = $1 AND p.id = v.product_id
    LEFT JOIN category c ON c.store_id = $1 AND c.id = p.category_id
    ${order}`;
  return { text, values: candidates.parameters.values };
};

/** One page of products, prices and stock summed over their variants. */
export const productRows = (listing: ProductListing): Statement => {
  const candidates = candidatesOf(listing);
  const { ctes, order } = cut(listing, productSource(candidates, listing.sort.column), candidates.parameters);
  const text = `${ctes}
    SELECT p.id, p.name, p.slug, p.kind, p.status, p.description, p.weight_g, p.created_at, p.updated_at,
      c.id AS category_id, c.name AS category, summed.price_min, summed.price_max, summed.available
    FROM page
    JOIN product p ON p.store_id = $1 AND p.id = page.id
    LEFT JOIN category c ON c.store_id = $1 AND c.id = p.category_id
    CROSS JOIN LATERAL (
      SELECT min(v.price) AS price_min, max(v.price) AS price_max, coalesce(sum(${candidates.stock}), 0)::int AS available
      FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active') summed
    ${order}`;
  return { text, values: candidates.parameters.values };
};

/** How many rows all pages have together. Variants alone are counted where nothing is asked of their products. */
export const rowCount = (listing: ProductListing, view: 'product' | 'variants'): Statement => {
  // Order does not matter here, and stock need not be summed up for it
  const candidates = candidatesOf({ ...listing, sort: { column: 'name', descending: false } });
  const { product, variant, variants } = candidates;
  const { ctes, from } = view === 'variants' ? variantSource(candidates, 'name') : productSource(candidates, 'name');
  const plain = view === 'variants' && product.length === 1 ? `FROM ${variants} WHERE ${and(variant)}` : from;
  const before = ctes.length > 0 ? `WITH ${ctes.join(', ')} ` : '';
  return { text: `${before}SELECT count(*)::int AS total ${plain}`, values: candidates.parameters.values };
};
