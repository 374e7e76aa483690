import type { Readable } from 'node:stream';
import { nohpOf, parseCallbackNumber } from '@platform/contracts';
import type { AnyMessageContent, WAMessageKey } from 'baileys';
import type { Jid, MediaRef, OutContent } from '../engine.types';

type Media = Extract<OutContent, { media: MediaRef }>;

export interface ContentParts {
  readonly open: (key: string) => Readable;
  /** The key of the message that a reaction is for. */
  readonly keyOf: (id: string) => Promise<WAMessageKey>;
}

const escaped = (text: string): string => text.replace(/([\\;,])/g, '\\$1').replace(/\r?\n/g, '\\n');

/** vCard 3.0 (RFC 2426); `waid` makes the number one that can be written to. */
export const vcardOf = (name: string, phone: Jid): string => {
  const address = parseCallbackNumber(phone);
  const number = address ? nohpOf(address) : '';
  const lines = [`FN:${escaped(name)}`, `TEL;type=CELL;type=VOICE;waid=${number}:+${number}`];
  return ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\n');
};

/** An empty thumbnail: without one the library calls an image library or ffmpeg. */
const NO_THUMBNAIL = { jpegThumbnail: '' };

const mediaContent = ({ kind, media, caption }: Media, stream: Readable): AnyMessageContent => {
  const { mimetype, fileName = media.key } = media;
  switch (kind) {
    case 'image':
      return { image: { stream }, mimetype, caption, ...NO_THUMBNAIL };
    case 'video':
      return { video: { stream }, mimetype, caption, ...NO_THUMBNAIL };
    case 'document':
      return { document: { stream }, mimetype, fileName, caption };
    case 'audio':
      return { audio: { stream }, mimetype };
    case 'voice':
      return { audio: { stream }, mimetype: 'audio/ogg; codecs=opus', ptt: true };
    case 'sticker':
      return { sticker: { stream }, mimetype };
  }
};

/** Our content in the library's words. */
export const libraryContent = async (
  content: OutContent,
  { open, keyOf }: ContentParts,
): Promise<AnyMessageContent> => {
  switch (content.kind) {
    case 'text':
      // Without this the library fetches the first address of the text for a preview
      return { text: content.text, linkPreview: null };
    case 'location': {
      const { latitude: degreesLatitude, longitude: degreesLongitude, name, address } = content;
      return { location: { degreesLatitude, degreesLongitude, name, address } };
    }
    case 'contact': {
      const { name: displayName, phone } = content;
      return { contacts: { displayName, contacts: [{ displayName, vcard: vcardOf(displayName, phone) }] } };
    }
    case 'poll':
      return { poll: { name: content.name, values: [...content.options], selectableCount: content.selectable } };
    case 'reaction':
      return { react: { text: content.emoji, key: await keyOf(content.id) } };
    default:
      return mediaContent(content, open(content.media.key));
  }
};
