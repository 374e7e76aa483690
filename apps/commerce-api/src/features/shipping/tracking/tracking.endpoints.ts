import { dataOf, listOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { PROVIDER_AWAY } from '../areas/public';
import { Tracking, WaybillQuestion } from './tracking.dto';
import { trackingsOf } from './tracking.sql';
import type { Parcels } from './tracking';

export const trackingEndpoints = (parcels: Parcels, { database }: Pick<AreaParts, 'database'>): Endpoint[] => [
  endpoint({
    post: '/api/ship_a/waybill',
    summary: 'Track a waybill',
    tag: 'Shipping',
    // The bot tells buyers
    guard: 'product.read',
    body: WaybillQuestion,
    reply: dataOf(Tracking),
    refuses: ['notFound', ...PROVIDER_AWAY],
    handle: ({ caller, body }) => parcels.ask(caller.storeId, body),
  }),
  endpoint({
    get: '/api/order/{id}/tracking',
    summary: 'Courier tracking of the order',
    tag: 'E-commerce',
    guard: 'order.read',
    reply: listOf(Tracking),
    refuses: ['notFound'],
    handle: ({ caller, params }) => trackingsOf(database, caller.storeId, params.id),
  }),
];
