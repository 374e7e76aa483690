import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { InvalidInput, type Violation } from '@platform/errors';
import { LONGEST_KEY, MOST_KEYS } from './keys.dto';

/** `name`: where it stands, told in the text. */
const wrong = (field: string, tag: string, text: string, name = field): Violation => ({
  field,
  tag,
  message: `${name} ${text}`,
});

interface Place {
  readonly field: string;
  readonly name: string;
}

/** As a buyer must type it: nothing that cannot be seen, or it would be sold twice, and nothing that was lost on the way here. */
const UNTYPABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u;

const faultOf = (key: string, { field, name }: Place): Violation[] => {
  if (key === '') return [wrong(field, 'required', 'is blank', name)];
  if (key.length > LONGEST_KEY)
    return [wrong(field, 'max', `must be a maximum of ${LONGEST_KEY} characters in length`, name)];
  return UNTYPABLE.test(key) ? [wrong(field, 'printable', 'has characters that nobody can type', name)] : [];
};

/** More of them tell nothing new. */
const MOST_VIOLATIONS = 20;

/** The keys of a list without the white space around them. Throws `InvalidInput`, in which no key is told. */
export const checkedKeys = (list: readonly string[], placeOf: (at: number) => Place): string[] => {
  const keys = list.map((key) => key.trim());
  const violations = keys.flatMap((key, at) => faultOf(key, placeOf(at)));
  if (violations.length > 0) throw new InvalidInput(violations.slice(0, MOST_VIOLATIONS));
  return keys;
};

const textOf = (bytes: Buffer): string => {
  try {
    // Without the mark at its beginning
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidInput([wrong('file', 'utf8', 'must be a text in UTF-8')]);
  }
};

/** One key a line, whatever ends it; blank lines are none. Throws `InvalidInput`. */
export const keysIn = async (path: string): Promise<string[]> => {
  const lines = textOf(await readFile(path)).split(/\r\n|\r|\n/);
  const numbered = lines.flatMap((line, at) => (line.trim() === '' ? [] : [{ line, at }]));
  if (numbered.length === 0) throw new InvalidInput([wrong('file', 'min', 'has no keys')]);
  if (numbered.length > MOST_KEYS)
    throw new InvalidInput([wrong('file', 'max', `must contain at maximum ${MOST_KEYS} keys`)]);
  return checkedKeys(
    numbered.map(({ line }) => line),
    (nth) => ({ field: 'file', name: `file line ${(numbered[nth]?.at ?? 0) + 1}` }),
  );
};

/** By which the same key is known again, of one product. */
export const keyHash = (productId: string, key: string): string =>
  createHash('sha256').update(`${productId.toLowerCase()} ${key}`).digest('hex');

/** What is shown of a key: never more than half. Whole characters, also those of two units. */
export const endOf = (key: string): string => {
  const characters = [...key];
  const shown = Math.min(4, Math.floor(characters.length / 2));
  return shown === 0 ? '' : characters.slice(-shown).join('');
};
