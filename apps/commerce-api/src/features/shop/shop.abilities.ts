/** What guards the routes of this area. */
export const shopAbilities = ['settings.read', 'settings.write', 'token.write'] as const;
