import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { request } from 'node:https';
import type { AnyMessageContent, MediaType, proto } from 'baileys';
import type { Library } from './library';
import type { PhoneMedia } from './sandbox.types';

const MAC = 10;

interface EncryptedFile {
  readonly directPath?: string | null;
  readonly mediaKey?: Uint8Array | null;
  readonly fileSha256?: Uint8Array | null;
}

const fileOf = (content: proto.IMessage): [MediaType, EncryptedFile] | undefined => {
  const found: [MediaType, EncryptedFile | null | undefined][] = [
    ['image', content.imageMessage],
    ['video', content.videoMessage],
    ['document', content.documentMessage],
    ['audio', content.audioMessage],
    ['sticker', content.stickerMessage],
  ];
  return found.find((each): each is [MediaType, EncryptedFile] => each[1] != null);
};

const get = (url: string, ca: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const call = request(url, { ca }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks));
        else reject(new Error(`GET ${url} answered ${response.statusCode}.`));
      });
    });
    call.once('error', reject);
    call.end();
  });

/** Fetches and decrypts the file of a message. Throws when its MAC or hash does not match. */
export const downloadFile = async (
  { getMediaKeys }: Library,
  content: proto.IMessage,
  { mediaHost, mediaCa }: { mediaHost: string; mediaCa: string },
): Promise<Buffer> => {
  const [kind, file] = fileOf(content) ?? [];
  if (!kind || !file?.directPath) throw new Error('The message has no file.');
  const { iv, cipherKey, macKey } = await getMediaKeys(file.mediaKey, kind);
  const bytes = await get(`https://${mediaHost}${file.directPath}`, mediaCa);
  const [sealed, mac] = [bytes.subarray(0, -MAC), bytes.subarray(-MAC)];
  const expected = createHmac('sha256', macKey ?? Buffer.alloc(0))
    .update(iv)
    .update(sealed)
    .digest();
  if (!expected.subarray(0, MAC).equals(mac)) throw new Error('The MAC of the file does not fit.');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const plain = Buffer.concat([decipher.update(sealed), decipher.final()]);
  if (
    !createHash('sha256')
      .update(plain)
      .digest()
      .equals(Buffer.from(file.fileSha256 ?? []))
  )
    throw new Error('The hash of the file does not fit.');
  return plain;
};

/** With a thumbnail, a length and a waveform, for which the library would otherwise need an image library and ffmpeg. */
export const mediaContent = ({ kind, bytes, mimetype, caption, fileName }: PhoneMedia): AnyMessageContent => {
  switch (kind) {
    case 'image':
      return { image: bytes, mimetype, caption, jpegThumbnail: '' };
    case 'video':
      return { video: bytes, mimetype, caption, jpegThumbnail: '' };
    case 'document':
      return { document: bytes, mimetype, caption, fileName };
    case 'audio':
      return { audio: bytes, mimetype, seconds: 1 };
    case 'voice':
      return { audio: bytes, mimetype, seconds: 1, ptt: true, ...{ waveform: new Uint8Array(64) } };
    case 'sticker':
      return { sticker: bytes, mimetype };
  }
};
