import { Unavailable } from '@platform/errors';
import { Int, Text } from '@platform/validation';
import { NotAvailable, type CatalogueRow, type CommerceClient } from '../../clients/commerce.client';
import type { KnowledgeSearch } from '../knowledge/public';
import type { Tool, ToolContext } from './tool.types';

const RANKED = 20;
const MOST = 5;

export class SearchProductsArguments {
  @Text({ min: 1, max: 120, description: 'what the customer is looking for, in their words' })
  query!: string;
  @Text({ max: 60, optional: true }) category?: string;
  @Int({ min: 0, optional: true, description: "highest price, whole units of the store's currency" }) priceMax?: number;
  @Int({ min: 1, max: MOST, optional: true }) limit?: number;
}

const rowOf = ({ sku, name, price, stock, image, url }: CatalogueRow) => ({
  sku,
  name,
  price,
  stock,
  ...(image ? { image } : {}),
  ...(url ? { url } : {}),
});

type Hit = Awaited<ReturnType<KnowledgeSearch['products']>>[number];

/** What is known without commerce: that there is such a product, not what it costs. */
const unpriced = ({ facts }: ToolContext, { sku }: Hit) => ({
  sku,
  name: facts.products.find((product) => product.sku === sku)?.name ?? sku,
  price: null,
  stock: null,
  live: false,
});

/** Our own index ranks, the rows of commerce decide: price, stock and whether it is sold at all (design 3.5, 3.9). */
export const searchProducts = (
  knowledge: Pick<KnowledgeSearch, 'products'>,
  commerce: Pick<CommerceClient, 'productsOf'>,
): Tool<SearchProductsArguments> => ({
  name: 'search_products',
  description:
    'Finds products of this store, with their current price and stock; what has stock null is not counted and can be had, unless live is false: of that nothing is known now.',
  args: SearchProductsArguments,
  kind: 'read',
  timeoutMs: 3_000,
  run: async ({ query, category, priceMax, limit = MOST }, context) => {
    const { store, signal } = context;
    const hits = await knowledge.products(store.id, { text: query, category, limit: RANKED });
    if (hits.length === 0) return { result: { products: [] } };
    try {
      const skus = hits.map(({ sku }) => sku);
      const rows = new Map((await commerce.productsOf(store.id, skus, signal)).map((row) => [row.sku, row]));
      const sold = skus.flatMap((sku) => rows.get(sku) ?? []).filter(({ status }) => status === 'active');
      const affordable = sold.filter(({ price }) => priceMax === undefined || price <= priceMax);
      return { result: { products: affordable.slice(0, limit).map(rowOf) } };
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof NotAvailable)) throw error;
      return { result: { products: hits.slice(0, limit).map((hit) => unpriced(context, hit)) } };
    }
  },
});
