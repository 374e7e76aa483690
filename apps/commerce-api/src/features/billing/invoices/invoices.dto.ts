import { Choice, Int, List, Text } from '@platform/validation';

export const invoiceKinds = ['subscription', 'addon', 'topup'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];
export const invoiceStates = ['draft', 'open', 'paid', 'expired', 'void'] as const;
export type InvoiceState = (typeof invoiceStates)[number];

export class InvoiceLine {
  @Text() text!: string;
  @Int({ min: 1 }) qty!: number;
  @Int({ description: 'Of the whole line; below 0 what is credited' }) amount!: number;
}

/** A bill of the platform to a store, or what a store pays in (design 2.2). */
export class Invoice {
  @Text({ format: 'uuid' }) id!: string;
  @Text() number!: string;
  @Choice(invoiceKinds) kind!: InvoiceKind;
  @List(() => InvoiceLine) lines!: InvoiceLine[];
  @Int() amount!: number;
  @Text() currency!: string;
  @Choice(invoiceStates) status!: InvoiceState;
  @Text({ format: 'instant', nullable: true }) due_at!: string | null;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
  @Text({ nullable: true, description: 'Where it can be paid now' }) url!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}
