/**
 * How a list seeks the words of `q` in a column of lower case text. LIKE costs a third of ILIKE. Trigrams find names, but hardly tell numbers
 * apart, which have ten letters: a word with four digits in a row is found by these, and compared where no other index can be chosen.
 */
export const soughtIn = (column: `${string}.search_text`) => ({
  words: [`${column} LIKE lower(?)`],
  numbers: `digit_grams(${column}) @> digit_grams(?) AND ${column} || '' LIKE lower(?)`,
});

/** People type a number as they dial it, and with signs between its digits; texts have the digits of E.164. */
const DIALLED = /^(?:\+?62|0)(8\d[\d.-]+)$/;

/** The beginning of a mobile number, however it is written, as texts have it; any other word as it is. */
export const phoneSought = (word: string): string => {
  const [, national] = DIALLED.exec(word) ?? [];
  return national === undefined ? word : `62${national.replace(/\D/g, '')}`;
};
