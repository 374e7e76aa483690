import { bigintNumber, type Sql } from '@platform/data';
import { productRows, rowCount, variantRows, type ProductListing } from './product-list.sql';
import type { ProductRow } from './products.dto';

export interface ListedVariant {
  readonly sku: string;
  readonly product_id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly option_values: Readonly<Record<string, string>>;
  readonly category: string | null;
  readonly description: string;
  readonly price: number;
  readonly stock: number;
  readonly slug: string;
  readonly status: ProductRow['status'];
  readonly updated_at: Date;
  readonly image: string | null;
}

export interface ListedProduct extends Omit<ProductRow, 'category' | 'created_at' | 'updated_at'> {
  readonly category: string | null;
  readonly category_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** A store's products. Every statement starts from one store and is served by an index of it. */
export class ProductsRepository {
  constructor(private readonly sql: Sql) {}

  async variants(listing: ProductListing): Promise<Listed<ListedVariant>> {
    const { text, values } = variantRows(listing);
    const [rows, total] = await Promise.all([
      this.sql.query<ListedVariant>(text, values),
      this.total(listing, 'variants'),
    ]);
    return { rows: rows.map((row) => ({ ...row, price: bigintNumber.from(row.price) })), total };
  }

  async products(listing: ProductListing): Promise<Listed<ListedProduct>> {
    const { text, values } = productRows(listing);
    const [rows, total] = await Promise.all([
      this.sql.query<ListedProduct>(text, values),
      this.total(listing, 'product'),
    ]);
    const money = ({ price_min, price_max, ...row }: ListedProduct): ListedProduct => ({
      ...row,
      price_min: bigintNumber.from(price_min),
      price_max: bigintNumber.from(price_max),
    });
    return { rows: rows.map(money), total };
  }

  /** Address part of the store's shop page; undefined for a store that is not here. */
  async storeSlug(storeId: string): Promise<string | undefined> {
    const [store] = await this.sql.query<{ slug: string }>('SELECT slug FROM store WHERE store_id = $1', [storeId]);
    return store?.slug;
  }

  private async total(listing: ProductListing, view: 'product' | 'variants'): Promise<number> {
    const { text, values } = rowCount(listing, view);
    const [row] = await this.sql.query<{ total: number }>(text, values);
    return row?.total ?? 0;
  }
}
