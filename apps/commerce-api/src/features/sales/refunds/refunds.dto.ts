import { Choice, Int, List, Money, Nested, Text } from '@platform/validation';

/** `provider`: as it was paid; `payout`: from the wallet to a bank account; `manual`: the shop has given it back itself. */
export const refundMethods = ['provider', 'payout', 'manual'] as const;
export type RefundMethod = (typeof refundMethods)[number];
export const refundStates = ['requested', 'processing', 'succeeded', 'failed'] as const;
export type RefundState = (typeof refundStates)[number];

export class RefundLineInput {
  @Text({ format: 'uuid' }) order_item_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
  @Text({
    ...{ optional: true, format: 'uuid' },
    description: 'Warehouse where pieces that were not packed go back on the shelf; sent ones come back by a return',
  })
  restock_to?: string;
}

export class RefundBank {
  @Text({
    max: 20,
    pattern: /^[A-Z0-9_]+$/,
    mismatch: { tag: 'format', text: 'must be a code of `GET /wallet/banks`' },
  })
  bank_code!: string;
  @Text({ pattern: /^\d{5,34}$/, mismatch: { tag: 'format', text: 'must be 5 to 34 digits' } }) number!: string;
  @Text({ max: 100, trim: true }) holder!: string;
}

export class RefundInput {
  @Money({ optional: true, min: 1, description: 'All that is left unless given; not with `lines`' }) amount?: number;
  @List(() => RefundLineInput, {
    optional: true,
    min: 1,
    max: 100,
    description: 'What they are worth, of an order that was paid in full; not with `amount`',
  })
  lines?: RefundLineInput[];
  @Text({ max: 200, visible: true, trim: true }) reason!: string;
  @Choice(refundMethods) method!: RefundMethod;
  @Nested(() => RefundBank, { optional: true, description: 'Of a payout' }) bank?: RefundBank;
}

/** Money that goes back to a buyer (design 2.2). */
export class Refund {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) order_id!: string;
  @Text({ format: 'uuid' }) payment_id!: string;
  @Text({ nullable: true, description: 'Of a succeeded one, without gaps in a store and year' }) credit_no!:
    string | null;
  @Int() amount!: number;
  @Int({ description: 'Of the amount' }) tax!: number;
  @Choice(refundMethods) method!: RefundMethod;
  @Choice(refundStates, { description: 'Only what has succeeded counts' }) status!: RefundState;
  @Text() reason!: string;
  @Text({ nullable: true, description: 'Why it has failed' }) failure!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}
