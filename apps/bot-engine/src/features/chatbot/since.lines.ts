import type { Opened } from '../conversations/public';
import type { HistoryLine } from '../loop/public';
import type { CustomerMessage, SpokenLine } from './customer.message';

export interface NewSince {
  readonly lines: readonly HistoryLine[];
  /** Place of the last one. */
  readonly seq?: number;
}

const MAX_LINES = 20;

const lineOf = ({ role, content }: SpokenLine): HistoryLine =>
  role === 'customer' ? { role: 'user', content } : { role: 'assistant', content: `[tim] ${content}` };

const textOf = ({ role, content }: HistoryLine): string => `${role} ${content}`;

/**
 * What was said in the chat and not posted here, as lines of the conversation: each once, however often it is sent. A place
 * in the chat tells that; where there is none, the same words do.
 */
export const newSince = (messages: readonly CustomerMessage[], { sinceSeq = -1, lines: known }: Opened): NewSince => {
  const own = new Set(messages.flatMap(({ seq }) => seq ?? []));
  const placed = new Map<number, SpokenLine>();
  const loose = new Map<string, HistoryLine>();
  const said = new Set(known.map(textOf));
  for (const line of messages.flatMap(({ since }) => since))
    if (line.seq !== undefined) {
      if (line.seq > sinceSeq && !own.has(line.seq)) placed.set(line.seq, line);
    } else if (!said.has(textOf(lineOf(line)))) loose.set(textOf(lineOf(line)), lineOf(line));
  const inPlace = [...placed].toSorted(([one], [other]) => one - other);
  const lines = [...loose.values(), ...inPlace.map(([, line]) => lineOf(line))].slice(-MAX_LINES);
  return { lines, seq: inPlace.at(-1)?.[0] };
};
