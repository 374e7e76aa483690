import { area, dataOf, pageOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { seenBy } from '../sight/public';
import { Payment, PaymentRow, PaymentsQuery } from './payments.dto';
import { paymentById, paymentListing } from './payments.sql';

export const paymentsEndpoints = ({ database }: Pick<AreaParts, 'database'>): Endpoint[] =>
  area({ prefix: '/api/payment', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'List payments',
      guard: 'payment.read',
      query: PaymentsQuery,
      reply: pageOf(PaymentRow),
      refuses: [],
      handle: ({ caller, query }) => paymentListing.page(database, caller.storeId, seenBy(caller, query)),
    }),
    endpoint({
      get: '/{id}',
      summary: 'Payment with provider events',
      guard: 'payment.read',
      reply: dataOf(Payment),
      refuses: ['notFound'],
      handle: ({ caller, params }) => paymentById(database, caller.storeId, params.id),
    }),
  ]);
