/** Places in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a sentence or a line ends; the white space behind it is its own. A row of marks is read from its first one, or it takes the square of its length. */
const END = /(?<![.!?…])[.!?…]+["')\]*_]*\s+|\n\s*/g;

const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** The sentences and lines of a text without gaps between them. None ends inside one of `whole`. */
export const segmentsOf = (text: string, whole: readonly Span[] = []): Span[] => {
  const ends = [...text.matchAll(END)].map(({ 0: mark, index }) => index + mark.length);
  const allowed = ends.filter((end) => end < text.length && !whole.some((span) => span.start < end && end < span.end));
  return [...allowed, text.length].map((end, n, all) => ({ start: all[n - 1] ?? 0, end }));
};

/** Announces what follows: `Ada kak:`. */
const announces = (segment: string): boolean => /:\s*$/.test(segment);
const isListed = (segment: string | undefined): boolean => /^\s*(?:[-•*]|\d+[.)])/.test(segment ?? '');

/**
 * The text without the sentences and lines that hold one of `bad`, which they may also span; nor with what announced them,
 * when nothing of it is left.
 */
export const without = (text: string, bad: readonly Span[]): string => {
  if (bad.length === 0) return text;
  const segments = segmentsOf(text, bad).map((segment) => ({
    words: text.slice(segment.start, segment.end),
    isBad: bad.some((span) => overlaps(segment, span)),
  }));
  const kept = segments.filter(({ words, isBad }, n) => {
    if (isBad || !announces(words) || !segments[n + 1]?.isBad) return !isBad;
    return isListed(segments.slice(n + 1).find((next) => !next.isBad)?.words);
  });
  return kept.map(({ words }) => words).join('');
};
