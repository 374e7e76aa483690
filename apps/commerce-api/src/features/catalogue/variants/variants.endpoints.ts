import type { Database } from '@platform/data';
import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refuseCosts, variantRefusals } from './variant.rules';
import { Generate, NewVariant, Variant, VariantChange, VariantsQuery } from './variants.dto';
import type { VariantsService } from './variants.service';
import { variantByCode, variantsOf } from './variants.sql';

const { skuTaken, optionsTaken, tooMany, lastVariant } = variantRefusals;

const reads = (database: Database): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Variants of one product',
    guard: 'product.read',
    query: VariantsQuery,
    reply: listOf(Variant),
    refuses: [],
    handle: ({ caller, query }) => variantsOf(database, caller.storeId, query.product_id),
  }),
  endpoint({
    get: '/sku/{sku}',
    summary: 'Find variant by SKU or barcode',
    guard: 'product.read',
    reply: dataOf(Variant),
    refuses: ['notFound'],
    handle: ({ caller, params }) => variantByCode(database, caller.storeId, params.sku),
  }),
];

const writes = (variants: VariantsService, by: ReturnType<typeof byOf>): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Add variant',
    guard: 'product.write',
    status: 201,
    body: NewVariant,
    reply: dataOf(Variant, 'Variant created'),
    refuses: ['notFound', skuTaken, optionsTaken, tooMany],
    handle: (input) => {
      refuseCosts(input.caller, [input.body]);
      return variants.add(by(input), input.body);
    },
  }),
  endpoint({
    post: '/generate',
    summary: 'Build variants from option values',
    guard: 'product.write',
    status: 201,
    body: Generate,
    reply: listOf(Variant, 'Variants created'),
    refuses: ['notFound', optionsTaken, tooMany],
    handle: (input) => variants.generate(by(input), input.body),
  }),
  endpoint({
    put: '/{id}',
    summary: 'Change price, SKU, weight, barcode',
    guard: 'product.write',
    body: VariantChange,
    reply: dataOf(Variant, 'Variant updated'),
    refuses: ['notFound', skuTaken, optionsTaken],
    handle: (input) => {
      refuseCosts(input.caller, [input.body]);
      return variants.change(by(input), input.params.id, input.body);
    },
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Archive variant',
    guard: 'product.write',
    reply: done('Variant archived'),
    refuses: ['notFound', lastVariant],
    handle: (input) => variants.archive(by(input), input.params.id),
  }),
];

export const variantsEndpoints = (database: Database, variants: VariantsService, clock: Clock): Endpoint[] =>
  area({ prefix: '/api/variant_product', tag: 'E-commerce' }, [...reads(database), ...writes(variants, byOf(clock))]);
