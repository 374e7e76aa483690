/** What a caller may do with checkout links and the carts of buyers. */
export const checkoutAbilities = ['checkout.write'] as const;
