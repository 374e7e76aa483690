import { listingOf, type ListedPage, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { Text } from '@platform/validation';
import { soughtIn } from '../../../search-text';
import { freeKeys } from '../../digital/rights/public';
import { inOptionOrder } from '../variants/public';
import { FREE_FOR_ONE } from '../../stock/levels/public';
import { inForce } from '../../shop/settings/public';
import {
  StorefrontQuery,
  type StorefrontCategory,
  type StorefrontProduct,
  type StorefrontVariant,
} from './storefront.dto';

/** As PostgreSQL writes it. */
type Stored = Omit<StorefrontProduct, 'price_min' | 'price_max' | 'in_stock' | 'variants'> & {
  readonly variants: readonly Omit<StorefrontVariant, 'in_stock'>[];
};

/** More keys of a product are told as so many. */
const MOST_KEYS = 1_000;

/** Neither what a variant costs the shop nor prices of a tag: nobody is known here. `available` is null of what has no end. */
const VARIANTS = `
  (SELECT json_agg(json_build_object('id', v.id, 'sku', v.sku, 'option_values', v.option_values, 'price', v.price,
      'compare_at', v.compare_at, 'tiers', coalesce((
        SELECT json_agg(json_build_object('min_qty', t->'min_qty', 'price', t->'price') ORDER BY (t->>'min_qty')::int)
        FROM jsonb_array_elements(v.tiers) t WHERE t->>'tag_id' IS NULL), '[]'),
      'available', least(${freeKeys('p.id', MOST_KEYS)}, CASE WHEN v.track_stock AND NOT v.allow_backorder THEN greatest(0, ${FREE_FOR_ONE}) END)
    ) ORDER BY v.created_at, v.id)
   FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active') AS variants`;

const BELOW = `p.category_id IN (
  SELECT c.id FROM category c LEFT JOIN category c1 ON c1.store_id = c.store_id AND c1.id = c.parent_id
    LEFT JOIN category c2 ON c2.store_id = c1.store_id AND c2.id = c1.parent_id
  WHERE c.store_id = $1 AND ? IN (c.slug, c1.slug, c2.slug))`;

const read = ({ variants, ...product }: Stored): StorefrontProduct => {
  const prices = variants.map(({ price }) => price);
  const shown = inOptionOrder(product.options, variants).map((variant) => ({
    ...variant,
    in_stock: variant.available === null || variant.available > 0,
  }));
  return {
    ...product,
    ...{ price_min: Math.min(...prices), price_max: Math.max(...prices) },
    ...{ in_stock: shown.some(({ in_stock }) => in_stock), variants: shown },
  };
};

/** A page looks variants up product by product until it is full (OFFSET keeps them from being joined), the total reads all at once. */
const onSale = (counts: boolean): string => `p.status = 'active' AND EXISTS (
    SELECT FROM variant v WHERE v.store_id = $1 AND v.product_id = p.id AND v.status = 'active'${counts ? '' : ' OFFSET 0'})`;

const LISTED = {
  from: 'product p',
  tenant: 'p.store_id',
  only: (_: unknown, counts: boolean) => onSale(counts),
  select: `p.id, p.name, p.slug, p.kind, p.description, p.options, ${VARIANTS},
    (SELECT json_build_object('name', c.name, 'slug', c.slug) FROM category c WHERE c.store_id = $1 AND c.id = p.category_id) AS category,
    (SELECT coalesce(json_agg(json_build_object('url', i.url) ORDER BY i.position), '[]')
     FROM product_image i WHERE i.store_id = $1 AND i.product_id = p.id) AS images`,
  sort: { name: 'p.name', price: 'coalesce(p.price_min, 0)', created_at: 'p.created_at' },
  usualSort: '-created_at',
  tie: 'p.id',
  ...soughtIn('p.search_text'),
  where: { category: { sql: BELOW, value: (slug: string) => slug.toLowerCase() } },
  read,
} as const;

export const storefrontListing = listingOf(StorefrontQuery, LISTED);

class OneProduct extends StorefrontQuery {
  @Text() slug!: string;
}
const oneProduct = listingOf(OneProduct, { ...LISTED, where: { ...LISTED.where, slug: 'p.slug = ?' } });

/** What everybody may know of a store, and of what it says to its visitors. */
export interface ShopWindow {
  readonly store_id: string;
  readonly name: string;
  readonly slug: string;
  readonly phone: string | null;
  readonly timezone: string;
  readonly description: string;
  readonly status: 'open' | 'closed';
  /** What it says of being closed. */
  readonly status_message: string | null;
  /** Empty: none. */
  readonly announcement: string;
  readonly show_stock: boolean;
  /** Empty: none. */
  readonly shipping_policy: string;
  readonly refund_policy: string;
}
type OfSettings = 'announcement' | 'show_stock' | 'shipping_policy' | 'refund_policy';
type StoredWindow = Omit<ShopWindow, OfSettings> & { readonly value: object | null };

const STORE = `
  SELECT t.store_id, t.name, t.slug, t.phone, t.timezone, t.description, t.status, t.status_message,
    g.value FROM global_key k JOIN store t ON t.store_id = k.store_id AND t.status <> 'suspended'
    LEFT JOIN setting g ON g.store_id = t.store_id AND g.name = 'storefront'
  WHERE k.kind = 'slug' AND k.value = $1`;

const withoutCounts = (product: StorefrontProduct): StorefrontProduct => ({
  ...product,
  variants: product.variants.map((variant) => ({ ...variant, available: null })),
});

/** Throws `NotFound` for a slug that nobody has, and for a suspended store. */
export const windowOf = async (sql: Sql, slug: string): Promise<ShopWindow> => {
  const [row] = await sql.prepared<StoredWindow>('storefront', STORE, [slug]);
  if (!row) throw new NotFound('Store not found');
  const { value, ...store } = row;
  const settings = inForce('storefront', { ...value }) as Pick<ShopWindow, OfSettings>;
  return { ...store, ...settings };
};

/** What a store sells, as everybody may see it. */
export const shelvesOf = async (
  sql: Sql,
  { store_id, show_stock }: ShopWindow,
  query: StorefrontQuery,
): Promise<ListedPage<StorefrontProduct>> => {
  const page = await storefrontListing.page(sql, store_id, query);
  return show_stock ? page : { ...page, rows: page.rows.map(withoutCounts) };
};

/** Of a store that has more, the first. */
const MOST_CATEGORIES = 30;
/**
 * Each with something on sale in it or below: those of the first level, or of those below $2. LIMIT: one product of a category is looked for,
 * where PostgreSQL would read all of a store's to join them (measured with 50,000: 40 ms, so 2).
 */
const categories = (where: string): string => `
  SELECT c.name, c.slug FROM category c WHERE c.store_id = $1 AND ${where} AND EXISTS (
    SELECT FROM category b LEFT JOIN category b1 ON b1.store_id = $1 AND b1.id = b.parent_id
    WHERE b.store_id = $1 AND (b.id = c.id OR b.parent_id = c.id OR b1.parent_id = c.id)
      AND (SELECT true FROM product p WHERE p.store_id = $1 AND p.category_id = b.id AND ${onSale(false)} LIMIT 1))
  ORDER BY c.position, c.name LIMIT ${MOST_CATEGORIES}`;
export const CATEGORIES = categories('c.parent_id IS NULL');
export const CATEGORIES_BELOW = categories('c.parent_id = $2');
export const CATEGORY = `
  SELECT c.id, c.name, c.slug, c.parent_id, (SELECT json_build_object('name', u.name, 'slug', u.slug)
    FROM category u WHERE u.store_id = $1 AND u.id = c.parent_id) AS above
  FROM category c WHERE c.store_id = $1 AND c.slug = $2`;

interface Shelf extends StorefrontCategory {
  readonly id: string;
  readonly parent_id: string | null;
  readonly above: StorefrontCategory | null;
}

/** By what everybody may look through a store. */
export interface Ways {
  /** What is looked at; undefined: all. */
  readonly here: StorefrontCategory | undefined;
  readonly above: StorefrontCategory | null;
  /** Those below it, or beside it where there are none. */
  readonly near: readonly StorefrontCategory[];
}

/** Throws `NotFound` for a slug that no category of the store has. */
export const waysOf = async (sql: Sql, { store_id }: ShopWindow, slug: string | undefined): Promise<Ways> => {
  const first = () => sql.prepared<StorefrontCategory>('storefront-categories', CATEGORIES, [store_id]);
  if (slug === undefined) return { here: undefined, above: null, near: await first() };
  const [here] = await sql.prepared<Shelf>('storefront-category', CATEGORY, [store_id, slug.toLowerCase()]);
  if (!here) throw new NotFound('Category not found');
  const below = (id: string) => sql.prepared<StorefrontCategory>('storefront-below', CATEGORIES_BELOW, [store_id, id]);
  const own = await below(here.id);
  if (own.length > 0) return { here, above: here.above, near: own };
  return { here, above: here.above, near: await (here.parent_id === null ? first() : below(here.parent_id)) };
};

/** One of its products. Throws `NotFound`, also for what is not on sale. */
export const productOf = async (sql: Sql, shop: ShopWindow, slug: string): Promise<StorefrontProduct> => {
  const [product] = (await oneProduct.page(sql, shop.store_id, { slug })).rows;
  if (!product) throw new NotFound('Product not found');
  return shop.show_stock ? product : withoutCounts(product);
};

/** What the store of an address sells. Three statements. Throws `NotFound` for a slug that nobody has, and for a suspended store. */
export const catalogueOf = async (
  sql: Sql,
  slug: string,
  query: StorefrontQuery,
): Promise<ListedPage<StorefrontProduct>> => shelvesOf(sql, await windowOf(sql, slug), query);
