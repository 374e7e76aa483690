import { orderStates, type OrderState } from '../../clients/commerce.client';
import { Choice, Flag, Int, Nested, Text } from '@platform/validation';

export const paymentEvents = ['payment.paid', 'payment.expired', 'payment.failed'] as const;

/** Request of `POST /api/webhook/payment-notification` (design 2.6): a hint to look at an order; other fields are dropped. */
export class PaymentNotification {
  @Text({ max: 128, description: 'Of the caller, the same for every try' }) idEvent!: string;
  @Choice(paymentEvents) event!: (typeof paymentEvents)[number];
  @Text({ max: 64 }) orderNumber!: string;
  @Text({ max: 64 }) idStore!: string;
  @Int({ optional: true, min: 0 }) amount?: number;
  @Text({ optional: true, max: 8 }) currency?: string;
  @Text({ optional: true, max: 64 }) paidAt?: string;
  @Text({ optional: true, max: 64 }) provider?: string;
}

export class PaymentOutcome {
  @Text() orderNumber!: string;
  @Choice(orderStates, { description: 'As commerce-api tells it now, whatever the notification says' })
  orderStatus!: OrderState;
  @Flag({ description: 'The buyer was told here' }) notified!: boolean;
  @Flag({ description: 'This state of the order was announced before' }) duplicate!: boolean;
}

export class PaymentReply {
  @Int() status!: number;
  @Text() message!: string;
  @Nested(() => PaymentOutcome) data!: PaymentOutcome;
}
