import type { Database } from '@platform/data';
import { area, dataOf, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refuseCosts, variantRefusals } from '../variants/public';
import { bulkUpdate } from './bulk-update';
import { BulkResult, BulkUpdate, NewProduct, Product, ProductChange, ProductStatusChange } from './product.dto';
import { productRefusals } from './product.rules';
import { productById } from './product.sql';
import type { ProductWriteService } from './product-write.service';

const { slugTaken } = productRefusals;

interface Parts {
  readonly database: Database;
  readonly products: ProductWriteService;
  readonly by: ReturnType<typeof byOf>;
}

const rowEndpoints = ({ database, products, by }: Parts): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Create product with variants',
    guard: 'product.write',
    status: 201,
    body: NewProduct,
    reply: dataOf(Product, 'Product created'),
    refuses: ['notFound', slugTaken, variantRefusals.skuTaken],
    handle: (input) => {
      refuseCosts(input.caller, input.body.variants ?? []);
      return products.create(by(input), input.body);
    },
  }),
  endpoint({
    get: '/{id}',
    summary: 'Product with variants and stock',
    guard: 'product.read',
    reply: dataOf(Product),
    refuses: ['notFound'],
    handle: ({ caller, params }) => productById(database, caller.storeId, params.id),
  }),
  endpoint({
    put: '/{id}',
    summary: 'Update product',
    guard: 'product.write',
    body: ProductChange,
    reply: dataOf(Product, 'Product updated'),
    refuses: ['notFound', slugTaken],
    handle: (input) => products.change(by(input), input.params.id, input.body),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Archive product',
    guard: 'product.write',
    reply: done('Product archived'),
    refuses: ['notFound'],
    handle: (input) => products.archive(by(input), input.params.id),
  }),
];

const otherEndpoints = ({ products, by }: Parts): Endpoint[] => [
  endpoint({
    post: '/{id}/duplicate',
    summary: 'Copy product as draft',
    guard: 'product.write',
    status: 201,
    reply: dataOf(Product, 'Product created'),
    refuses: ['notFound', slugTaken],
    handle: (input) => products.duplicate(by(input), input.params.id),
  }),
  endpoint({
    put: '/{id}/status',
    summary: 'Publish, unpublish or archive',
    guard: 'product.write',
    body: ProductStatusChange,
    reply: dataOf(Product, 'Product updated'),
    refuses: ['notFound'],
    handle: (input) => products.change(by(input), input.params.id, input.body),
  }),
  endpoint({
    post: '/bulk-update',
    summary: 'Change price or status of many',
    guard: 'product.write',
    // Ten percent more by a repeated request would be twenty-one
    idempotency: 'optional',
    body: BulkUpdate,
    reply: dataOf(BulkResult, 'Products updated'),
    refuses: ['notFound'],
    handle: (input) => input.once((tx) => bulkUpdate(tx, by(input), input.body)),
  }),
];

export const productWriteEndpoints = (parts: Parts): Endpoint[] =>
  area({ prefix: '/api/products', tag: 'E-commerce' }, [...rowEndpoints(parts), ...otherEndpoints(parts)]);
