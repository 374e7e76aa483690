/** What a caller may do with coupons, orders and their payments. */
export const salesAbilities = [
  ...(['coupon.write', 'order.read', 'order.write', 'order.refund', 'order.export'] as const),
  ...(['payment.read', 'payment.record'] as const),
] as const;
