import { pageMeta } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { ListedVariant } from './product-list.sql';
import type { ProductsAnswer, ProductsQuery, VariantRow } from './products.dto';
import type { ProductsRepository } from './products.repository';

/** `Kaos Nusa - Hitam, L`: the name by which a customer tells variants apart. */
const fullName = ({ name, option_values }: ListedVariant): string =>
  [name, Object.values(option_values).join(', ')].filter(Boolean).join(' - ');

export class ProductsService {
  constructor(
    private readonly products: ProductsRepository,
    private readonly publicUrl: string | undefined,
  ) {}

  /** One page, as variants for services (the bot) and as products for people, unless `view` says otherwise. */
  async list({ storeId, isService }: Caller, query: ProductsQuery): Promise<ProductsAnswer> {
    const view = query.view ?? (isService ? 'variants' : 'product');
    if (view === 'variants') return this.variants(storeId, query);
    const page = await this.products.products(storeId, query);
    return { data: page.rows, meta: pageMeta(page) };
  }

  private async variants(storeId: string, query: ProductsQuery): Promise<ProductsAnswer> {
    const [page, pageUrl] = await Promise.all([this.products.variants(storeId, query), this.pages(storeId)]);
    const data = page.rows.map((row): VariantRow => {
      const { option_values: _options, slug, updated_at, ...shown } = row;
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
