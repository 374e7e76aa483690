import { segmentsOf, type Span } from './segments';

const LEAK = 8;
const SHORT_LEAK = 3;
/** Sentences of a prompt that speak to the bot; the others are facts, which it is there to tell. */
const SPEAKS_TO_BOT =
  /\b(?:kamu|anda|jangan|jawab\w*|selalu|gunakan|harus|wajib|tugas\w*|instruksi|rahasia|dilarang|you|your|never|always|must|do not|don't|answer|respond|secret|instructions?)\b/i;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** True for a text that repeats `run` or more consecutive words of `secret`. */
const repeats = (said: readonly string[], secret: string, run: number): boolean =>
  said.slice(run - 1).some((_, at) => secret.includes(` ${said.slice(at, at + run).join(' ')} `));

const secretOf = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** What of an agent's prompt is an instruction. */
const instructionsIn = (prompt: string): string =>
  segmentsOf(prompt)
    .map(({ start, end }) => prompt.slice(start, end))
    .filter((sentence) => SPEAKS_TO_BOT.test(sentence))
    .join('\n');

/**
 * The sentences of an answer that repeat 8 or more words of the instructions (design 3.7), or nothing but words of `rules`, which
 * nobody would say by chance.
 */
export const leaks = (text: string, rules: string, prompt: string): Span[] => {
  const [ours, all] = [secretOf(rules), secretOf(`${rules}\n${instructionsIn(prompt)}`)];
  return segmentsOf(text).filter(({ start, end }) => {
    const said = wordsOf(text.slice(start, end));
    return repeats(said, all, LEAK) || (said.length >= SHORT_LEAK && repeats(said, ours, said.length));
  });
};
