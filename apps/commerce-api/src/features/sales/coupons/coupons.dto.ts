import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Money, Nested, Phone, Text, Texts, clearing } from '@platform/validation';
import { Seen } from '../../../web/seen';
import { PageQuery } from '../../../paging';
import type { DiscountKind } from '../totals/public';

const UUIDS = { optional: true, max: 200, maxLength: 36 };
const MOST_USES = 100_000_000;
const COUNT = { optional: true, min: 1, max: MOST_USES };
const UNITS = { optional: true, min: 1, max: 1_000 };
const MOMENT = 'A time without an offset, or a day, is that of the store';

export const couponKinds = ['percent', 'fixed', 'free_shipping', 'buy_get'] as const satisfies DiscountKind[];
export const couponStates = ['active', 'paused', 'archived'] as const;
export const reasons = [
  'unknown',
  'paused',
  'not_started',
  'ended',
  'min_subtotal',
  'scope',
  'usage_limit',
  'contact_limit',
] as const;
export type CouponReason = (typeof reasons)[number];
export type CouponState = (typeof couponStates)[number];
const sorts = sortsOf(['created_at', 'code', 'used_count']);

export class CouponsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in the code' }) q?: string;
  @Choice(couponStates, { optional: true, description: 'All but archived ones unless given' }) status?: CouponState;
}

export class Scope {
  @Texts({ ...UUIDS }) product_ids?: string[];
  @Texts({ ...UUIDS, description: 'Categories below them count too' }) category_ids?: string[];
}

class CouponFields {
  @Flag({ optional: true, description: 'Counts without its code' }) auto?: boolean;
  @Int({ ...UNITS, description: 'Of every `buy_qty` + `get_qty` pieces `get_qty` are free' }) buy_qty?: number;
  @Int(UNITS) get_qty?: number;
  @Money({ optional: true, min: 1 }) max_discount?: number;
  @Money({ optional: true }) min_subtotal?: number;
  @Text({ optional: true, format: 'instant', description: MOMENT }) starts_at?: string;
  @Text({ optional: true, format: 'instant', description: `${MOMENT}; a day is the last one` })
  ends_at?: string;
  @Int(COUNT) usage_limit?: number;
  @Int({ ...COUNT, description: 'By phone number' }) per_contact_limit?: number;
  @Nested(() => Scope, { optional: true, description: 'Everything unless given' }) scope?: Scope;
}

export class NewCoupon extends CouponFields {
  @Text<string>({
    ...{ trim: true, pattern: /^[A-Za-z0-9_-]{3,32}$/ },
    mismatch: { tag: 'code', text: 'must be 3 to 32 letters, digits, hyphens or underscores' },
    description: 'Kept in upper case',
  })
  code!: string;
  @Choice(couponKinds) kind!: DiscountKind;
  @Money({ optional: true, description: 'Percent from 1 to 100, or an amount; required for these kinds' })
  value?: number;
  @Choice(['active', 'paused'], { optional: true }) status?: 'active' | 'paused';
}

/** What is left out stays as it is, null takes a limit away; the code and the kind stay for ever. */
export class CouponChange extends clearing(CouponFields, {
  ...{
    max_discount: null,
    min_subtotal: 0,
    starts_at: null,
    ends_at: null,
    usage_limit: null,
    per_contact_limit: null,
  },
  scope: { product_ids: [], category_ids: [] },
}) {
  @Money({ optional: true }) value?: number;
  @Choice(['active', 'paused'], { optional: true }) status?: 'active' | 'paused';
}

/** The form of a coupon. */
export class CouponEdit extends CouponChange {
  @Seen() seen!: string;
}

class ScopeView {
  @Texts() product_ids!: string[];
  @Texts() category_ids!: string[];
}

/** The design's Coupon (2.2). */
export class Coupon {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Flag() auto!: boolean;
  @Choice(couponKinds) kind!: DiscountKind;
  @Int() value!: number;
  @Int() buy_qty!: number;
  @Int() get_qty!: number;
  @Int({ nullable: true }) max_discount!: number | null;
  @Int() min_subtotal!: number;
  @Text({ format: 'instant', nullable: true }) starts_at!: string | null;
  @Text({ format: 'instant', nullable: true }) ends_at!: string | null;
  @Int({ nullable: true }) usage_limit!: number | null;
  @Int() used_count!: number;
  @Int({ nullable: true }) per_contact_limit!: number | null;
  @Nested(() => ScopeView) scope!: ScopeView;
  @Choice(couponStates) status!: CouponState;
}

export class CartItem {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
}

export class CouponTest {
  @Text({ max: 32, trim: true }) code!: string;
  @List(() => CartItem, { min: 1, max: 100 }) items!: CartItem[];
  @Phone({ optional: true, description: 'Whose limit is asked for' }) contact_phone?: string;
}

export class CouponVerdict {
  @Flag() valid!: boolean;
  @Int({ description: 'What it takes off these items; free shipping takes nothing off them' }) discount!: number;
  @Choice(reasons, { nullable: true, description: 'Why it does not count' }) reason!: CouponReason | null;
}

export class UsagesQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

/** An order that holds, has used or gave back a coupon. */
export class CouponUsage {
  @Text({ format: 'uuid' }) order_id!: string;
  @Text() order_number!: string;
  @Text() phone!: string;
  @Int() amount!: number;
  @Choice(['held', 'used', 'released']) state!: 'held' | 'used' | 'released';
  @Text({ format: 'instant' }) at!: string;
}
