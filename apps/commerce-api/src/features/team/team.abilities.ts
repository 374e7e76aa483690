/** What guards the routes of this area. */
export const teamAbilities = ['team.manage'] as const;
