import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { productRefusals } from '../../catalogue/products/public';
import { refuseCosts, variantRefusals } from '../../catalogue/variants/public';
import { DigitalChange, DigitalProduct, DigitalQuery, DigitalRow, NewDigital } from './goods.dto';
import type { GoodsService } from './goods.service';

const { slugTaken } = productRefusals;

export const goodsEndpoints = (goods: GoodsService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/digital-store', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'List digital products',
      guard: 'product.read',
      query: DigitalQuery,
      reply: pageOf(DigitalRow),
      refuses: [],
      handle: ({ caller, query }) => goods.list(caller, query),
    }),
    endpoint({
      post: '',
      summary: 'Create digital product',
      description:
        'A product like every other, and how it is delivered. Its stock is kept only where `track_stock` asks for it.',
      guard: 'digital.write',
      status: 201,
      body: NewDigital,
      reply: dataOf(DigitalProduct, 'Product created'),
      refuses: ['notFound', slugTaken, variantRefusals.skuTaken],
      handle: (input) => {
        refuseCosts(input.caller, input.body.variants ?? []);
        return goods.create(input.caller, by(input), input.body);
      },
    }),
    endpoint({
      get: '/{id}',
      summary: 'Digital product with files and keys',
      description: 'Keys are counted here; `/license-keys` lists them.',
      guard: 'product.read',
      reply: dataOf(DigitalProduct),
      refuses: ['notFound'],
      handle: ({ caller, params }) => goods.read(caller, params.id),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update product and delivery rules',
      description: 'Links that were sent keep the rules of then.',
      guard: 'digital.write',
      body: DigitalChange,
      reply: dataOf(DigitalProduct, 'Product updated'),
      refuses: ['notFound', slugTaken],
      handle: (input) => goods.change(input.caller, by(input), input.params.id, input.body),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Archive digital product',
      description: 'Whoever has bought it keeps it.',
      guard: 'digital.write',
      reply: done('Product archived'),
      refuses: ['notFound'],
      handle: (input) => goods.archive(by(input), input.params.id),
    }),
  ]);
