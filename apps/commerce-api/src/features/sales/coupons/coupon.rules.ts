import { bigintNumber } from '@platform/data';
import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { Discount } from '../totals/public';
import type { Coupon, CouponReason, NewCoupon } from './coupons.dto';

export const couponRefusals = {
  codeTaken: (): Failure => new Conflict('The code is taken', { code: 'code_taken' }),
  unavailable: (reason: CouponReason): Failure =>
    new Conflict('The coupon cannot be used', { code: 'coupon_unavailable', details: { reason } }),
} as const;

/** As PostgreSQL returns it. */
export interface StoredCoupon extends Omit<Coupon, 'scope' | 'starts_at' | 'ends_at'> {
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly product_ids: string[];
  readonly category_ids: string[];
}

export const couponOf = ({ product_ids, category_ids, ...row }: StoredCoupon): Coupon => ({
  ...row,
  value: bigintNumber.from(row.value),
  max_discount: row.max_discount === null ? null : bigintNumber.from(row.max_discount),
  min_subtotal: bigintNumber.from(row.min_subtotal),
  starts_at: row.starts_at?.toISOString() ?? null,
  ends_at: row.ends_at?.toISOString() ?? null,
  scope: { product_ids, category_ids },
});

/** What people set: how often it was used changes by itself. */
export const editableOf = ({ used_count: _, ...coupon }: Coupon): Omit<Coupon, 'used_count'> => coupon;

/** As the totals count it. */
export const discountOf = (coupon: Coupon): Discount => ({
  couponId: coupon.id,
  code: coupon.auto ? null : coupon.code,
  kind: coupon.kind,
  value: coupon.value,
  buyQty: coupon.buy_qty,
  getQty: coupon.get_qty,
  maxDiscount: coupon.max_discount,
  minSubtotal: coupon.min_subtotal,
  scope: { productIds: coupon.scope.product_ids, categoryIds: coupon.scope.category_ids },
});

/** Why nobody may use it now, whatever the cart. */
export const closedReason = (coupon: Coupon, now: Date): CouponReason | undefined => {
  const { status, starts_at, ends_at, usage_limit, used_count } = coupon;
  if (status === 'archived') return 'unknown';
  if (status === 'paused') return 'paused';
  if (starts_at !== null && now < new Date(starts_at)) return 'not_started';
  if (ends_at !== null && now >= new Date(ends_at)) return 'ended';
  return usage_limit !== null && used_count >= usage_limit ? 'usage_limit' : undefined;
};

const violation = (field: string, tag: string, text: string) => ({ field, tag, message: `${field} ${text}` });

const notIds = (field: string, ids: readonly string[]) => {
  const at = ids.findIndex((id) => !isUuid(id));
  return at < 0 ? [] : [violation(`scope.${field}[${at}]`, 'uuid', 'must be a valid UUID')];
};

/** Throws `InvalidInput` for a coupon that could take nothing off, or more than everything. */
export const refuseSenseless = (coupon: Omit<Coupon, 'id'>): void => {
  const { kind, value, buy_qty, get_qty, usage_limit, used_count, scope } = coupon;
  const isOf = { percent: value >= 1 && value <= 100, fixed: value >= 1, free_shipping: true, buy_get: true };
  const wrong = [
    ...(isOf[kind] ? [] : [violation('value', 'range', kind === 'percent' ? 'must be from 1 to 100' : 'is required')]),
    ...(kind === 'buy_get' && buy_qty === 0 ? [violation('buy_qty', 'required', 'is a required field')] : []),
    ...(kind === 'buy_get' && get_qty === 0 ? [violation('get_qty', 'required', 'is a required field')] : []),
    ...(usage_limit !== null && usage_limit < used_count
      ? [violation('usage_limit', 'min', `must be ${used_count} or greater: so often it was used`)]
      : []),
    ...notIds('product_ids', scope.product_ids),
    ...notIds('category_ids', scope.category_ids),
  ];
  if (wrong.length > 0) throw new InvalidInput(wrong);
};

/** Throws `InvalidInput` unless it ends after it starts. */
export const refuseEmptyWindow = ({ starts_at, ends_at }: Pick<StoredCoupon, 'starts_at' | 'ends_at'>): void => {
  if (starts_at === null || ends_at === null || ends_at > starts_at) return;
  throw new InvalidInput([violation('ends_at', 'gtfield', 'must be after starts_at')]);
};

/** A new coupon with everything that was left out. */
export const completed = ({ code, value = 0, scope, status = 'active', ...given }: NewCoupon) => ({
  ...{ auto: false, buy_qty: 0, get_qty: 0, max_discount: null, min_subtotal: 0 },
  ...{ starts_at: null, ends_at: null, usage_limit: null, used_count: 0, per_contact_limit: null },
  ...given,
  ...{ code: code.toUpperCase(), value, status, scope: { product_ids: [], category_ids: [], ...scope } },
});
