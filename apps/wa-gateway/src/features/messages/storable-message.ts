import { storable } from '@platform/runtime';
import type { MediaRef, NeutralMessage } from '../../engines/engine.types';

/** UTF-16 units that receivers accept of a text. */
const LONGEST = 65_536;
/** The same of a file's name and type, which stand in headers too. */
const LONGEST_NAME = 255;

/** An emoji is two units: of one at the cut nothing is kept. */
const bounded = (text: string, longest = LONGEST): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');

const boundedTexts = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? bounded(value) : value,
    ]),
  ) as T;

/** The engine's key of the file is no foreign text, and worth nothing in part. */
const boundedFile = ({ key, mimetype, fileName, ...rest }: MediaRef): MediaRef => ({
  ...{ ...rest, key, mimetype: bounded(mimetype, LONGEST_NAME) },
  ...(fileName === undefined ? {} : { fileName: bounded(fileName, LONGEST_NAME) }),
});

/** The message with every foreign text in a form that tables and receivers take (architecture section 6). */
export const storableMessage = (message: NeutralMessage): NeutralMessage => {
  const { location, media, ...rest } = storable(structuredClone(message));
  return {
    ...boundedTexts(rest),
    ...(location ? { location: boundedTexts(location) } : {}),
    ...(media ? { media: boundedFile(media) } : {}),
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
