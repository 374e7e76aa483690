import { cut } from '@platform/runtime';

/** Of the characters beyond Latin-1, those that the standard fonts of PDF have (WinAnsiEncoding, ISO 32000-1 annex D). */
const BEYOND_LATIN_1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const HAS_GLYPH = new RegExp(`^[\\n\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u00ff${BEYOND_LATIN_1}]+$`, 'u');
/** Control characters, marks of direction, soft hyphens, joiners, variation selectors: nothing is seen of them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
/** More than any of our texts; a line is broken in a time that grows with its square. */
const LONGEST = 1000;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const drawn = (segment: string): string => {
  const character = segment.replace(UNSEEN, (sign) => (sign === '\n' ? '\n' : ''));
  if (character === '' || HAS_GLYPH.test(character)) return character;
  if (/^\s+$/u.test(character)) return ' ';
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return HAS_GLYPH.test(plain) ? plain : '?';
};

/**
 * A text as the standard fonts of PDF can draw it: without what is not seen, letters with foreign marks without them, and `?` for each
 * character that the fonts do not have, such as emoji and other scripts. Line breaks stay; what is beyond `LONGEST` is left out.
 */
export const printable = (text: string): string => {
  const whole = cut(text, LONGEST).normalize('NFC');
  return Array.from(graphemes.segment(whole), ({ segment }) => drawn(segment)).join('');
};
