import { UnsupportedMedia } from '@platform/errors';
import { mediaTypeOf } from '@platform/http';
import { normalized, storable } from '@platform/runtime';
import { textOfHtml } from './html.text';

/** What a file is, as its bytes show it. */
export type DocumentKind = 'pdf' | 'text' | 'html';

const UTF16 = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

const encodingOf = (bytes: Buffer): string =>
  UTF16.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0] ?? 'utf-8';

/** Whatever its name says. Throws `UnsupportedMedia` for everything that is not read here. */
export const kindOf = (bytes: Buffer): DocumentKind => {
  if (encodingOf(bytes) !== 'utf-8') return 'text';
  const { mimetype } = mediaTypeOf(bytes);
  if (mimetype === 'application/pdf') return 'pdf';
  if (mimetype === 'text/plain') return 'text';
  if (mimetype === 'text/html') return 'html';
  throw new UnsupportedMedia('the file is neither a PDF nor a text');
};

const BREAK = /\r\n?|[\u2028\u2029]/g;
const UNSEEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text as it is kept: storable, without control characters other than line ends, and without directions that hide something. */
export const tidy = (text: string): string =>
  normalized(storable(text), 'NFC')
    .replace(BREAK, '\n')
    .replace(UNSEEN, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ \n ?|\n /g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The text of a text file or a page. Throws `UnsupportedMedia` for bytes that are no text. */
export const decodedText = (bytes: Buffer, kind: 'text' | 'html'): string => {
  let text: string;
  try {
    text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnsupportedMedia('the file is not a text in UTF-8', { cause });
  }
  return tidy(kind === 'html' ? textOfHtml(text) : text);
};
