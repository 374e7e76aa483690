/** Places in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a sentence or a line ends; the white space behind it is its own. */
const END = /[.!?…]+["')\]*_]*\s+|\n\s*/g;

const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** The sentences and lines of a text without gaps between them. None ends inside one of `whole`. */
export const segmentsOf = (text: string, whole: readonly Span[] = []): Span[] => {
  const ends = [...text.matchAll(END)].map(({ 0: mark, index }) => index + mark.length);
  const allowed = ends.filter((end) => end < text.length && !whole.some((span) => span.start < end && end < span.end));
  return [...allowed, text.length].map((end, n, all) => ({ start: all[n - 1] ?? 0, end }));
};

/** The text without the sentences and lines that hold one of `bad`, which they may also span. */
export const without = (text: string, bad: readonly Span[]): string => {
  if (bad.length === 0) return text;
  const kept = segmentsOf(text, bad).filter((segment) => !bad.some((span) => overlaps(segment, span)));
  return kept.map(({ start, end }) => text.slice(start, end)).join('');
};
