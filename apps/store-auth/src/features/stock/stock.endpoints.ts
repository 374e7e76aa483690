import { InvalidInput } from '@platform/errors';
import type { StockLine, StockPort } from '../../clients/commerce.client';
import { endpoint } from '../../endpoint';
import { StockBody, StockReply, type StockLineBody } from './stock.dto';
import { checkStockProductsExamples } from './stock.examples';

/** The first id in this order counts; commerce-api takes exactly one. */
const lineOf = ({ variant_id, sku, product_id, qty }: StockLineBody): StockLine => {
  if (variant_id !== undefined) return { variant_id, qty };
  return sku === undefined ? { product_id, qty } : { sku, qty };
};

/** The token decides the tenant; only a service token without a store may name one. */
const storeOf = (tokenStore: string, asked: string | undefined): string => {
  const store = tokenStore || asked;
  if (store) return store;
  throw new InvalidInput([{ field: 'store_id', tag: 'required', message: 'store_id is a required field' }]);
};

export const stockEndpoints = (stock: StockPort) => [
  endpoint({
    post: '/api/product/check_stock_products',
    summary: 'Availability of up to 100 lines in the shop of the token',
    tag: 'stock',
    guard: 'any',
    body: StockBody,
    reply: StockReply,
    refuses: ['upstreamFailed'],
    examples: checkStockProductsExamples,
    handle: async ({ caller, body }) => {
      const storeId = storeOf(caller.claims.store_id, body.store_id);
      const question = { storeId, lines: body.products.map(lineOf), warehouseId: body.gudang_id };
      const { rows, allAvailable } = await stock.ask(question);
      return { status: 'success' as const, message: 'stok diperiksa', data: rows, all_available: allAvailable };
    },
  }),
];
