import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { countedLines, inapplicable, totalsOf, type Cart, type CartLine, type Discount } from '../totals/public';
import { closedReason, couponOf, discountOf, type StoredCoupon } from './coupon.rules';
import { COUPON } from './coupons.sql';
import type { Coupon, CouponReason, CouponVerdict } from './coupons.dto';
import { COUNT_OF_PHONE, type Holder } from './redemptions';

/** The code's coupon, whatever its state, and those that count by themselves. */
export const COUPONS_OF_CART = `
  SELECT ${COUPON} FROM coupon c WHERE c.store_id = $1 AND c.code = $2
  UNION ALL
  SELECT ${COUPON} FROM coupon c WHERE c.store_id = $1 AND c.auto AND c.status = 'active' AND c.code IS DISTINCT FROM $2`;

/** Who asks. */
export interface Buying {
  readonly phone?: string | undefined;
  /** An order that is counted anew: its own use is not one too many. */
  readonly holder?: Holder | undefined;
}

/** The order that is not placed yet. */
const NO_ORDER = '00000000-0000-0000-0000-000000000000';

const couponsOf = async (sql: Sql, storeId: string, code: string | undefined): Promise<Coupon[]> =>
  (await sql.prepared<StoredCoupon>('coupons of cart', COUPONS_OF_CART, [storeId, code?.toUpperCase() ?? null])).map(
    couponOf,
  );

const isSpent = async (sql: Sql, storeId: string, coupon: Coupon, { phone, holder }: Buying): Promise<boolean> => {
  if (coupon.per_contact_limit === null || phone === undefined) return false;
  const [counted] = await sql.prepared<{ uses: number }>('coupon uses of phone', COUNT_OF_PHONE, [
    storeId,
    coupon.id,
    phone,
    holder?.orderId ?? NO_ORDER,
  ]);
  return (counted?.uses ?? 0) >= coupon.per_contact_limit;
};

/** As if the order that is counted anew had given its use back. */
const withoutOwnUse = (coupon: Coupon, holder: Holder | undefined): Coupon =>
  coupon.id === holder?.couponId ? { ...coupon, used_count: coupon.used_count - 1 } : coupon;

/** Why this buyer cannot use it now, whatever is in the cart. */
const reasonOf = async (sql: Sql, { storeId, at }: By, coupon: Coupon, buying: Buying) =>
  closedReason(withoutOwnUse(coupon, buying.holder), at) ??
  ((await isSpent(sql, storeId, coupon, buying)) ? 'contact_limit' : undefined);

/** The discounts that a cart may have, and why its code is none of them. */
export interface Discounts {
  readonly discounts: readonly Discount[];
  readonly reason: CouponReason | undefined;
}

/** What may be taken off a cart by its code and by the coupons that count by themselves. */
export const discountsFor = async (
  sql: Sql,
  by: By,
  { code, lines, ...buying }: Buying & { readonly code?: string | undefined; readonly lines: Cart['lines'] },
): Promise<Discounts> => {
  const wanted = code?.toUpperCase();
  const discounts: Discount[] = [];
  let reason: CouponReason | undefined = wanted === undefined ? undefined : 'unknown';
  for (const coupon of await couponsOf(sql, by.storeId, wanted)) {
    const isWanted = coupon.code === wanted;
    const discount = discountOf(coupon);
    const why =
      (await reasonOf(sql, by, coupon, buying)) ?? inapplicable(countedLines({ lines, buyerTags: [] }), discount);
    if (isWanted) reason = why;
    if (why === undefined) discounts.push(isWanted ? { ...discount, code: coupon.code } : discount);
  }
  return { discounts, reason };
};

const NOTHING = { buyerTags: [], shipping: 0, fee: { fixed: 0, percentBp: 0 } };
const NO_TAX: Cart['tax'] = { mode: 'none', rateBp: 0, baseNum: 1, baseDen: 1, shipping: false };

/** What one code takes off a cart, alone. */
export const tryCoupon = async (
  sql: Sql,
  by: By,
  code: string,
  lines: readonly CartLine[],
  phone: string | undefined,
): Promise<CouponVerdict> => {
  const { discounts, reason } = await discountsFor(sql, by, { code, lines, phone });
  if (reason) return { valid: false, discount: 0, reason };
  const alone = discounts.filter((discount) => discount.code === code.toUpperCase());
  return {
    valid: true,
    discount: totalsOf({ ...NOTHING, lines, discounts: alone, tax: NO_TAX }).discount,
    reason: null,
  };
};
