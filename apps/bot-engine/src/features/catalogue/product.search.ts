import type { CatalogueRepository, ProductHit } from './catalogue.repository';
import { searchWords } from './catalogue.words';

export interface ProductQuery {
  /** As the customer, or the model for him, writes it. */
  readonly text: string;
  readonly category?: string;
  readonly limit: number;
}

/** The best SKUs of a store's catalogue for a customer's words, best first (design 3.9). */
export type ProductSearch = (storeId: string, query: ProductQuery) => Promise<readonly ProductHit[]>;

interface ProductSearchParts {
  readonly catalogue: Pick<CatalogueRepository, 'search'>;
  /** Resolves when the copy of the store is as good as it can be within the time of a search. */
  readonly ready: (storeId: string) => Promise<void>;
}

/**
 * A named category adds its words and excludes nothing: whoever calls it, a customer or a model, may call it otherwise than the
 * shop does.
 */
export const productSearch =
  ({ catalogue, ready }: ProductSearchParts): ProductSearch =>
  async (storeId, { text, category = '', limit }) => {
    const words = searchWords(`${text} ${category}`);
    if (words.length === 0) return [];
    await ready(storeId);
    return catalogue.search(storeId, words, limit);
  };
