/** What a caller may do with the ways in which a store is paid. */
export const payingAbilities = ['payment.settings'] as const;
