/** What a caller may read of how a store does. */
export const reportsAbilities = ['report.read'] as const;
