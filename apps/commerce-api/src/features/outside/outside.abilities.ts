/** What guards the routes of this area, beside the settings'. */
export const outsideAbilities = ['pixel.write', 'domain.write'] as const;
