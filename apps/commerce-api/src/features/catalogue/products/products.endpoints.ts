import type { Endpoint } from '@platform/http';
import { endpoint } from '../../../endpoint';
import { ProductsAnswer, ProductsQuery } from './products.dto';
import { productsExamples } from './products.examples';
import type { ProductsService } from './products.service';

export const productsEndpoints = (products: ProductsService): Endpoint[] => [
  endpoint({
    get: '/api/products',
    summary: 'List and search products',
    tag: 'E-commerce',
    guard: 'product.read',
    query: ProductsQuery,
    reply: ProductsAnswer,
    refuses: [],
    examples: productsExamples,
    handle: ({ caller, query }) => products.list(caller, query),
  }),
];
