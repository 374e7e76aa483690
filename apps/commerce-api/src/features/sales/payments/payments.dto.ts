import { sortsOf } from '@platform/data';
import { Choice, Int, List, Text } from '@platform/validation';
import { MOMENT } from '../../../moment';
import { PageQuery } from '../../../paging';

export const paymentProviders = ['a', 'b', 'c', 'transfer', 'cod', 'cash', 'wallet', 'other'] as const;
/** Money that a person saw: nobody else tells of it. */
export const handMethods = ['cash', 'transfer', 'cod', 'other'] as const;
/** `reversed`: recorded by hand, and taken back. */
export const attemptStates = ['created', 'pending', 'paid', 'failed', 'expired', 'cancelled', 'reversed'] as const;
/** Whose the money is when it comes: the platform's, which owes it to the store, or the store's own. */
export const paymentModes = ['platform', 'direct'] as const;
export type PaymentMode = (typeof paymentModes)[number];
export type PaymentProvider = (typeof paymentProviders)[number];
export type HandMethod = (typeof handMethods)[number];
export type AttemptState = (typeof attemptStates)[number];
const sorts = sortsOf(['created_at']);

export class PaymentsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Choice(attemptStates, { optional: true }) status?: AttemptState;
  @Choice(paymentProviders, { optional: true }) provider?: PaymentProvider;
  @Text({ optional: true, format: 'uuid' }) order_id?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
}

/** Of money that is recorded by hand: who asks again does not record it again, however much later. */
export class PaymentKey {
  @Text({
    ...{ optional: true, description: 'Under one key a payment of an order is recorded once, for ever' },
    ...{ pattern: /^[\x21-\x7e]{1,255}$/, mismatch: { tag: 'format', text: 'must be 1 to 255 printable characters' } },
  })
  'idempotency-key'?: string;
}

/** An attempt to pay an order or a bill (design 2.2). */
export class PaymentRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid', nullable: true }) order_id!: string | null;
  @Text({ format: 'uuid', nullable: true, description: 'A bill of the platform, in place of an order' })
  invoice_id!: string | null;
  @Choice(paymentProviders) provider!: PaymentProvider;
  @Text({ nullable: true, description: 'What the provider was told' }) invoice_number!: string | null;
  @Text({ nullable: true }) provider_ref!: string | null;
  @Text({ nullable: true }) channel!: string | null;
  @Int() amount!: number;
  @Int() fee!: number;
  @Text() currency!: string;
  @Choice(attemptStates) status!: AttemptState;
  @Text({ nullable: true }) url!: string | null;
  @Text({ format: 'instant', nullable: true }) expires_at!: string | null;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
  @Text({ nullable: true, description: 'Why somebody must look at it' }) review_reason!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class PaymentEvent {
  @Text({ format: 'instant' }) at!: string;
  @Text() type!: string;
  @Text() text!: string;
  @Text() actor!: string;
}

export class Payment extends PaymentRow {
  @List(() => PaymentEvent) events!: PaymentEvent[];
}
