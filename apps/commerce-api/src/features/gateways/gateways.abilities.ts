/** What a caller may do with what providers have told. */
export const gatewaysAbilities = ['logs.replay'] as const;
