import { cleanText } from './customer.message';

const MAX_BUBBLE = 1000;
const MAX_BUBBLES = 3;
const MAX_ANSWER = 8000;

/** End of a sentence: its mark, then white space. */
const sentences = (text: string): string[] => text.split(/(?<=[.!?…])\s+/);

const words = (text: string): string[] => text.split(/\s+/);

/** Pieces of at most 1,000 characters, cut at sentences, at words where one sentence is longer, inside a word as a last resort. */
const pieces = (text: string): string[] => {
  if (text.length <= MAX_BUBBLE) return [text];
  const parts = sentences(text).flatMap((sentence) => (sentence.length > MAX_BUBBLE ? words(sentence) : [sentence]));
  const cut: string[] = [];
  for (const part of parts.flatMap((word) => word.match(new RegExp(`[^]{1,${MAX_BUBBLE}}`, 'g')) ?? [])) {
    const last = cut.at(-1);
    if (last !== undefined && last.length + part.length < MAX_BUBBLE) cut[cut.length - 1] = `${last} ${part}`;
    else cut.push(part);
  }
  return cut;
};

/** Bubbles of one answer (design 2.2): split on blank lines and above 1,000 characters; a fourth joins the third. */
export const bubblesOf = (text: string): string[] => {
  const all = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .flatMap(pieces);
  const rest = all.slice(MAX_BUBBLES - 1).join('\n\n');
  return [...all.slice(0, MAX_BUBBLES - 1), ...(rest ? [rest] : [])];
};

const bulletOf = (line: string): string => line.replace(/^\s*[*+]\s+/, '- ');
const tableRow = (line: string): string | undefined =>
  /^\s*\|?\s*:?-{3,}/.test(line) && line.includes('|')
    ? undefined
    : /^\s*\|.*\|\s*$/.test(line)
      ? line
          .split('|')
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(' - ')
      : line;

/** Markdown in WhatsApp's syntax (design 3.7): `**x**` to `*x*`, headings and tables to lines, links to their addresses. */
const whatsappStyle = (text: string): string =>
  text
    .split('\n')
    .flatMap((line) => tableRow(line) ?? [])
    .map((line) => bulletOf(line.replace(/^\s*#{1,6}\s+/, '')))
    .join('\n')
    .replace(/!?\[([^\]\n]*)\]\((https?:\/\/[^)\s]+)\)/g, '$1 $2')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/__([^_\n]+)__/g, '_$1_');

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const LEAK = 8;

/** True for a text that repeats 8 or more consecutive words of `secret`. */
const repeats = (text: string, secret: string): boolean => {
  const said = wordsOf(text);
  const runs = said.slice(LEAK - 1).map((_, at) => said.slice(at, at + LEAK).join(' '));
  return runs.some((run) => secret.includes(run));
};

/** Cuts a truncated text after its last whole sentence; without one it stays. */
const untilSentenceEnd = (text: string): string => /^[^]*[.!?…](?=\s|$)/.exec(text)?.[0] ?? text;

/**
 * The part of a model's text that may go to a customer (design 3.7): no sentence that repeats `instructions`, no leaked tool markup,
 * whole sentences when it was truncated. Empty when nothing is left.
 */
export const presentable = (
  text: string,
  { instructions, brokeOff }: { instructions: string; brokeOff: boolean },
): string => {
  const secret = wordsOf(instructions).join(' ');
  const whole = brokeOff ? untilSentenceEnd(text) : text;
  const kept = cleanText(whole, MAX_ANSWER)
    .split('\n')
    .filter((line) => !/<\/?tool/i.test(line))
    .map((line) => {
      const clean = sentences(line).filter((sentence) => !repeats(sentence, secret));
      return clean.length === sentences(line).length ? line : clean.join(' ');
    });
  return whatsappStyle(kept.join('\n')).trim();
};
