import type { Database, ListedPage, Sql } from '@platform/data';
import { NEAR, productListing, variantListing, type ListedQuery, type ListedVariant } from './product-list.sql';
import type { ProductRow } from './products.dto';

/** A store's products. Every statement starts from one store and is served by an index of it. */
export class ProductsRepository {
  constructor(private readonly sql: Pick<Database, 'tx'> & Sql) {}

  variants(storeId: string, query: ListedQuery): Promise<ListedPage<ListedVariant>> {
    return this.near(query, (sql) => variantListing.page(sql, storeId, query));
  }

  products(storeId: string, query: ListedQuery): Promise<ListedPage<ProductRow>> {
    return this.near(query, (sql) => productListing.page(sql, storeId, query));
  }

  /** How near is near is a setting of the transaction. */
  private near<T>({ near }: ListedQuery, list: (sql: Sql) => Promise<T>): Promise<T> {
    if (near === undefined) return list(this.sql);
    return this.sql.tx(async (tx) => {
      await tx.query(NEAR);
      return list(tx);
    });
  }

  /** Slug of the store's shop page; undefined for an unknown store. */
  async storeSlug(storeId: string): Promise<string | undefined> {
    const [store] = await this.sql.query<{ slug: string }>('SELECT slug FROM store WHERE store_id = $1', [storeId]);
    return store?.slug;
  }
}
