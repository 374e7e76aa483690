/** UTF-16 units, as everywhere where a text's length has a limit. */
export const CHUNK = 800;
/** Short paragraphs are joined up to here: a piece that answers is found better than one that also says much else. */
const JOINED = 400;
/** A paragraph without an end, such as a heading: it belongs to what follows. */
const HEADING = 80;

/** A text without any end is taken in parts: V8 has no room to look back over megabytes, and throws. */
const SENTENCES = /[^.!?…。؟\n]{1,4000}(?:[.!?…。؟]+["'”’)]*|\n|$)?\s*/gu;

/** The text in pieces of at most `CHUNK`, cut where it must be: never through a pair of surrogates. */
const pieces = function* (text: string): Generator<string> {
  let rest = text;
  while (rest.length > CHUNK) {
    const space = rest.lastIndexOf(' ', CHUNK);
    const half = /[\ud800-\udbff]/.test(rest.charAt(CHUNK - 1)) ? CHUNK - 1 : CHUNK;
    const end = space > 0 ? space : half;
    yield rest.slice(0, end).trim();
    rest = rest.slice(end).trim();
  }
  if (rest) yield rest;
};

/** Joins parts by `between` as long as the result is at most `limit` long. */
const packed = (parts: Iterable<string>, between: string, limit: number): string[] => {
  const made: string[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    const isHeading = last !== undefined && last.length <= HEADING && !/[.!?:;]$/.test(last);
    if (last !== undefined && last.length + between.length + part.length <= (isHeading ? CHUNK : limit))
      made[made.length - 1] = last + between + part;
    else made.push(part);
  }
  return made;
};

const sentencesOf = (paragraph: string): string[] =>
  [...(paragraph.match(SENTENCES) ?? [])].flatMap((sentence) => [...pieces(sentence.trim())]).filter(Boolean);

const shortened = (paragraph: string): string[] =>
  paragraph.length <= CHUNK ? [paragraph] : packed(sentencesOf(paragraph), ' ', CHUNK);

/** A tidy text in pieces of at most 800 characters, at the ends of paragraphs, else of sentences, else of words (design 4). */
export const chunksOf = (text: string): string[] => {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.trim());
  return packed(paragraphs.filter(Boolean).flatMap(shortened), '\n', JOINED);
};

/** What parts them in the text at most. */
const BETWEEN = 2;

/** The same; undefined for more than `most`. A text that cannot be so few is not cut up to find that out: megabytes of it hold up the process. */
export const chunksWithin = (text: string, most: number): string[] | undefined => {
  if (text.length > most * (CHUNK + BETWEEN)) return undefined;
  const chunks = chunksOf(text);
  return chunks.length > most ? undefined : chunks;
};
