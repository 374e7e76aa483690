import { area, dataOf, Reply, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { methodRefusals } from '../../paying/methods/public';
import { ofPayToken, Payment, payLinkRefusals, paymentRefusals } from '../../sales/payments/public';
import { CheckoutRequest, OpenedCheckout, PaymentRequest, ProviderStatus } from './attempts.dto';
import { attemptRefusals, type Attempts } from './attempts.service';

/** The link is a secret: neither a cache nor the next page may learn it. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
const ASKED = ['upstreamFailed', 'upstreamTimedOut', 'unavailable', 'tooMany'] as const;

const buying = (attempts: Attempts): Endpoint =>
  endpoint({
    post: '/payment/create-checkout',
    summary: 'Create payment URL for an order',
    description: 'Answers 200 with the attempt that waits already, and 201 with a new one.',
    guard: 'link',
    rate: { requests: 60, perSeconds: 60, by: 'address' },
    status: 201,
    body: CheckoutRequest,
    tenantOf: ({ body }) => ofPayToken((body as CheckoutRequest).pay_token),
    reply: dataOf(OpenedCheckout, 'Payment created'),
    refuses: [
      ...[payLinkRefusals.forged, payLinkRefusals.expired, attemptRefusals.over, paymentRefusals.paid],
      ...[attemptRefusals.atTheDoor, methodRefusals.noProvider, refusals.storeSuspended],
    ],
    handle: async ({ body }) => {
      const { view, known } = await attempts.checkout(body);
      return new Reply(view, { status: known ? 200 : 201, headers: PRIVATE });
    },
  });

const asking = (attempts: Attempts, by: ReturnType<typeof byOf>): Endpoint[] => [
  endpoint({
    post: '/payment/{id}/check',
    summary: 'Ask provider for status now',
    guard: 'payment.record',
    reply: dataOf(Payment),
    refuses: ['notFound', attemptRefusals.soon, attemptRefusals.byHand, ...ASKED],
    handle: ({ caller, params, signal }) => attempts.check(caller.storeId, params.id, signal),
  }),
  ...(['a', 'c'] as const).map((code) =>
    endpoint({
      post: `/pay_${code}/create-payment`,
      summary: `Payment URL at provider ${code.toUpperCase()}`,
      guard: 'order.write',
      status: 201,
      body: PaymentRequest,
      reply: dataOf(Payment, 'Payment created'),
      refuses: [
        ...(['notFound', paymentRefusals.paid, attemptRefusals.over, attemptRefusals.atTheDoor] as const),
        ...[invalidTransition, methodRefusals.noProvider],
      ],
      handle: (input) => attempts.create(by(input), code, input.body),
    }),
  ),
  endpoint({
    get: '/pay_a/status/{invoiceNumber}',
    summary: 'Status at provider A',
    guard: 'payment.read',
    reply: dataOf(ProviderStatus),
    refuses: ['notFound', ...ASKED],
    handle: ({ caller, params, signal }) => attempts.status(caller.storeId, 'a', params.invoiceNumber, signal),
  }),
  endpoint({
    get: '/pay_c/status/{reference}',
    summary: 'Status at provider C',
    guard: 'payment.read',
    reply: dataOf(ProviderStatus),
    refuses: ['notFound', ...ASKED],
    handle: ({ caller, params, signal }) => attempts.status(caller.storeId, 'c', params.reference, signal),
  }),
];

export const attemptsEndpoints = (attempts: Attempts, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api', tag: 'Payments' }, [buying(attempts), ...asking(attempts, by)]);
