import { sortsOf, type Audit } from '@platform/data';
import { Choice, Int, Text } from '@platform/validation';

const MONEY = 1_000_000_000_000;
const CODE = /^[A-Z0-9_-]{3,32}$/;
export const couponStates = ['active', 'paused'] as const;
const sorts = sortsOf(['created_at', 'code', 'value']);

/** Who calls, as recorded in the audit log of every write. */
export interface Caller {
  readonly storeId: string;
  readonly actor: Audit['actor'];
}

export class CouponsQuery {
  @Choice(sorts, { optional: true }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true }) q?: string;
  @Int({ optional: true, min: 1, max: 1_000_000 }) page?: number;
  @Int({ optional: true, min: 1, max: 100 }) per_page?: number;
  @Choice(couponStates, { optional: true }) status?: (typeof couponStates)[number];
  @Int({ optional: true, min: 0, max: MONEY }) value_min?: number;
}

export class NewCoupon {
  @Text({ pattern: CODE }) code!: string;
  @Int({ min: 1, max: MONEY }) value!: number;
  @Int({ optional: true, min: 1, max: 1_000_000 }) usage_limit?: number;
}

export class CouponChange {
  @Int({ optional: true, min: 1, max: MONEY }) value?: number;
  @Choice(couponStates, { optional: true }) status?: (typeof couponStates)[number];
}

export class Coupon {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Int() value!: number;
  @Choice(couponStates) status!: (typeof couponStates)[number];
  @Int() used!: number;
  @Int({ nullable: true }) usage_limit!: number | null;
  @Text({ format: 'instant' }) created_at!: string;
}
