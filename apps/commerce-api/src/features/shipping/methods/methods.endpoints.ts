import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { ShippingMethod, ShippingMethodBody, ShippingMethodsQuery } from './methods.dto';
import { changeMethod, createMethod, deleteMethod, methodListing, methodRefusals } from './methods.sql';

export const methodsEndpoints = ({ database, clock }: Pick<AreaParts, 'database' | 'clock'>): Endpoint[] =>
  area({ prefix: '/api/shipping/methods', tag: 'Shipping' }, [
    endpoint({
      get: '',
      summary: 'Own methods: flat, pickup, COD',
      guard: 'member',
      query: ShippingMethodsQuery,
      reply: pageOf(ShippingMethod),
      refuses: [],
      handle: ({ caller, query }) => methodListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create own method',
      guard: 'shipping.write',
      status: 201,
      body: ShippingMethodBody,
      reply: dataOf(ShippingMethod, 'Shipping method created'),
      refuses: [methodRefusals.tooMany],
      handle: (input) => database.tx((tx) => createMethod(tx, byOf(clock)(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update own method',
      guard: 'shipping.write',
      body: ShippingMethodBody,
      reply: dataOf(ShippingMethod, 'Shipping method updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => changeMethod(tx, byOf(clock)(input), input.params.id, input.body)),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete own method',
      guard: 'shipping.write',
      reply: done('Shipping method deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteMethod(tx, byOf(clock)(input), input.params.id)),
    }),
  ]);
