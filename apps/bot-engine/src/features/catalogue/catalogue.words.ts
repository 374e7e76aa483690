const WORD = /[\p{L}\p{N}'-]+/gu;

/** Ours: PostgreSQL's `indonesian` has no stop words (design 3.9). */
const STOP = new Set(
  (
    'dan di ke dengan itu ini untuk saya kak sis gan min ada apakah masih mau cari dong ready ga gak yg brp berapa harga ' +
    'harganya buat ya nya bisa warna ukuran hp'
  ).split(' '),
);

/** Longer ones are no words that a person writes; an index row of PostgreSQL has a limit too. */
const LONGEST_WORD = 40;
const MOST_WORDS = 24;

/** The words of a text in lower case, in their order. */
export const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).filter(({ length }) => length <= LONGEST_WORD);

/** The words by which products are looked for, each once; nothing for a text of stop words alone. */
export const searchWords = (text: string): string[] =>
  [...new Set(wordsOf(text).filter((word) => !STOP.has(word) && /[\p{L}\p{N}]/u.test(word)))].slice(0, MOST_WORDS);

/** The words of a product that misspelt ones are corrected to: at least three letters, no numbers. */
export const vocabularyOf = ({ name, category }: { readonly name: string; readonly category: string }): string[] =>
  wordsOf(`${name} ${category}`).filter((word) => word.length >= 3 && !/^[\d'-]+$/.test(word));
