import { area, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { seenBy } from '../../sales/sight/public';
import { stockRefusals } from '../../stock/levels/public';
import { Shipment, shipmentById, ShipmentRow } from '../parcels/public';
import { cancelShipment, packShipment, recordWaybill } from './packing';
import { takeBack } from './returning';
import { shipmentRefusals } from './shipment.rules';
import { NewShipment, ShipmentsQuery, WaybillInput } from './shipments.dto';
import { shipmentListing } from './shipments.sql';

export type ShipmentParts = Pick<AreaParts, 'database' | 'clock'>;

const PACKING = [
  ...(['notFound', invalidTransition, shipmentRefusals.nothingLeft, shipmentRefusals.waybillUsed] as const),
  ...([stockRefusals.outOfStock, stockRefusals.belowReserved] as const),
] as const;

const reads = ({ database }: ShipmentParts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List shipments',
    guard: 'order.read',
    query: ShipmentsQuery,
    reply: pageOf(ShipmentRow),
    refuses: [],
    handle: ({ caller, query }) => shipmentListing.page(database, caller.storeId, seenBy(caller, query)),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Shipment with tracking events',
    guard: 'order.read',
    reply: dataOf(Shipment),
    refuses: ['notFound'],
    handle: ({ caller, params }) => shipmentById(database, caller.storeId, params.id),
  }),
];

const writes = ({ database, clock }: ShipmentParts): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Create shipment for order lines',
    guard: 'shipping.write',
    status: 201,
    // A part that is packed twice by a repeated request would be two parts
    idempotency: 'optional',
    body: NewShipment,
    reply: dataOf(Shipment, 'Shipment created'),
    refuses: PACKING,
    handle: (input) =>
      input.once((tx) =>
        input.body.direction === 'return'
          ? takeBack(tx, byOf(clock)(input), input.body)
          : packShipment(tx, byOf(clock)(input), input.body),
      ),
  }),
  endpoint({
    post: '/{id}/cancel',
    summary: 'Cancel an unshipped shipment',
    guard: 'shipping.write',
    reply: dataOf(Shipment, 'Shipment cancelled'),
    refuses: ['notFound', invalidTransition],
    handle: (input) => database.tx((tx) => cancelShipment(tx, byOf(clock)(input), input.params.id)),
  }),
];

const waybill = ({ database, clock }: ShipmentParts): Endpoint =>
  endpoint({
    post: '/api/order/{id}/waybill',
    summary: 'Record waybill and mark shipped',
    tag: 'E-commerce',
    guard: 'order.write',
    body: WaybillInput,
    reply: dataOf(Shipment, 'Shipment updated'),
    refuses: PACKING,
    handle: (input) => database.tx((tx) => recordWaybill(tx, byOf(clock)(input), input.params.id, input.body)),
  });

export const shipmentsEndpoints = (parts: ShipmentParts): Endpoint[] => [
  ...area({ prefix: '/api/shipping/shipments', tag: 'Shipping' }, [...reads(parts), ...writes(parts)]),
  waybill(parts),
];
