import { sortsOf } from '@platform/data';
import { Choice, Email, Int, List, Money, Nested, Phone, Text, Texts } from '@platform/validation';
import { MOMENT } from '../../../moment';
import { Address } from '../../../address.dto';
import { PageQuery } from '../../../paging';
import { Attribution } from '../../marketing/attribution/public';
import { OrderDelivery } from '../../digital/rights/public';
import { Refund } from '../refunds/public';
import { handMethods, PaymentRow, type HandMethod } from '../payments/public';
import { fulfillmentStates, Shipment, type FulfillmentState } from '../../shipping/parcels/public';
import { OrderShipping, ShippingChoice } from '../../shipping/rates/public';

export const channels = ['chat', 'bot', 'storefront', 'link', 'manual'] as const;
export const orderStates = ['draft', 'open', 'processing', 'completed', 'cancelled'] as const;
export const paymentStates = [
  ...(['unpaid', 'pending', 'partially_paid', 'paid', 'partially_refunded', 'refunded'] as const),
  ...(['expired', 'failed', 'review'] as const),
] as const;
export const paymentMethods = ['cash', 'transfer', 'cod', 'a', 'b', 'c'] as const;
const orderViews = ['to_ship', 'unpaid', 'review'] as const;
export type OrderState = (typeof orderStates)[number];
export type PaymentState = (typeof paymentStates)[number];
const sorts = sortsOf(['created_at', 'total']);

export class OrdersQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in number, name or phone' })
  q?: string;
  @Choice(orderStates, { optional: true }) status?: OrderState;
  @Choice(paymentStates, { optional: true }) payment_status?: PaymentState;
  @Choice(fulfillmentStates, { optional: true }) fulfillment_status?: FulfillmentState;
  @Choice(orderViews, {
    optional: true,
    description:
      '`to_ship`: paid, or to be paid at the door, and some of its goods are still to be sent; `unpaid`: open, and not all of it is paid; `review`: somebody must look at its payment',
  })
  view?: (typeof orderViews)[number];
  @Choice(['pending'], { optional: true, description: 'Its buyer has shown a transfer that nobody has looked at' })
  proof?: 'pending';
  @Choice(channels, { optional: true }) channel?: (typeof channels)[number];
  @Text({ optional: true, format: 'uuid' }) assignee_id?: string;
  @Text({ optional: true, format: 'uuid' }) contact_id?: string;
  @Text({ optional: true, format: 'uuid' }) warehouse_id?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
  @Text({ optional: true, max: 32, trim: true }) number?: string;
}

export class BuyerInput {
  @Text({ max: 200, trim: true }) name!: string;
  @Phone() phone!: string;
  @Email({ optional: true }) email?: string;
}

export class OrderItemInput {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
  @Text({ optional: true, max: 200, trim: true }) note?: string;
}

/** What an order costs follows from these. */
export class OrderCalculation {
  @List(() => OrderItemInput, { min: 1, max: 100 }) items!: OrderItemInput[];
  @Nested(() => Address, { optional: true }) address?: Address;
  @Nested(() => ShippingChoice, { optional: true }) shipping?: ShippingChoice;
  @Text({ optional: true, max: 32, trim: true }) coupon?: string;
  @Choice(paymentMethods) payment_method!: (typeof paymentMethods)[number];
  @Choice(['chat', 'manual'], { optional: true, description: '`manual` unless given' }) channel?: 'chat' | 'manual';
  @Text({ optional: true, max: 500, trim: true }) note?: string;
  @Text({ optional: true, format: 'uuid', description: 'The default one first unless given' }) warehouse_id?: string;
  @Text({ optional: true, format: 'uuid' }) assignee_id?: string;
  @Money({ optional: true, description: 'What the buyer was told: another total is refused' }) expected_total?: number;
}

/** Of `contact` and `contact_id` exactly one. */
export class NewOrder extends OrderCalculation {
  @Nested(() => BuyerInput, { optional: true, description: 'Becomes a contact by its number' }) contact?: BuyerInput;
  @Text({ optional: true, format: 'uuid', description: 'Instead of `contact`' }) contact_id?: string;
}

export class OrderLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text() name!: string;
  @Text() sku!: string;
  @Int() price!: number;
  @Int() qty!: number;
  @Int() discount_share!: number;
  @Int() tax!: number;
  @Int({ description: 'price * qty' }) total!: number;
  @Int() weight_g!: number;
  @Text({ nullable: true }) image_url!: string | null;
}

export class OrderItem extends OrderLine {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ nullable: true }) note!: string | null;
}

export class OrderCoupon {
  @Text({ nullable: true, description: 'null: it counted by itself' }) code!: string | null;
  @Int() amount!: number;
}

export class OrderTax {
  @Choice(['included', 'added']) mode!: 'included' | 'added';
  @Int() rate_bp!: number;
  @Int() base!: number;
}

class Amounts {
  @Int() subtotal!: number;
  @Int() discount!: number;
  @Nested(() => OrderCoupon, { nullable: true }) coupon!: OrderCoupon | null;
  @Int() shipping_total!: number;
  @Int() fee!: number;
  @Int() tax_total!: number;
  @Nested(() => OrderTax, { nullable: true }) tax!: OrderTax | null;
  @Int() total!: number;
}

export class OrderWarning {
  @Choice(['coupon_unavailable']) code!: 'coupon_unavailable';
  @Text() reason!: string;
}

export class Calculated extends Amounts {
  @List(() => OrderLine) lines!: OrderLine[];
  @List(() => OrderWarning) warnings!: OrderWarning[];
}

class Buyer {
  @Text() name!: string;
  @Text() phone!: string;
  @Text({ optional: true }) email?: string;
}

export class OrderNote {
  @Text({ format: 'uuid' }) id!: string;
  @Text() text!: string;
  @Text() author!: string;
  @Text({ format: 'instant' }) created_at!: string;
}

/** A row of the list of orders (design 2.2). */
export class OrderRow extends Amounts {
  @Text({ format: 'uuid' }) id!: string;
  @Text() number!: string;
  @Choice(channels) channel!: (typeof channels)[number];
  @Choice(orderStates) status!: OrderState;
  @Choice(paymentStates) payment_status!: PaymentState;
  @Choice(fulfillmentStates) fulfillment_status!: FulfillmentState;
  @Text({ format: 'uuid', nullable: true }) contact_id!: string | null;
  @Nested(() => Buyer) buyer!: Buyer;
  @Nested(() => Address, { nullable: true }) address!: Address | null;
  @Nested(() => OrderShipping, { nullable: true }) shipping!: OrderShipping | null;
  @Choice(paymentMethods) payment_method!: (typeof paymentMethods)[number];
  @Text({ nullable: true }) note!: string | null;
  @Int() paid_total!: number;
  @Int() refunded_total!: number;
  @Text({ nullable: true, description: 'Given when all is paid, without gaps in a store and year' })
  receipt_no!: string | null;
  @Text({ nullable: true, description: 'Why somebody must look at its payment' }) review_reason!: string | null;
  @Nested(() => Attribution, { nullable: true, description: 'From where its buyer came; null: nobody knows' })
  attribution!: Attribution | null;
  @Text() currency!: string;
  @Text({ format: 'uuid', nullable: true }) assignee_id!: string | null;
  @Text({ format: 'uuid', nullable: true }) warehouse_id!: string | null;
  @Int() version!: number;
  @Text({ format: 'instant' }) placed_at!: string;
  @Text({
    format: 'instant',
    nullable: true,
    description: 'Then it is cancelled unless somebody has paid; null: it does not wait',
  })
  pay_expires_at!: string | null;
  @Text({ format: 'instant', nullable: true }) paid_at!: string | null;
  @Text({ format: 'instant', nullable: true }) completed_at!: string | null;
  @Text({ format: 'instant', nullable: true }) cancelled_at!: string | null;
}

/** The picture of a transfer, which `GET /api/upload` shows to who may see it. */
export class OrderProof {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) media_id!: string;
  @Int({ nullable: true, description: 'null: all that was due' }) amount!: number | null;
  @Text({ nullable: true }) bank!: string | null;
  @Choice(['pending', 'approved', 'rejected']) status!: 'pending' | 'approved' | 'rejected';
  @Text({ nullable: true, description: 'User id' }) reviewer!: string | null;
  @Text({ nullable: true }) note!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class Order extends OrderRow {
  @List(() => OrderItem) items!: OrderItem[];
  @List(() => Shipment) shipments!: Shipment[];
  @List(() => OrderNote) notes!: OrderNote[];
  @List(() => PaymentRow) payments!: PaymentRow[];
  @List(() => Refund, { description: 'Money that was given back, or is to be' }) refunds!: Refund[];
  @List(() => OrderProof, { description: 'Transfers that were shown, the first first' }) proofs!: OrderProof[];
  @List(() => OrderDelivery, { description: 'Downloads and licence keys, once it is paid' })
  deliveries!: OrderDelivery[];
}

/** The same for whoever may ask its buyer to pay. */
export class OrderView extends Order {
  @Text({ nullable: true, description: 'Where its buyer pays it; null: nothing is to be paid, or no more' })
  pay_url!: string | null;
}

export class OrderEvent {
  @Text({ format: 'instant' }) at!: string;
  @Text() type!: string;
  @Text() text!: string;
  @Text() actor!: string;
}

export class Cancellation {
  @Text({ max: 200, visible: true, trim: true }) reason!: string;
}

export class OrderStatusChange {
  @Text({ format: 'uuid' }) order_id!: string;
  @Choice(['open', 'processing', 'completed', 'cancelled']) status!: Exclude<OrderState, 'draft'>;
  @Text({ optional: true, max: 200, trim: true }) note?: string;
}

/** The first registration, which the second one answers for. */
export class LegacyPaymentStatus {
  @Text({ format: 'uuid' }) order_id!: string;
  @Choice(['paid', 'unpaid']) status!: 'paid' | 'unpaid';
}

export class PaymentStatusChange extends LegacyPaymentStatus {
  @Choice(handMethods, { optional: true, description: 'Required for `paid`' }) method?: HandMethod;
  @Money({ optional: true, min: 1, description: 'All that is due unless given; less is a down payment' })
  amount?: number;
  @Text({ optional: true, format: 'instant', description: 'Now unless given' }) paid_at?: string;
  @Text({ optional: true, max: 500, trim: true }) note?: string;
}

/** An order as it is to be, whole. */
export class OrderEdit extends NewOrder {
  @Int({ min: 1, description: 'As it was read' }) version!: number;
}

export class Assignment {
  @Text({ optional: true, format: 'uuid', description: 'An active member' }) user_id?: string;
  @Text({ optional: true, format: 'uuid', description: 'From where it is sent: its stock moves along' })
  warehouse_id?: string;
}

export class NoteInput {
  @Text({ max: 2000, visible: true, trim: true }) text!: string;
}

class Period {
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
}

export class OrderStatisticsQuery extends Period {}

/** The orders of one status that were placed in the period. */
export class OrderStatistic {
  @Choice(orderStates) status!: OrderState;
  @Int() orders!: number;
  @Int() total!: number;
  @Int() paid_total!: number;
}

export class OrderExportQuery extends Period {
  @Choice(orderStates, { optional: true }) status?: OrderState;
  @Choice(paymentStates, { optional: true }) payment_status?: PaymentState;
}

export class BulkStatus {
  @Texts({ min: 1, max: 200, maxLength: 36 }) ids!: string[];
  @Choice(['open', 'processing', 'completed', 'cancelled']) status!: Exclude<OrderState, 'draft'>;
}

export class BulkStatusFailure {
  @Text() id!: string;
  @Text() code!: string;
}

export class BulkStatusResult {
  @Texts() changed!: string[];
  @List(() => BulkStatusFailure) failed!: BulkStatusFailure[];
}
