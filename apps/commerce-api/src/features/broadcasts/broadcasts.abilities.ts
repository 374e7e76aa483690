/** What a caller may do with broadcasts. */
export const broadcastAbilities = ['broadcast.send'] as const;
