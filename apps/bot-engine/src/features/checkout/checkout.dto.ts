import { Int, List, Text } from '@platform/validation';

export class CheckoutItem {
  @Text({ max: 64, trim: true, description: 'As a search has shown it' }) sku!: string;
  @Int({ min: 1, max: 999 }) quantity!: number;
}

/** What the model gives to `create_checkout`. Store, customer and prices are none of it. */
export class CreateCheckout {
  @List(() => CheckoutItem, { min: 1, max: 20 }) items!: CheckoutItem[];
  @Text({ max: 120, trim: true }) customerName!: string;
  @Text({ max: 300, trim: true, description: 'Street and number' }) address!: string;
  @Text({ min: 2, max: 80, trim: true, description: 'District and city: `Coblong, Bandung`' }) destination!: string;
  @Text({ optional: true, max: 120, trim: true, description: 'As get_shipping_cost has named it' }) courier?: string;
  @Text({ optional: true, max: 32, trim: true }) coupon?: string;
  @Text({
    optional: true,
    max: 64,
    trim: true,
    description: 'Of the quote, once the customer has agreed to its total in a later message',
  })
  confirmToken?: string;
}

/** What the model gives to `check_payment_status`. */
export class CheckPaymentStatus {
  @Text({ max: 64, trim: true }) orderNumber!: string;
}
