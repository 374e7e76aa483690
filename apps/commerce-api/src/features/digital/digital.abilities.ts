/** What a caller may do with digital products. */
export const digitalAbilities = ['digital.write'] as const;
