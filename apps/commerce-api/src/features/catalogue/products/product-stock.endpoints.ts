import type { Database, PageCursor } from '@platform/data';
import { area, cursorPage, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Movement, stockRefusals } from '../../stock/levels/public';
import { adjustStock, MovementsQuery, movementsOf, StockAdjustment } from './product-stock';

export const productStockEndpoints = (
  database: Database,
  cursors: PageCursor,
  by: ReturnType<typeof byOf>,
): Endpoint[] =>
  area({ prefix: '/api/products', tag: 'E-commerce', refuses: ['notFound'] }, [
    endpoint({
      post: '/{id}/stock-adjustment',
      summary: 'Correct stock with a reason',
      guard: 'stock.write',
      // A difference that is booked twice by a repeated request would be two
      idempotency: 'optional',
      body: StockAdjustment,
      reply: dataOf(Movement, 'Stock corrected'),
      refuses: [stockRefusals.belowReserved],
      handle: (input) => input.once((tx) => adjustStock(tx, by(input), input.params.id, input.body)),
    }),
    endpoint({
      get: '/{id}/stock-movements',
      summary: 'Stock history of a product',
      guard: 'product.read',
      query: MovementsQuery,
      reply: cursorPage(Movement),
      handle: ({ caller, params, query }) =>
        movementsOf(database, cursors, caller.storeId, { ...query, product: params.id }),
    }),
  ]);
