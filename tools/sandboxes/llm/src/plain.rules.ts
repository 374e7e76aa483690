import { isFactsLine, readStoreFacts } from './facts.reader';
import type { Scene } from './scene';
import { contentWords, isGreeting, isThanks, sentencesOf } from './words';

const ASKS_FOR_WELCOME = /\b(?:sambutan|sapaan|welcome|greeting)\b/i;
const CUSTOMER =
  /(?:nama pelanggan|pelanggan|customer(?:[ _]name)?)["']?\s*[:=]\s*["']?([\p{L}][\p{L} .'-]{0,59}?)(?=["',;.\n]|$)/iu;

export const greeting = ({ system, question, say }: Scene): string => {
  const { name, hours } = readStoreFacts(system);
  return say.greeting(name, hours, CUSTOMER.exec(`${question}\n${system}`)?.[1]?.trim());
};

/** An answer without tools: a greeting, or the sentences of the system prompt that share most words with the question. */
export const plainAnswer = (scene: Scene): string => {
  const { question, system, say } = scene;
  const lastLine = question.split('\n').at(-1) ?? '';
  if (isGreeting(lastLine) || ASKS_FOR_WELCOME.test(lastLine)) return greeting(scene);
  if (isThanks(lastLine)) return say.thanks;
  const asked = new Set(contentWords(question));
  const scored = sentencesOf(system)
    .filter((sentence) => !isFactsLine(sentence))
    .map((sentence) => ({ sentence, score: new Set(contentWords(sentence).filter((word) => asked.has(word))).size }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best > 0)
    return scored
      .filter(({ score }) => score === best)
      .slice(0, 2)
      .map(({ sentence }) => sentence)
      .join(' ');
  return asked.size > 0 ? say.unknown : say.help;
};
