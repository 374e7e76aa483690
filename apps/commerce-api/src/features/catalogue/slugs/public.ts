import { cut } from '@platform/runtime';

const LONGEST = 60;
const ENDING = 6;

/** The small letters and digits of a name, joined by hyphens; may be empty. */
export const slugWords = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * Slugs for a row by its name, the second for when the first is taken: with the end of the row's own id, so nobody else has it.
 * Names without a letter of a slug get `item`.
 */
export const slugOf = (name: string, id: string): readonly [string, string] => {
  const words = cut(slugWords(name), LONGEST - ENDING - 1).replace(/-$/, '');
  const base = words.length < 3 ? ['item', words].filter(Boolean).join('-') : words;
  return [base, `${base}-${id.slice(-ENDING)}`];
};
