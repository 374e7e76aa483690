import { pageMeta } from '@platform/http';
import type { Caller } from '../../../abilities';
import { optionWords } from '../variants/public';
import type { ListedQuery, ListedVariant } from './product-list.sql';
import type { ProductsAnswer, ProductsQuery, VariantRow } from './products.dto';
import type { ProductsRepository } from './products.repository';

/** `Kaos Nusa - Hitam, L`: the name by which a customer tells variants apart. */
const fullName = ({ name, options, ...variant }: ListedVariant): string =>
  [name, optionWords(options, variant).join(', ')].filter(Boolean).join(' - ');

export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly publicUrl: string | undefined,
  ) {}

  /**
   * One page, as variants for services (the bot) and as products for people, unless `view` says otherwise. Where nothing has the words
   * of `q`, people get what is nearest, and `meta.fuzzy`.
   */
  async list({ storeId, isService }: Caller, query: ProductsQuery): Promise<ProductsAnswer> {
    const variants = (query.view ?? (isService ? 'variants' : 'product')) === 'variants';
    const list = (asked: ListedQuery) => (variants ? this.variants(storeId, asked) : this.rows(storeId, asked));
    const exact = await list(query);
    if (exact.meta.total > 0 || query.q === undefined || isService) return exact;
    const { data, meta } = await list({ ...query, q: undefined, near: query.q });
    return data.length > 0 ? { data, meta: { ...meta, fuzzy: true } } : exact;
  }

  private async rows(storeId: string, query: ListedQuery): Promise<ProductsAnswer> {
    const page = await this.products.products(storeId, query);
    return { data: page.rows, meta: pageMeta(page) };
  }

  private async variants(storeId: string, query: ListedQuery): Promise<ProductsAnswer> {
    const [page, pageUrl] = await Promise.all([this.products.variants(storeId, query), this.pages(storeId)]);
    const data = page.rows.map((row): VariantRow => {
      const { options: _options, option_values: _values, slug, updated_at, ...shown } = row;
      return { ...shown, name: fullName(row), url: pageUrl(slug), updated_at: updated_at.toISOString() };
    });
    return { data, meta: pageMeta(page) };
  }

  /** Addresses of the shop's product pages, `/s/{slug}/products/{productSlug}`; null when the shop has no public address. */
  private async pages(storeId: string): Promise<(productSlug: string) => string | null> {
    const slug = this.publicUrl === undefined ? undefined : await this.products.storeSlug(storeId);
    return (productSlug) => (slug === undefined ? null : `${this.publicUrl}/s/${slug}/products/${productSlug}`);
  }
}
