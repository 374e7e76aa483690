/** What a caller may do with the plan of a store. */
export const billingAbilities = ['billing.write'] as const;
