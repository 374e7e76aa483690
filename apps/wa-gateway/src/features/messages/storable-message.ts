import { cut, storable } from '@platform/runtime';
import type { NeutralMessage } from '../../engines/engine.types';

/** UTF-16 units; what receivers take of a text. */
const LONGEST = 65_536;

const bounded = (text: string): string => (text.length > LONGEST ? cut(text.slice(0, LONGEST), LONGEST) : text);

const boundedTexts = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? bounded(value) : value,
    ]),
  ) as T;

/** The message with all that strangers wrote in it as tables and receivers take it (architecture section 6). */
export const storableMessage = (message: NeutralMessage): NeutralMessage => {
  const { location, media, ...rest } = storable(structuredClone(message));
  return {
    ...boundedTexts(rest),
    ...(location ? { location: boundedTexts(location) } : {}),
    ...(media ? { media: boundedTexts(media) } : {}),
  };
};

/** Stands for a message that the database refuses for ever: that one came, from whom, and why nobody can read it. */
export const unreadable = (
  { id, chat, participant, fromMe }: NeutralMessage,
  { now, reason }: { now: Date; reason: string },
): NeutralMessage => ({
  id,
  chat,
  ...(participant ? { participant } : {}),
  fromMe,
  // That of the message may be what was refused
  at: Math.floor(now.getTime() / 1000),
  kind: 'chat',
  text: '',
  raw: { unreadable: reason },
});
