import { fitsUse, type MediaUse } from '@platform/http';
import { TooLarge } from '@platform/errors';
import { refusals } from '../../refusals';

const MEGABYTE = 1024 * 1024;

/** Design 2.2: sizes that WhatsApp takes. */
const LARGEST: Readonly<Record<MediaUse, number>> = {
  image: 16 * MEGABYTE,
  video: 16 * MEGABYTE,
  audio: 16 * MEGABYTE,
  voice: 16 * MEGABYTE,
  document: 100 * MEGABYTE,
  sticker: MEGABYTE,
};

/** Bytes that a file of this kind may have; `maxMegabytes` (MEDIA_MAX_MB) lowers it. */
export const largest = (use: MediaUse, maxMegabytes: number): number => Math.min(LARGEST[use], maxMegabytes * MEGABYTE);

/** Throws when WhatsApp would not take this file as `use`: its size, then what its first bytes say. */
export const checkMedia = (use: MediaUse, file: { mimetype: string; size: number }, maxMegabytes: number): void => {
  if (file.size > largest(use, maxMegabytes)) throw new TooLarge('file too large');
  if (!fitsUse(use, file.mimetype)) throw refusals.mediaType();
};
