import type { Database } from '@platform/data';
import { area, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { stockRefusals } from '../levels/public';
import { NewTransfer, Receipt, Transfer, TransfersQuery } from './transfers.dto';
import { receiveTransfer, sendTransfer, transferListing, transferRefusals } from './transfers.sql';

export const transfersEndpoints = (database: Database, clock: Clock): Endpoint[] =>
  area({ prefix: '/api/warehouse/transfer', tag: 'Shipping', refuses: [] }, [
    endpoint({
      post: '',
      summary: 'Move stock between warehouses',
      guard: 'stock.write',
      status: 201,
      // What is sent twice by a repeated request would be two transfers
      idempotency: 'optional',
      body: NewTransfer,
      reply: dataOf(Transfer, 'Transfer created'),
      refuses: ['notFound', stockRefusals.belowReserved],
      handle: (input) => input.once((tx) => sendTransfer(tx, byOf(clock)(input), input.body)),
    }),
    endpoint({
      get: '',
      summary: 'List transfers',
      guard: 'product.read',
      query: TransfersQuery,
      reply: pageOf(Transfer),
      handle: ({ caller, query }) => transferListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '/{id}/receive',
      summary: 'Receive a transfer',
      guard: 'stock.write',
      body: Receipt,
      reply: dataOf(Transfer, 'Transfer received'),
      refuses: ['notFound', transferRefusals.invalidTransition],
      handle: (input) => database.tx((tx) => receiveTransfer(tx, byOf(clock)(input), input.params.id, input.body)),
    }),
  ]);
