import type { ListedPage, Sql } from '@platform/data';
import { productListing, variantListing, type ListedVariant } from './product-list.sql';
import type { ProductRow, ProductsQuery } from './products.dto';

/** A store's products. Every statement starts from one store and is served by an index of it. */
export class ProductsRepository {
  constructor(private readonly sql: Sql) {}

  variants(storeId: string, query: ProductsQuery): Promise<ListedPage<ListedVariant>> {
    return variantListing.page(this.sql, storeId, query);
  }

  products(storeId: string, query: ProductsQuery): Promise<ListedPage<ProductRow>> {
    return productListing.page(this.sql, storeId, query);
  }

  /** Slug of the store's shop page; undefined for an unknown store. */
  async storeSlug(storeId: string): Promise<string | undefined> {
    const [store] = await this.sql.query<{ slug: string }>('SELECT slug FROM store WHERE store_id = $1', [storeId]);
    return store?.slug;
  }
}
