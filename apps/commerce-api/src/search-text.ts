/** So many of the fours of a number find it: those at its end, for that is where numbers differ. */
const MOST_FOURS = 4;

/**
 * How a list seeks the words of `q` in a column of lower case text; $1 is the store. LIKE costs a third of ILIKE. Trigrams find names, but
 * hardly tell numbers apart, which have ten letters: a word with four digits in a row is found by these, and compared where no other index
 * can be chosen.
 */
export const soughtIn = (column: `${string}.search_text`) => ({
  words: [`${column} LIKE lower(?)`],
  numbers: `store_digits(${column.replace('search_text', 'store_id')}, ${column})
    @> (store_digits($1, ?))[cardinality(store_digits($1, ?)) - ${MOST_FOURS - 1}:] AND ${column} || '' LIKE lower(?)`,
});

/** People type a number as they dial it, and with signs between its digits; texts have the digits of E.164. */
const DIALLED = /^(?:\+?62|0)(8\d[\d.-]+)$/;

/** The beginning of a mobile number, however it is written, as texts have it; any other word as it is. */
export const phoneSought = (word: string): string => {
  const [, national] = DIALLED.exec(word) ?? [];
  return national === undefined ? word : `62${national.replace(/\D/g, '')}`;
};
