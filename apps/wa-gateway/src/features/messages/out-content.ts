import type { MessageKind } from '@platform/contracts';
import type { Capability, MediaRef, NeutralMessage, OutContent } from '../../engines/engine.types';

type MediaContent = Extract<OutContent, { media: MediaRef }>;

export const isMedia = (content: OutContent): content is MediaContent => 'media' in content;

/** What an engine must be able to do to send this. */
export const capabilityOf = ({ kind }: Pick<OutContent, 'kind'>): Capability => kind;

const KINDS: Partial<Record<OutContent['kind'], MessageKind>> = {
  image: 'image',
  sticker: 'image',
  video: 'video',
  document: 'document',
  audio: 'audio',
  voice: 'audio',
};

/** The one of the contract's six values that names it (design 1 row 7). */
export const messageKindOf = ({ kind }: OutContent): MessageKind => KINDS[kind] ?? 'chat';

/** Our message as its receiver would report it: its content as that of an inbound message. */
export const echoOf = (
  content: OutContent,
): Pick<NeutralMessage, 'kind' | 'text' | 'caption' | 'location' | 'media'> => {
  const kind = messageKindOf(content);
  if (isMedia(content)) return { kind, caption: content.caption, media: content.media };
  if (content.kind === 'location') {
    const { latitude, longitude, name, address } = content;
    return { kind, location: { latitude: String(latitude), longitude: String(longitude), name, address } };
  }
  if (content.kind === 'text') return { kind, text: content.text };
  if (content.kind === 'reaction') return { kind, text: content.emoji };
  return { kind, text: content.name };
};
