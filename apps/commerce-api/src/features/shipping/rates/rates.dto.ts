import { Choice, Flag, Int, List, Money, Text } from '@platform/validation';

export const shippingKinds = ['courier', 'flat', 'pickup', 'cod'] as const;
export type ShippingKind = (typeof shippingKinds)[number];

export class RatesItem {
  @Text({ optional: true, format: 'uuid', requiredWithout: ['sku'] }) variant_id?: string;
  @Text({ optional: true, max: 64, trim: true }) sku?: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
}

export class RatesAsked {
  @List(() => RatesItem, { min: 1, max: 100 }) items!: RatesItem[];
  @Text({ optional: true, max: 64, trim: true, requiredWithout: ['destination'], description: 'Of the area search' })
  area_id?: string;
  @Text({ optional: true, max: 80, trim: true, description: 'Names of the place: `Coblong, Bandung`' })
  destination?: string;
  @Text({ optional: true, format: 'uuid', description: 'From where' }) warehouse_id?: string;
  @Flag({ optional: true, description: 'Only what can be paid when it arrives' }) cod?: boolean;
}

/** A way to send a cart, at a price that its quote keeps for ten minutes. */
export class RateOption {
  @Text({ format: 'uuid' }) quote_id!: string;
  @Text({ description: 'Its name in the quote' }) option!: string;
  @Choice(shippingKinds) kind!: ShippingKind;
  @Text({ nullable: true }) courier!: string | null;
  @Text({ nullable: true }) service!: string | null;
  @Text() name!: string;
  @Money() cost!: number;
  @Text({ nullable: true }) etd_days!: string | null;
  @Flag({ description: 'It can be paid when it arrives' }) cod!: boolean;
}

/** How a buyer wants it: an option of a quote, one of the store's methods, or fetched. No price: it follows. */
export class ShippingChoice {
  @Text({ optional: true, format: 'uuid', description: 'Of `/shipping/rates`, with an `option`' }) quote_id?: string;
  @Text({ optional: true, max: 120, trim: true }) option?: string;
  @Text({ optional: true, format: 'uuid', description: 'Of `/shipping/methods`' }) method_id?: string;
  @Choice(['pickup'], { optional: true }) kind?: 'pickup';
}

/** How an order is sent. */
export class OrderShipping {
  @Choice(shippingKinds) kind!: ShippingKind;
  @Text({ nullable: true }) courier!: string | null;
  @Text({ nullable: true, description: 'Of the courier, or the name of the own method' }) service!: string | null;
  @Text({ nullable: true }) etd!: string | null;
}
