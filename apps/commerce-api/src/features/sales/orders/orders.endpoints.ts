import { area, dataOf, listOf, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { stockRefusals } from '../../stock/levels/public';
import type { Buyers } from '../buyers/public';
import { couponRefusals } from '../coupons/public';
import type { OrderChanged } from '../news/public';
import { placeOrder } from './order-place';
import { calculate } from './order-quote';
import { orderRefusals } from './order.rules';
import { addNote, moveOrder, moveOrders, type Changing } from './order-steps';
import {
  BulkStatus,
  BulkStatusResult,
  Calculated,
  Cancellation,
  NewOrder,
  NoteInput,
  Order,
  OrderCalculation,
  OrderEvent,
  OrderExportQuery,
  OrderRow,
  OrdersQuery,
  OrderStatistic,
  OrderStatisticsQuery,
  OrderStatusChange,
} from './orders.dto';
import { orderExamples } from './orders.examples';
import { exportListing, ORDERS_FILE, statisticsOf } from './orders.export';
import { historyOf, orderById, orderByNumber, orderListing } from './orders.sql';

export interface OrderParts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly buyers: Buyers;
  readonly changed: OrderChanged;
}

const headerOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
const changing =
  ({ clock, changed }: Pick<OrderParts, 'clock' | 'changed'>) =>
  (input: { readonly caller: Caller }): Changing => ({
    ...{ by: byOf(clock)(input), audit: auditOf(input.caller, clock), changed },
  });

const reads = ({ database, clock }: OrderParts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List and filter orders',
    guard: 'order.read',
    query: OrdersQuery,
    reply: pageOf(OrderRow),
    refuses: [],
    examples: orderExamples.list,
    handle: ({ caller, query }) => orderListing.page(database, caller.storeId, query),
  }),
  endpoint({
    post: '/calculate',
    summary: 'Preview totals, discount and shipping',
    guard: 'order.write',
    body: OrderCalculation,
    reply: dataOf(Calculated),
    refuses: [],
    examples: orderExamples.calculate,
    handle: (input) => calculate(database, byOf(clock)(input), input.body),
  }),
  endpoint({
    get: '/number/{orderNumber}',
    summary: 'Find order by its number',
    guard: 'order.read',
    reply: dataOf(Order),
    refuses: ['notFound'],
    examples: orderExamples.show,
    handle: ({ caller, params }) => orderByNumber(database, caller.storeId, params.orderNumber),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Order with its lines and notes',
    guard: 'order.read',
    reply: dataOf(Order),
    refuses: ['notFound'],
    examples: orderExamples.show,
    handle: ({ caller, params }) => orderById(database, caller.storeId, params.id),
  }),
  endpoint({
    get: '/{id}/history',
    summary: 'Timeline of the order',
    guard: 'order.read',
    reply: listOf(OrderEvent),
    refuses: ['notFound'],
    examples: orderExamples.history,
    handle: ({ caller, params }) => historyOf(database, caller.storeId, params.id),
  }),
];

const reports = ({ database }: OrderParts): Endpoint[] => [
  endpoint({
    get: '/statistics',
    summary: 'Order counts per status',
    guard: 'order.read',
    query: OrderStatisticsQuery,
    reply: listOf(OrderStatistic),
    refuses: [],
    examples: orderExamples.statistics,
    handle: ({ caller, query }) => statisticsOf(database, caller.storeId, query),
  }),
  endpoint({
    get: '/export',
    summary: 'Export orders as CSV',
    guard: 'order.export',
    query: OrderExportQuery,
    reply: ORDERS_FILE,
    refuses: [],
    handle: ({ caller, query, signal }) => exportListing.stream(database, caller.storeId, query, { signal }),
  }),
];

const placing = (parts: OrderParts): Endpoint =>
  endpoint({
    post: '',
    summary: 'Create order and reserve stock',
    guard: 'order.write',
    status: 201,
    idempotency: 'optional',
    body: NewOrder,
    reply: dataOf(Order, 'Order created'),
    refuses: [
      stockRefusals.outOfStock,
      couponRefusals.unavailable,
      orderRefusals.totalChanged,
      orderRefusals.noWarehouse,
      orderRefusals.keyUsed,
    ],
    examples: orderExamples.place,
    handle: (input) => {
      const key = headerOf(input.headers['idempotency-key']);
      return input.once((tx) => placeOrder(tx, { ...changing(parts)(input), buyers: parts.buyers, key }, input.body));
    },
  });

const writes = ({ database, ...parts }: OrderParts): Endpoint[] => [
  endpoint({
    post: '/change_status',
    summary: 'Move order to another status',
    guard: 'order.write',
    body: OrderStatusChange,
    reply: dataOf(Order, 'Order updated'),
    refuses: ['notFound', invalidTransition, orderRefusals.refundFirst],
    examples: orderExamples.move,
    handle: (input) => {
      const { order_id, status, note } = input.body;
      return database.tx((tx) => moveOrder(tx, changing(parts)(input), order_id, status, note));
    },
  }),
  endpoint({
    post: '/bulk_status',
    summary: 'Change status of many orders',
    guard: 'order.write',
    body: BulkStatus,
    reply: dataOf(BulkStatusResult),
    refuses: [],
    examples: orderExamples.bulk,
    handle: (input) => moveOrders(database, changing(parts)(input), input.body),
  }),
  endpoint({
    post: '/{id}/cancel',
    summary: 'Cancel, release stock and coupon',
    guard: 'order.write',
    body: Cancellation,
    reply: dataOf(Order, 'Order cancelled'),
    refuses: ['notFound', invalidTransition, orderRefusals.refundFirst],
    examples: orderExamples.cancel,
    handle: (input) =>
      database.tx((tx) => moveOrder(tx, changing(parts)(input), input.params.id, 'cancelled', input.body.reason)),
  }),
  endpoint({
    post: '/{id}/notes',
    summary: 'Add internal note',
    guard: 'order.write',
    body: NoteInput,
    reply: dataOf(Order, 'Order updated'),
    refuses: ['notFound'],
    examples: orderExamples.note,
    handle: (input) => database.tx((tx) => addNote(tx, changing(parts)(input), input.params.id, input.body.text)),
  }),
];

export const ordersEndpoints = (parts: OrderParts): Endpoint[] =>
  area({ prefix: '/api/order', tag: 'E-commerce' }, [
    ...reads(parts),
    ...reports(parts),
    placing(parts),
    ...writes(parts),
  ]);
