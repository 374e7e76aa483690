import type { CatalogueRow, CommerceClient } from '../../clients/commerce.client';

const PAGE = 100;

/** The products of stores as commerce tells them, last changed first; a test changes `rows` and makes calls fail or wait. */
export class ShopFixture implements Pick<CommerceClient, 'products' | 'productsOf'> {
  readonly rows = new Map<string, CatalogueRow[]>();
  /** Pages and SKUs asked for, in their order. */
  readonly asked: (number | readonly string[])[] = [];
  /** Comes before every answer. */
  before: (storeId: string) => Promise<void> = () => Promise.resolve();

  of(storeId: string): CatalogueRow[] {
    const known = this.rows.get(storeId) ?? [];
    this.rows.set(storeId, known);
    return known;
  }

  async products(storeId: string, page: number) {
    this.asked.push(page);
    await this.before(storeId);
    const rows = this.of(storeId).toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    const from = (page - 1) * PAGE;
    return { rows: rows.slice(from, from + PAGE), more: rows.length > from + PAGE };
  }

  async productsOf(storeId: string, skus: readonly string[]): Promise<readonly CatalogueRow[]> {
    this.asked.push(skus);
    await this.before(storeId);
    return this.of(storeId).filter(({ sku }) => skus.includes(sku));
  }
}
