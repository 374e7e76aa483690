/**
 * What customers write and what shops write, for all stores: the list of design 3.9, and words of shop policies whose stems
 * PostgreSQL's dictionary does not bring together. Read by a migration: additions belong in a migration of their own.
 */
export const GLOBAL_SYNONYMS: readonly (readonly [word: string, expand: string])[] = [
  ['pampers', 'popok'],
  ['sunscreen', 'tabir surya'],
  ['jilbab', 'kerudung'],
  ['headset', 'earphone'],
  ['wajan', 'panci'],
  ['jins', 'jeans'],
  ['cas', 'charger'],
  ['itm', 'hitam'],
  ['itam', 'hitam'],
];
