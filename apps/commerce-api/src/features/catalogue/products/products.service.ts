import { InvalidInput } from '@platform/errors';
import type { Caller } from '../../../abilities';
import { pageMeta, pageOf } from '../../../paging';
import type { ProductFilter, ProductListing, SortColumn } from './product-list.sql';
import { SKU_LIMIT, type ProductRow, type ProductsAnswer, type ProductsQuery, type VariantRow } from './products.dto';
import type { ListedProduct, ListedVariant, ProductsRepository } from './products.repository';

/** More words than this find nothing that fewer would not. */
const WORD_LIMIT = 8;

const skusOf = (text: string | undefined): string[] | undefined => {
  const skus = text
    ?.split(',')
    .map((sku) => sku.trim())
    .filter(Boolean);
  if (skus && skus.length > SKU_LIMIT)
    throw new InvalidInput([{ field: 'skus', tag: 'max', message: `skus must contain at maximum ${SKU_LIMIT} items` }]);
  return skus;
};

const wordsOf = (text: string | undefined): string[] | undefined =>
  text?.toLowerCase().split(/\s+/).filter(Boolean).slice(0, WORD_LIMIT);

const filterOf = (query: ProductsQuery): ProductFilter => ({
  status: query.status,
  kind: query.kind,
  categoryId: query.category_id,
  warehouseId: query.warehouse_id,
  lowStock: query.low_stock,
  priceMin: query.price_min,
  priceMax: query.price_max,
  skus: skusOf(query.skus),
  words: wordsOf(query.q),
});

const listingOf = (storeId: string, query: ProductsQuery): ProductListing => {
  const { sort = '-created_at' } = query;
  const column = sort.replace(/^-/, '') as SortColumn;
  return { storeId, filter: filterOf(query), sort: { column, descending: sort.startsWith('-') }, ...pageOf(query) };
};

/** `Kaos Nusa - Hitam, L`: what a customer must read to know which of several it is. */
const fullName = ({ name, option_values }: ListedVariant): string =>
  [name, Object.values(option_values).join(', ')].filter(Boolean).join(' - ');

const productRow = ({ category, category_id, created_at, updated_at, ...row }: ListedProduct): ProductRow => ({
  ...row,
  category: category_id && category ? { id: category_id, name: category } : null,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly publicUrl: string | undefined,
  ) {}

  /** One page, as variants for services (the bot) and as products for people, unless `view` says otherwise. */
  async list(caller: Caller, query: ProductsQuery): Promise<ProductsAnswer> {
    const listing = listingOf(caller.storeId, query);
    const view = query.view ?? (caller.isService ? 'variants' : 'product');
    return view === 'variants' ? this.variants(listing) : this.productPage(listing);
  }

  private async variants(listing: ProductListing): Promise<ProductsAnswer> {
    const [{ rows, total }, pageUrl] = await Promise.all([
      this.products.variants(listing),
      this.pages(listing.storeId),
    ]);
    const data = rows.map((row): VariantRow => {
      const { option_values: _options, slug, updated_at, ...shown } = row;
      return { ...shown, name: fullName(row), url: pageUrl(slug), updated_at: updated_at.toISOString() };
    });
    return { data, meta: pageMeta(listing, rows.length, total) };
  }

  private async productPage(listing: ProductListing): Promise<ProductsAnswer> {
    const { rows, total } = await this.products.products(listing);
    return { data: rows.map(productRow), meta: pageMeta(listing, rows.length, total) };
  }

  /** Addresses of the shop's product pages, `/s/{slug}/products/{productSlug}`; null when the shop has no public address. */
  private async pages(storeId: string): Promise<(productSlug: string) => string | null> {
    const slug = this.publicUrl === undefined ? undefined : await this.products.storeSlug(storeId);
    return (productSlug) => (slug === undefined ? null : `${this.publicUrl}/s/${slug}/products/${productSlug}`);
  }
}
