import { wordsIn } from './number.words';
import { readingOf } from './plain.reading';

export interface Token {
  /** In small letters; digits with the marks between them. */
  readonly text: string;
  readonly isDigits: boolean;
  /** What stands between it and the token before. */
  readonly gap: string;
  /** Places in the original text. */
  readonly start: number;
  readonly end: number;
}

const TOKEN = /\d+(?:[.,'’]\d+)*|\p{L}+|[$€¥£%]/gu;

/** The words and numbers of a text as a person reads them, with the way back to where they stand. */
export const tokensOf = (original: string): readonly Token[] => {
  const { text, at } = readingOf(original);
  let before = 0;
  const tokenAt = (word: string, index: number): Token => {
    const gap = text.slice(before, index);
    before = index + word.length;
    const last = at[before - 1] ?? 0;
    const end = last + ((original.codePointAt(last) ?? 0) > 0xffff ? 2 : 1);
    return { text: word, isDigits: /^\d/.test(word), gap, start: at[index] ?? 0, end };
  };
  return [...text.matchAll(TOKEN)].flatMap(({ 0: run, index }) => {
    let from = index;
    return wordsIn(run).map((word) => {
      from += word.length;
      return tokenAt(word, from - word.length);
    });
  });
};

/** What the digits may mean: `1.250` is a thousand, and with a scale behind it maybe one and a quarter. */
export const valuesOfDigits = (text: string, hasScale: boolean): readonly number[] => {
  const groups = text.split(/[.,'’]/);
  const [first = '', ...rest] = groups;
  const last = rest.at(-1) ?? '';
  if (rest.length === 0) return [Number(first)];
  const isGrouped = first.length <= 3 && rest.every(({ length }) => length === 3);
  if (isGrouped)
    return [Number(groups.join('')), ...(hasScale && rest.length === 1 ? [Number(`${first}.${last}`)] : [])];
  const isDecimal = rest.slice(0, -1).every(({ length }) => length === 3) && last.length <= 2;
  return isDecimal ? [Number(`${groups.slice(0, -1).join('')}.${last}`)] : [Number.NaN];
};

/** Groups of three digits, as amounts are written. */
export const isGrouped = (text: string): boolean => /^[1-9]\d{0,2}(?:[.,'’]\d{3})+(?:[.,]\d{2})?$/.test(text);
