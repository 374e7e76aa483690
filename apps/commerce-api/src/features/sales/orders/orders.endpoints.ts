import { area, dataOf, listOf, pageOf, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { AreaParts } from '../../../area';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { rateRefusals } from '../../shipping/rates/public';
import { stockRefusals } from '../../stock/levels/public';
import type { Buyers } from '../buyers/public';
import { couponRefusals } from '../coupons/public';
import { methodRefusals } from '../../paying/methods/public';
import { PaymentKey, paymentRefusals, payUrlOf, type PayPages } from '../payments/public';
import { seenBy } from '../sight/public';
import { assignOrder } from './order-assign';
import { editOrder } from './order-edit';
import { changePayment } from './order-payment';
import { placeOrder, type Tills } from './order-place';
import { calculate } from './order-quote';
import { orderRefusals } from './order.rules';
import { addNote, moveOrder, moveOrders, type Changing } from './order-steps';
import type { Order } from './orders.dto';
import {
  Assignment,
  BulkStatus,
  BulkStatusResult,
  Calculated,
  Cancellation,
  LegacyPaymentStatus,
  NewOrder,
  NoteInput,
  OrderCalculation,
  OrderEdit,
  OrderEvent,
  OrderExportQuery,
  OrderRow,
  OrdersQuery,
  OrderStatistic,
  OrderStatisticsQuery,
  OrderStatusChange,
  OrderView,
  PaymentStatusChange,
} from './orders.dto';
import { exportListing, ORDERS_FILE, statisticsOf } from './orders.export';
import { historyOf, orderById, orderByNumber, orderListing } from './orders.sql';

export interface OrderParts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly buyers: Buyers;
  readonly tills: Tills;
  readonly pages: PayPages;
}

/** As an answer shows it. */
const viewOf =
  ({ pages, clock }: Pick<OrderParts, 'pages' | 'clock'>) =>
  (order: Order): OrderView => ({ ...order, pay_url: payUrlOf(pages, order, clock.now()) });

const ENDING = ['notFound', invalidTransition, orderRefusals.refundFirst, orderRefusals.goodsOut] as const;

const headerOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;
const changing =
  (clock: Clock) =>
  (input: { readonly caller: Caller }): Changing => ({
    by: byOf(clock)(input),
    audit: auditOf(input.caller, clock),
  });

const reads = ({ database, clock, pages, tills }: OrderParts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List and filter orders',
    guard: 'order.read',
    query: OrdersQuery,
    reply: pageOf(OrderRow),
    refuses: [],
    handle: ({ caller, query }) => orderListing.page(database, caller.storeId, seenBy(caller, query)),
  }),
  endpoint({
    post: '/calculate',
    summary: 'Preview totals, discount and shipping',
    guard: 'order.write',
    body: OrderCalculation,
    reply: dataOf(Calculated),
    refuses: ['notFound', rateRefusals.quoteExpired],
    handle: (input) => calculate({ sql: database, gateways: tills.gateways }, byOf(clock)(input), input.body),
  }),
  endpoint({
    get: '/number/{orderNumber}',
    summary: 'Find order by its number',
    guard: 'order.read',
    reply: dataOf(OrderView),
    refuses: ['notFound'],
    handle: ({ caller, params }) =>
      orderByNumber(database, caller.storeId, params.orderNumber).then(viewOf({ pages, clock })),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Order with its lines and notes',
    guard: 'order.read',
    reply: dataOf(OrderView),
    refuses: ['notFound'],
    handle: ({ caller, params }) => orderById(database, caller.storeId, params.id).then(viewOf({ pages, clock })),
  }),
  endpoint({
    get: '/{id}/history',
    summary: 'Timeline of the order',
    guard: 'order.read',
    reply: listOf(OrderEvent),
    refuses: ['notFound'],
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
    handle: ({ caller, query }) => statisticsOf(database, caller.storeId, seenBy(caller, query)),
  }),
  endpoint({
    get: '/export',
    summary: 'Export orders as CSV',
    guard: 'order.export',
    query: OrderExportQuery,
    reply: ORDERS_FILE,
    refuses: [],
    handle: ({ caller, query, signal }) =>
      exportListing.stream(database, caller.storeId, seenBy(caller, query), { signal }),
  }),
];

const placing = ({ clock, buyers, tills, pages }: OrderParts): Endpoint =>
  endpoint({
    post: '',
    summary: 'Create order and reserve stock',
    guard: 'order.write',
    status: 201,
    idempotency: 'optional',
    body: NewOrder,
    reply: dataOf(OrderView, 'Order created'),
    refuses: [
      'notFound',
      stockRefusals.outOfStock,
      couponRefusals.unavailable,
      orderRefusals.totalChanged,
      rateRefusals.quoteExpired,
      orderRefusals.noWarehouse,
      orderRefusals.keyUsed,
      methodRefusals.noProvider,
    ],
    handle: (input) => {
      const key = headerOf(input.headers['idempotency-key']);
      const placing = { ...changing(clock)(input), buyers, tills, key };
      return input.once((tx) => placeOrder(tx, placing, input.body).then(viewOf({ pages, clock })));
    },
  });

const editing = ({ database, clock, buyers, tills, pages }: OrderParts): Endpoint =>
  endpoint({
    put: '/{id}',
    summary: 'Edit an unpaid order',
    guard: 'order.write',
    body: OrderEdit,
    reply: dataOf(OrderView, 'Order updated'),
    refuses: [
      'notFound',
      invalidTransition,
      paymentRefusals.paid,
      refusals.versionConflict,
      stockRefusals.outOfStock,
      couponRefusals.unavailable,
      orderRefusals.totalChanged,
      rateRefusals.quoteExpired,
      methodRefusals.noProvider,
    ],
    handle: (input) =>
      database
        .tx((tx) => editOrder(tx, { ...changing(clock)(input), buyers, tills }, input.params.id, input.body))
        .then(viewOf({ pages, clock })),
  });

const writes = ({ database, clock, pages }: OrderParts): Endpoint[] => [
  endpoint({
    post: '/change_status',
    summary: 'Move order to another status',
    guard: 'order.write',
    body: OrderStatusChange,
    reply: dataOf(OrderView, 'Order updated'),
    refuses: [...ENDING, stockRefusals.outOfStock],
    handle: (input) => {
      const { order_id, status, note } = input.body;
      return database
        .tx((tx) => moveOrder(tx, changing(clock)(input), order_id, status, note))
        .then(viewOf({ pages, clock }));
    },
  }),
  endpoint({
    post: '/bulk_status',
    summary: 'Change status of many orders',
    guard: 'order.write',
    body: BulkStatus,
    reply: dataOf(BulkStatusResult),
    refuses: [],
    handle: (input) => moveOrders(database, input.caller, changing(clock)(input), input.body),
  }),
  endpoint({
    post: '/{id}/cancel',
    summary: 'Cancel, release stock and coupon',
    guard: 'order.write',
    body: Cancellation,
    reply: dataOf(OrderView, 'Order cancelled'),
    refuses: ENDING,
    handle: (input) =>
      database
        .tx((tx) => moveOrder(tx, changing(clock)(input), input.params.id, 'cancelled', input.body.reason))
        .then(viewOf({ pages, clock })),
  }),
  endpoint({
    post: '/{id}/assign',
    summary: 'Assign agent or warehouse',
    guard: 'order.write',
    body: Assignment,
    reply: dataOf(OrderView, 'Order updated'),
    refuses: ['notFound', invalidTransition, stockRefusals.outOfStock, stockRefusals.belowReserved],
    handle: (input) =>
      database
        .tx((tx) => assignOrder(tx, changing(clock)(input), input.params.id, input.body))
        .then(viewOf({ pages, clock })),
  }),
  endpoint({
    post: '/{id}/notes',
    summary: 'Add internal note',
    guard: 'order.write',
    body: NoteInput,
    reply: dataOf(OrderView, 'Order updated'),
    refuses: ['notFound'],
    handle: (input) =>
      database
        .tx((tx) => addNote(tx, changing(clock)(input), input.params.id, input.body.text))
        .then(viewOf({ pages, clock })),
  }),
];

/** Registered twice, as the contract has it: the last one answers, in the documentation too. */
const paying = ({ database, clock, pages }: OrderParts): Endpoint[] => {
  const shared = {
    post: '/change_payment_status',
    guard: 'payment.record',
    reply: dataOf(OrderView, 'Order updated'),
    refuses: [
      ...(['notFound', invalidTransition] as const),
      ...([paymentRefusals.gatewayPayment, paymentRefusals.paid, paymentRefusals.keyUsed] as const),
    ],
  } as const;
  return [
    endpoint({
      ...shared,
      summary: 'First registration, shadowed',
      body: LegacyPaymentStatus,
      handle: (input) =>
        changePayment(database, changing(clock)(input), { ...input.body, method: 'other' }).then(
          viewOf({ pages, clock }),
        ),
    }),
    endpoint({
      ...shared,
      summary: 'Record manual payment or reversal (effective)',
      headers: PaymentKey,
      body: PaymentStatusChange,
      handle: (input) => {
        const { 'idempotency-key': key } = input.headers;
        return changePayment(database, changing(clock)(input), { ...input.body, key }).then(viewOf({ pages, clock }));
      },
    }),
  ];
};

export const ordersEndpoints = (parts: OrderParts): Endpoint[] =>
  area({ prefix: '/api/order', tag: 'E-commerce' }, [
    ...reads(parts),
    ...reports(parts),
    placing(parts),
    editing(parts),
    ...paying(parts),
    ...writes(parts),
  ]);
