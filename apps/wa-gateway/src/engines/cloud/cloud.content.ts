import { parseCallbackNumber } from '@platform/contracts';
import { EngineRefused } from '../engine.errors';
import type { Jid, OutContent } from '../engine.types';

const UNREACHABLE = 'the Cloud API reaches people only, by their number or their business-scoped id';

/** Meta names people by digits, or by their business-scoped id; groups and other hidden identities have no name here. */
export const recipientOf = (to: Jid): { readonly to: string } | { readonly recipient: string } => {
  const address = parseCallbackNumber(to);
  if (address?.kind === 'user') return { to: address.id };
  if (address?.kind === 'bsuid') return { recipient: address.id };
  throw new EngineRefused('WA_NUMBER', UNREACHABLE);
};

const digitsOf = (phone: Jid): string => {
  const address = parseCallbackNumber(phone);
  if (address?.kind === 'user') return address.id;
  throw new EngineRefused('WA_NUMBER', 'a contact is a person with a number');
};

/** What the content refers to, in Meta's ids. */
export interface CloudReferences {
  /** Of the uploaded file. */
  readonly mediaId?: string;
  /** Wamid of the message reacted to. */
  readonly target?: string;
}

type MediaContent = Extract<OutContent, { media: unknown }>;

const mediaMember = ({ kind, caption, media }: MediaContent, id: string | undefined): object => {
  if (kind === 'voice') return { type: 'audio', audio: { id, voice: true } };
  const words = kind === 'audio' || kind === 'sticker' ? {} : { caption };
  const named = kind === 'document' ? { filename: media.fileName } : {};
  return { type: kind, [kind]: { id, ...words, ...named } };
};

const contactMember = (name: string, phone: Jid): object => {
  const digits = digitsOf(phone);
  const card = {
    name: { formatted_name: name, first_name: name },
    phones: [{ phone: `+${digits}`, wa_id: digits, type: 'CELL' }],
  };
  return { type: 'contacts', contacts: [card] };
};

/** `type` and the member named after it (design 5.3). */
export const contentMember = (content: OutContent, { mediaId, target }: CloudReferences): object => {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.text } };
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return { type: 'location', location: { latitude, longitude, name, address } };
    }
    case 'contact':
      return contactMember(content.name, content.phone);
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: target, emoji: content.emoji } };
    case 'poll':
      throw new EngineRefused('UNSUPPORTED', 'the Cloud API has no polls');
    default:
      return mediaMember(content, mediaId);
  }
};
