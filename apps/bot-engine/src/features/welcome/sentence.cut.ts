import { cut } from '@platform/runtime';

/** The end of a sentence: its marks, then white space or nothing. */
const END = /[.!?…]+(?=\s|$)/gu;

/** At most so many characters: whole sentences where one fits, else whole words, else as much of the word as there is room for. */
export const cutAtSentence = (text: string, characters: number): string => {
  const whole = cut(text, Infinity).trim();
  const head = cut(whole, characters);
  if (head === whole) return whole;
  const ends = [...whole.matchAll(END)].map(({ 0: marks, index }) => index + marks.length);
  const sentence = ends.findLast((end) => end <= head.length);
  if (sentence !== undefined) return whole.slice(0, sentence);
  if (/^\s/.test(whole.slice(head.length))) return head.trimEnd();
  return head.replace(/\s+\S*$/u, '') || head;
};
