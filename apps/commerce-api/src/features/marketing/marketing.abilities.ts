/** What a caller may do with pages of links and short links. */
export const marketingAbilities = ['marketing.write'] as const;
