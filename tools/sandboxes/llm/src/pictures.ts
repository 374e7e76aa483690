import { arrayOf, isRecord, recordsOf, textAt, type Json } from './json.reader';
import { tokensOf, type Picture } from './dialogue';
import { WireError } from './wire.errors';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/]*={0,2})$/;
/** What a picture of ordinary size counts at providers, whatever its bytes. */
const PICTURE_TOKENS = 765;

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;

const ofOpenai = (part: Json): Picture => {
  const url = isRecord(part.image_url) ? textAt(part.image_url, 'url') : undefined;
  const [, mediaType, base64] = DATA_URL.exec(url ?? '') ?? [];
  if (mediaType === undefined || base64 === undefined)
    throw new WireError(
      400,
      'invalid',
      'This sandbox reads pictures from data URLs in base64 only, and fetches nothing.',
      {
        param: 'messages',
      },
    );
  return { mediaType, bytes: bytesOf(base64) };
};

const ofAnthropic = (block: Json): Picture => {
  const source = isRecord(block.source) ? block.source : {};
  const [mediaType, data] = [textAt(source, 'media_type'), textAt(source, 'data')];
  if (source.type !== 'base64' || !mediaType || !data)
    throw new WireError(400, 'invalid', 'This sandbox reads pictures in base64 only, and fetches nothing.');
  return { mediaType, bytes: bytesOf(data) };
};

/** The pictures in the content of a message, of either wire format. */
export const picturesIn = (content: unknown): Picture[] =>
  recordsOf(arrayOf(content)).flatMap((part) => {
    if (part.type === 'image_url') return [ofOpenai(part)];
    return part.type === 'image' ? [ofAnthropic(part)] : [];
  });

const withoutPictures = (_: string, value: unknown): unknown =>
  isRecord(value) && (value.type === 'image_url' || value.type === 'image') ? { type: value.type } : value;

/** ceil(bytes / 4) of what is said, and as much for every picture as for any other. */
export const promptTokensOf = (said: unknown, pictures: readonly Picture[]): number =>
  tokensOf(JSON.stringify(said, withoutPictures)) + pictures.length * PICTURE_TOKENS;
