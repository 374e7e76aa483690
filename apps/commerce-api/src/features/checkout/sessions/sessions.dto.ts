import { Choice, Email, Flag, Int, Json, List, Money, Nested, Phone, Slug, Text, clearing } from '@platform/validation';
import { Address } from '../../../address.dto';
import { Utm } from '../../marketing/attribution/public';
import { BuyerInput, paymentMethods, paymentStates, type PaymentState } from '../../sales/orders/public';
import { OrderShipping } from '../../shipping/rates/public';
import { PublicStore } from '../../shop/store/public';
import { LinkSettings, MOST_LINES } from '../links/public';

export const sessionStates = ['open', 'placed', 'abandoned', 'expired'] as const;

export class SessionItem {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
}

/** Of `store_slug` and `link_code` exactly one. */
export class NewSession {
  @Slug({ optional: true }) store_slug?: string;
  @Text({ optional: true, max: 32, trim: true }) link_code?: string;
  @List(() => SessionItem, { optional: true, max: MOST_LINES, description: "The link's lines unless given" })
  items?: SessionItem[];
  @Nested(() => Utm, { optional: true }) utm?: Utm;
  @Text({ optional: true, max: 64, trim: true }) visitor_id?: string;
}

export class SessionItems {
  @List(() => SessionItem, { max: MOST_LINES, description: 'The whole list' }) items!: SessionItem[];
}

class BuyerFields {
  @Nested(() => BuyerInput) buyer!: BuyerInput;
  @Nested(() => Address, { optional: true, description: 'Stays as it is unless given' }) address?: Address;
}

export class SessionBuyer extends clearing(BuyerFields, { address: null }) {}

export class SessionCoupon {
  @Text({ max: 32, trim: true }) code!: string;
}

export class SessionShipping {
  @Text({ format: 'uuid' }) quote_id!: string;
  @Text({ max: 120, trim: true }) option!: string;
}

export class SessionPlacing {
  @Choice(paymentMethods) payment_method!: (typeof paymentMethods)[number];
  @Money({ description: 'What the buyer was told: another total is refused' }) expected_total!: number;
  @Text({ optional: true, max: 500, trim: true }) note?: string;
}

export class CartLineView {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text() name!: string;
  @Json({ description: 'Values by option' }) options!: object;
  @Int({ description: 'Of one piece, at this quantity' }) price!: number;
  @Int() qty!: number;
  @Int({ description: 'price * qty' }) total!: number;
  @Flag({ description: 'Whether so many can be had now' }) available!: boolean;
  @Flag({ description: 'Whether the buyer may change its quantity' }) editable!: boolean;
  @Text({ nullable: true }) image_url!: string | null;
}

export class CartCoupon {
  @Text({ nullable: true, description: 'null: it counted by itself' }) code!: string | null;
  @Int() amount!: number;
  @Text({ nullable: true, description: 'Why the code takes nothing off' }) reason!: string | null;
}

class CartBuyer {
  @Text() name!: string;
  @Phone() phone!: string;
  @Email({ optional: true }) email?: string;
}

/** A way to pay this cart, and what it costs then. */
export class CartMethod {
  @Choice(paymentMethods) code!: (typeof paymentMethods)[number];
  @Int() fee!: number;
  @Int() total!: number;
}

/** The design's Cart (2.2), with the tax, what the link asks for, and what of it may be changed. */
export class CartView {
  @Choice(sessionStates) state!: (typeof sessionStates)[number];
  @Nested(() => PublicStore) store!: PublicStore;
  @Nested(() => LinkSettings) settings!: LinkSettings;
  @List(() => CartLineView) lines!: CartLineView[];
  @Nested(() => CartBuyer, { nullable: true }) buyer!: CartBuyer | null;
  @Nested(() => Address, { nullable: true }) address!: Address | null;
  @Nested(() => OrderShipping, { nullable: true }) shipping!: OrderShipping | null;
  @Nested(() => CartCoupon, { nullable: true }) coupon!: CartCoupon | null;
  @List(() => CartMethod, { description: 'None before it is known how it is sent' }) payment_methods!: CartMethod[];
  @Int() subtotal!: number;
  @Int() discount!: number;
  @Int() shipping_total!: number;
  @Int({ description: 'Of the method it was placed with' }) fee!: number;
  @Int() tax_total!: number;
  @Int() total!: number;
  @Text() currency!: string;
  @Text({ format: 'instant', nullable: true, description: 'null once it is placed' }) expires_at!: string | null;
}

export class StartedCart extends CartView {
  @Text({ description: 'Opens this cart, and is told once' }) token!: string;
}

export class PlacedSession {
  @Text() order_number!: string;
  @Int() total!: number;
  @Text({ nullable: true }) pay_url!: string | null;
  @Text() pay_token!: string;
  @Text({ format: 'instant', nullable: true, description: 'Until when the payment is waited for' })
  expires_at!: string | null;
}

export class SessionStatus {
  @Text({ nullable: true, description: 'null before it is placed' }) order_number!: string | null;
  @Choice(paymentStates, { nullable: true }) payment_status!: PaymentState | null;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
}
