/** The bot engine signs its calls: no ability guards its door. */
export const botAbilities = [] as const;
