import { segmentsOf, type Span } from './segments';

const LEAK = 8;
/** Sentences of a prompt that speak to the bot; the others are facts, which it is there to tell. */
const SPEAKS_TO_BOT =
  /\b(?:kamu|anda|jangan|jawab\w*|selalu|gunakan|harus|wajib|tugas\w*|instruksi|rahasia|dilarang|you|your|never|always|must|do not|don't|answer|respond|secret|instructions?)\b/i;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** True for a text that repeats 8 or more consecutive words of `secret`. */
const repeats = (text: string, secret: string): boolean => {
  const said = wordsOf(text);
  return said.slice(LEAK - 1).some((_, at) => secret.includes(` ${said.slice(at, at + LEAK).join(' ')} `));
};

const secretOf = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** What of an agent's prompt is an instruction. */
export const instructionsIn = (prompt: string): string =>
  segmentsOf(prompt)
    .map(({ start, end }) => prompt.slice(start, end))
    .filter((sentence) => SPEAKS_TO_BOT.test(sentence))
    .join('\n');

/** The sentences of an answer that repeat instructions (design 3.7). */
export const leaks = (text: string, instructions: string): Span[] => {
  const secret = secretOf(instructions);
  return segmentsOf(text).filter(({ start, end }) => repeats(text.slice(start, end), secret));
};
