/** What a caller may do in the catalogue. */
export const catalogueAbilities = ['product.read'] as const;
