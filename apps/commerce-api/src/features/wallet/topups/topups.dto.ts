import { Choice, Int, Money, Text } from '@platform/validation';
import { invoiceStates, type InvoiceState } from '../../billing/invoices/public';

export const LEAST_TOPUP = 10_000;
export const MOST_TOPUP = 100_000_000;

export class NewTopup {
  @Money({ min: LEAST_TOPUP, max: MOST_TOPUP }) amount!: number;
}

/** Money that a store pays into its wallet. */
export class Topup {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) payment_id!: string;
  @Int() amount!: number;
  @Choice(invoiceStates) status!: InvoiceState;
  @Text({ nullable: true, description: 'Where it is paid; null once it is, and while the provider does not answer' })
  url!: string | null;
  @Text({ format: 'instant', nullable: true }) expires_at!: string | null;
}
