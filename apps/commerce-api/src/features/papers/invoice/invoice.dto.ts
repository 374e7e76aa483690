import { Choice, Int, List, Nested, Text } from '@platform/validation';
import { Address, StoreAddress } from '../../../address.dto';

export const invoiceFormats = ['html', 'json', 'pdf'] as const;
export const invoiceLocales = ['id', 'en'] as const;

export class InvoiceQuery {
  @Choice(invoiceFormats, { optional: true, description: '`html` unless given: a page to be printed' })
  format?: (typeof invoiceFormats)[number];
}

class Seller {
  @Text() name!: string;
  @Text({ nullable: true }) phone!: string | null;
  @Nested(() => StoreAddress, { nullable: true }) address!: StoreAddress | null;
  @Text({ nullable: true, description: 'Tax number' }) npwp!: string | null;
}

class InvoicedBuyer {
  @Text() name!: string;
  @Text() phone!: string;
  @Text({ optional: true }) email?: string;
}

class InvoicedLine {
  @Text() name!: string;
  @Text() sku!: string;
  @Int() price!: number;
  @Int() qty!: number;
  @Int() discount_share!: number;
  @Int() tax!: number;
  @Int({ description: 'price * qty' }) total!: number;
}

class InvoicedCoupon {
  @Text({ nullable: true }) code!: string | null;
  @Int() amount!: number;
}

class InvoicedTax {
  @Choice(['included', 'added']) mode!: 'included' | 'added';
  @Int() rate_bp!: number;
  @Int() base!: number;
}

class PayableAccount {
  @Text() bank!: string;
  @Text() number!: string;
  @Text() holder!: string;
}

/** What is printed of an order, in the language and on the clocks of its store. */
export class OrderInvoice {
  @Text() number!: string;
  @Text({ nullable: true, description: 'Once it is paid' }) receipt_no!: string | null;
  @Choice(invoiceLocales) locale!: (typeof invoiceLocales)[number];
  @Text() timezone!: string;
  @Text() currency!: string;
  @Text() status!: string;
  @Text() payment_status!: string;
  @Text() payment_method!: string;
  @Text({ format: 'instant' }) placed_at!: string;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
  @Nested(() => Seller) store!: Seller;
  @Nested(() => InvoicedBuyer) buyer!: InvoicedBuyer;
  @Nested(() => Address, { nullable: true }) address!: Address | null;
  @List(() => InvoicedLine) lines!: InvoicedLine[];
  @Int() subtotal!: number;
  @Int() discount!: number;
  @Nested(() => InvoicedCoupon, { nullable: true }) coupon!: InvoicedCoupon | null;
  @Int() shipping_total!: number;
  @Int() fee!: number;
  @Int() tax_total!: number;
  @Nested(() => InvoicedTax, { nullable: true }) tax!: InvoicedTax | null;
  @Int() total!: number;
  @Int() paid_total!: number;
  @Int({ description: 'Left to be paid' }) due!: number;
  @List(() => PayableAccount, { description: 'Where to transfer what is due' }) accounts!: PayableAccount[];
}

/** As JSON; the other formats are files. */
export class InvoiceAnswer {
  @Text({ optional: true }) message?: string;
  @Nested(() => OrderInvoice) data!: OrderInvoice;
}
