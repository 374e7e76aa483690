import { cut, cutToLength } from '@platform/runtime';
import { variablesOf, type MessageEvent, type Variable } from './message.events';

const PLACE = /\{\{([^{}]*)\}\}/g;
/** Characters of one message of a chat. */
const LONGEST = 4_000;
const LONGEST_NAME = 60;

/** These are texts of ours, of more than one line; of all others no line becomes one of the message. */
const LINES: ReadonlySet<string> = new Set<Variable>(['items', 'downloads']);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * A name that somebody typed into a form, who need not be who reads it: letters only, so that nobody has a shop send a link or a number for
 * them.
 */
export const nameOnly = (typed: string): string =>
  cut(oneLine(typed.replace(/[^\p{L}\p{M}\s'’-]/gu, ' ')), LONGEST_NAME).trim();

/** The variables that a body names. Their white space is taken off here: a pattern that did would read the spaces of `{{   x` again and again. */
const namesIn = (body: string): string[] => [...body.matchAll(PLACE)].map(([, name = '']) => name.trim());

/** The variables that a body names and its event has not. */
export const unknownVariables = (event: MessageEvent, body: string): string[] => {
  const known: ReadonlySet<string> = new Set(variablesOf(event));
  return namesIn(body).filter((name) => !known.has(name));
};

/**
 * The text of a body. A value is never read as a body itself; a line whose variables are all empty is left out. Never longer than one message
 * of a chat.
 */
export const render = (body: string, values: Readonly<Record<string, string>>): string => {
  const valueOf = (name: string): string => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    return LINES.has(name) ? value.trim() : oneLine(value);
  };
  const lines = body.split('\n').flatMap((line) => {
    const named = namesIn(line).map(valueOf);
    if (named.length > 0 && named.every((value) => value === '')) return [];
    return [line.replace(PLACE, (_, name: string) => valueOf(name.trim())).trimEnd()];
  });
  return cutToLength(lines.join('\n').trim(), LONGEST);
};
