import type { Endpoint } from '@platform/http';
import { endpoint } from '../../../endpoint';
import { CheckStockAnswer, CheckStockBody } from './stock.dto';
import { stockExamples } from './stock.examples';
import type { StockService } from './stock.service';

export const stockEndpoints = (stock: StockService): Endpoint[] => [
  endpoint({
    post: '/api/products/check-stock',
    summary: 'Availability of variants for chat and bot',
    tag: 'E-commerce',
    guard: 'product.read',
    body: CheckStockBody,
    unknownKeys: 'refuse',
    reply: CheckStockAnswer,
    refuses: [],
    examples: stockExamples,
    handle: ({ caller, body }) => stock.check(caller, body),
  }),
];
