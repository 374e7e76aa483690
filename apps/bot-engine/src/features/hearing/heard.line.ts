import { cut } from '@platform/runtime';
import type { BurstLine, Picture } from '../loop/public';
import type { Heard } from './hearing.types';

export const PICTURE_LABEL = '[gambar]';
export const VOICE_LABEL = '[audio]';
const SPEECH_LABEL = '[suara]';
/** As much as a typed message may have. */
const MOST_CHARACTERS = 4_000;

/** What was made of the files of one message; undefined: nothing. */
export interface Understood {
  readonly pictures: readonly (Picture | undefined)[];
  readonly speeches: readonly (string | undefined)[];
}

const clean = (text: string): string => cut(text.replace(/(?!\n)[\p{Cc}\p{Cs}]/gu, ' ').trim(), MOST_CHARACTERS);

/** A message that is only the caller's name for its file says nothing beside the file. */
const typed = ({ content, images, audio }: Heard): string => {
  const label = images.length > 0 ? PICTURE_LABEL : audio.length > 0 ? VOICE_LABEL : undefined;
  return content.trim() === label ? '' : content;
};

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' ');

/** A message with what its files say: labels for those that nobody understood, and, as it is kept, for every picture. */
export const heardLine = (heard: Heard, { pictures, speeches }: Understood): BurstLine => {
  const seen = pictures.filter((picture) => picture !== undefined);
  const spoken = speeches.map((text) => (text === undefined ? VOICE_LABEL : `${SPEECH_LABEL} ${clean(text)}`));
  const lineOf = (labels: number): string =>
    [joined(...Array<string>(labels).fill(PICTURE_LABEL), typed(heard)), ...spoken].filter(Boolean).join('\n');
  const content = lineOf(pictures.length);
  if (seen.length === 0) return { content };
  return { content, said: lineOf(pictures.length - seen.length), pictures: seen };
};
