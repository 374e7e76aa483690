import type Sharp from 'sharp';
import { RENDITIONS, type RenditionName } from '../../../renditions';

/** Pixels of a picture of a phone at its finest. */
const MOST_PIXELS = 64_000_000;
/** Of one that must be held whole before its first line is known: beyond them it takes the memory of the process. */
const MOST_HELD = 25_000_000;
const SECONDS = 20;
const QUALITY = { webp: 75, jpeg: 78 };
/** Every other format of the library stays shut: it is native code that reads what strangers send. */
const READ = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

let loaded: typeof Sharp | undefined;
/** Loaded on the first use: most processes never need it, and no start waits for it. */
const sharp = (): typeof Sharp => {
  if (loaded) return loaded;
  const library = require('sharp') as typeof Sharp;
  library.cache(false);
  library.concurrency(1);
  library.block({ operation: ['VipsForeignLoad'] });
  library.unblock({ operation: READ });
  loaded = library;
  return library;
};

/** Frames of a PNG, which are told before its pixels. The library reads the first one alone. */
const movesAsPng = (bytes: Buffer): boolean => bytes.subarray(0, bytes.indexOf('IDAT')).includes('acTL');

/**
 * A picture as a rendition: upright as its camera was held, without what else the camera told (place, time, owner), and never larger than it
 * was. Throws for what is no picture, moves, is broken, or would unpack to more than a process can bear.
 */
export const pictureAs = async (original: Buffer, name: RenditionName): Promise<Buffer> => {
  const { width, mimetype } = RENDITIONS[name];
  const picture = sharp()(original, { limitInputPixels: MOST_PIXELS, failOn: 'error', autoOrient: true });
  const { width: across, height: down, pages = 1, format, isProgressive } = await picture.metadata();
  if (pages > 1 || (format === 'png' && movesAsPng(original))) throw new Error('it moves');
  if (isProgressive && across * down > MOST_HELD) throw new Error('it takes too much memory');
  const resized = picture.resize({ width, withoutEnlargement: true }).timeout({ seconds: SECONDS });
  return mimetype === 'image/webp'
    ? resized.webp({ quality: QUALITY.webp }).toBuffer()
    : resized.flatten({ background: '#fff' }).jpeg({ quality: QUALITY.jpeg }).toBuffer();
};
