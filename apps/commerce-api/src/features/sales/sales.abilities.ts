/** What a caller may do with coupons. */
export const salesAbilities = ['coupon.write'] as const;
