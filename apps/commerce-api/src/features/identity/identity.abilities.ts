/** What guards the routes of this area. */
export const identityAbilities = ['logs.read'] as const;
