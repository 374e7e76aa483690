/** What a caller may do with coupons and orders. */
export const salesAbilities = ['coupon.write', 'order.read', 'order.write', 'order.export'] as const;
