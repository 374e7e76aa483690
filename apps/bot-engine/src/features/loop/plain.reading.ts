/** The same place in both texts: what a letter or mark of another script looks like. */
const pairs = (others: string, plain: string): [string, string][] =>
  [...others].map((other, n): [string, string] => [other, plain[n] ?? '']);
/** Rows of numbers from 1 to 10 in a circle that no normal form opens. */
const CIRCLED = [0x24f5, 0x2776, 0x2780, 0x278a];
const circled = CIRCLED.flatMap((first) =>
  Array.from({ length: 10 }, (_, n): [string, string] => [String.fromCodePoint(first + n), String(n + 1)]),
);
/** Letters of other alphabets that look like those of money words, marks of other scripts within numbers, and numbers that are pictures. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...pairs('авьсԁеһіјкмпорѕтг', 'abbcdehijkmnopstr'),
  ...pairs('αβικορτυ', 'abikoptu'),
  ...pairs('ᴀʙᴅɪᴊᴋɴᴏᴘʀᴛᴜ', 'abdijknoprtu'),
  ...pairs('٬·٫٪⓿', '..,%0'),
  ...circled,
  ['🔟', '10'],
]);
/** Marks that WhatsApp shows as style, or not at all. */
const STYLE = /[*_~`\p{M}\p{Cf}\p{Cs}\u115f\u1160\u3164\uffa0]/u;
const DIGIT = /\p{Nd}/u;
/** Letters in the place of zeros: `Rp1.OOO`. */
const ZEROS = /(?<=\d[.,]?)o{1,3}(?!\p{L})/gu;

/** The digit that a character of any script is. */
const digitOf = (character: string): string => {
  const code = character.codePointAt(0) as number;
  // Decimal digits stand in rows of ten that begin with zero; the row begins where the digits before it end
  let zero = code;
  while (zero > 0 && code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
};

/** Letters of a character that stands for some. One that stands for a sentence, as of prayers in Arabic, says nothing of money: a text of them would be read 18 times as long. */
const MOST_LETTERS = 5;

const plainOf = (character: string): string => {
  if (character < '\u0080') return character.toLowerCase();
  const plain = character.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  if (plain.length > MOST_LETTERS) return character;
  return [...plain.toLowerCase()]
    .map((one) => (/[^0-9]/.test(one) && DIGIT.test(one) ? digitOf(one) : (LOOKALIKES.get(one) ?? one)))
    .join('');
};

export interface Reading {
  /** As a person reads it: small letters, plain digits, without marks that are not seen. */
  readonly text: string;
  /** Where each character of `text` comes from in the original. */
  readonly at: readonly number[];
}

/** How a text looks to its reader, whatever characters it is written in; with the way back. */
export const readingOf = (original: string): Reading => {
  let text = '';
  const at: number[] = [];
  let offset = 0;
  for (const character of original) {
    const plain = STYLE.test(character) ? '' : plainOf(character);
    for (let n = 0; n < plain.length; n += 1) at.push(offset);
    text += plain;
    offset += character.length;
  }
  return { text: text.replace(ZEROS, (letters) => '0'.repeat(letters.length)), at };
};

/** The reading alone. */
export const plainText = (original: string): string => readingOf(original).text;
