import { botStatusEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { paymentRefusals } from './payment.refusals';
import { PaymentNotification, PaymentReply } from './payment.dto';
import type { PaymentService } from './payment.service';

const STATUS = 201;
const BODY_LIMIT = 256 * 1024;

export const paymentEndpoints = (payments: Pick<PaymentService, 'notify'>): Endpoint[] => [
  endpoint({
    post: '/api/webhook/payment-notification',
    summary: 'Says that an order was paid, or has ended',
    description:
      'A hint only: the order is read at commerce-api, and its buyer is told what that says, once for each state of the order.',
    tag: 'payment',
    guard: 'jwt',
    status: STATUS,
    body: PaymentNotification,
    bodyLimit: BODY_LIMIT,
    envelope: botStatusEnvelope,
    reply: PaymentReply,
    refuses: [refusals.storeNotFound, paymentRefusals.orderNotFound],
    handle: async ({ body, caller }) => ({
      status: STATUS,
      message: 'success',
      data: await payments.notify(body, caller),
    }),
  }),
];
