/** What a caller may do in the catalogue. */
export const catalogueAbilities = ['product.read', 'product.write', 'category.write'] as const;
