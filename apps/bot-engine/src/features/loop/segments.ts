/** Places in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What is made when it is asked for, and then kept. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Where a sentence or a line ends; the white space behind it is its own. A row of marks is read from its first one, or it takes the square of its length. */
const END = /(?<![.!?…])[.!?…]+["')\]*_]*\s+|\n\s*/g;

/** Which of so many that rise is the first above `least`. */
const firstAbove = (count: number, valueAt: (n: number) => number, least: number): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > least) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Which of the ends lie within one of the spans: an answer may hold thousands of both. */
const within = (ends: readonly number[], spans: readonly Span[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const endAt = (n: number): number => ends[n] ?? Infinity;
  for (const { start, end } of spans)
    for (let n = firstAbove(ends.length, endAt, start); endAt(n) < end; n += 1) found.add(n);
  return found;
};

/** The sentences and lines of a text without gaps between them. None ends inside one of `whole`. */
export const segmentsOf = (text: string, whole: readonly Span[] = []): Span[] => {
  const ends = [...text.matchAll(END)].map(({ 0: mark, index }) => index + mark.length);
  const inner = within(ends, whole);
  const allowed = ends.filter((end, n) => end < text.length && !inner.has(n));
  return [...allowed, text.length].map((end, n, all) => ({ start: all[n - 1] ?? 0, end }));
};

/** Of segments as `segmentsOf` gives them, the one that holds a place. */
export const segmentAt = <T extends Span>(segments: readonly T[], place: number): T | undefined =>
  segments[firstAbove(segments.length, (n) => segments[n]?.end ?? Infinity, place)];

/** Announces what follows: `Ada kak:`. */
const announces = (segment: string): boolean => /:\s*$/.test(segment);
const isListed = (segment: string | undefined): boolean => /^\s*(?:[-•*]|\d+[.)])/.test(segment ?? '');

/**
 * The text without the sentences and lines that hold one of `bad`, which they may also span; nor with what announced them,
 * when nothing of it is left.
 */
export const without = (text: string, bad: readonly Span[]): string => {
  if (bad.length === 0) return text;
  const parts = segmentsOf(text, bad);
  // No part ends within one of `bad`: each lies in the one in which it begins
  const isBad = new Set(bad.map(({ start }) => segmentAt(parts, start)));
  const segments = parts.map((part) => ({ words: text.slice(part.start, part.end), isBad: isBad.has(part) }));
  const kept = segments.filter(({ words, isBad }, n) => {
    if (isBad || !announces(words) || !segments[n + 1]?.isBad) return !isBad;
    return isListed(segments.slice(n + 1).find((next) => !next.isBad)?.words);
  });
  return kept.map(({ words }) => words).join('');
};
