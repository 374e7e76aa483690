import { randomBytes } from 'node:crypto';
import { jidOf, type MessageKind } from '@platform/contracts';
import type { Jid, MediaRef, NeutralMessage } from '../engine.types';
import type { HeldMessage, Phone } from './simulator.store';

/** What a customer does; `group` says where. */
export type CustomerMessage = { readonly group?: Jid } & (
  | { readonly text: string; readonly quoted?: { readonly id: string; readonly text?: string } }
  | { readonly text: string; readonly editOf: string }
  | { readonly revoked: string }
  | { readonly location: NonNullable<NeutralMessage['location']> }
  /** A file that lies on the network's media servers already. */
  | { readonly media: MediaRef; readonly caption?: string; readonly isSticker?: boolean }
  | { readonly contact: { readonly name: string; readonly phone: string } }
  | { readonly poll: { readonly name: string; readonly options: readonly string[] } }
  | { readonly vote: { readonly id: string; readonly options: readonly string[] } }
  | { readonly reaction: { readonly id: string; readonly emoji: string } }
);

type Words = Pick<NeutralMessage, 'kind' | 'text' | 'caption' | 'location' | 'media' | 'quote' | 'matchedText'> & {
  readonly extras?: object;
};

const LINK = /https?:\/\/[^\s]+/;

/** A phone sends as a document what it cannot show. */
const kindOf = ({ mimetype }: MediaRef): MessageKind =>
  (['image', 'video', 'audio'] as const).find((kind) => mimetype.startsWith(`${kind}/`)) ?? 'document';

/** Only documents have names on WhatsApp. */
const mediaWords = (media: MediaRef, caption?: string, isSticker = false): Words => {
  const kind = isSticker ? 'image' : kindOf(media);
  return { kind, media: kind === 'document' ? media : { ...media, fileName: undefined }, caption };
};

const textWords = (text: string, quoted?: { id: string; text?: string }): Words => {
  const matchedText = LINK.exec(text)?.[0];
  const kind = quoted || matchedText ? 'extendedtext' : 'chat';
  return { kind, text, matchedText, quote: quoted?.text, extras: quoted ? { quotedId: quoted.id } : {} };
};

/** Design 1 row 7: only the contract's six kinds; a sticker is a picture, a contact and a poll are their names. */
const wordsOf = (sent: CustomerMessage): Words | undefined => {
  if ('editOf' in sent) return { ...textWords(sent.text), extras: { editOf: sent.editOf } };
  if ('text' in sent) return textWords(sent.text, sent.quoted);
  if ('media' in sent) return mediaWords(sent.media, sent.caption, sent.isSticker);
  if ('location' in sent) return { kind: 'chat', location: sent.location };
  if ('contact' in sent) return { kind: 'chat', text: sent.contact.name, extras: { contact: sent.contact } };
  if ('poll' in sent) return { kind: 'chat', text: sent.poll.name, extras: { poll: sent.poll } };
  return undefined;
};

/** What the device will hear of it: a message, a reaction, or something that only sockets are told. */
export const composeCustomerMessage = (phone: Phone, sent: CustomerMessage, at: number): HeldMessage => {
  const jid = jidOf({ kind: 'user', id: phone.nohp });
  const id = `3A${randomBytes(9).toString('hex').toUpperCase()}`;
  const where = sent.group === undefined ? { chat: jid } : { chat: sent.group, participant: jid };
  const { chat, ...writer } = where;
  const from = { id, ...where, fromMe: false, name: phone.name, at };
  const words = wordsOf(sent);
  if (words) {
    const { extras = {}, ...fields } = words;
    const raw = { key: { remoteJid: chat, fromMe: false, id, ...writer }, pushName: phone.name, ...extras };
    return { id, chat, content: { message: { ...from, ...fields, raw } } };
  }
  if ('reaction' in sent)
    return { id, chat, content: { reaction: { ...from, target: sent.reaction.id, emoji: sent.reaction.emoji } } };
  const about = { number: chat, fromMe: false, ...writer };
  if ('vote' in sent) return { id, chat, content: { event: 'pollVote', payload: { ...about, ...sent.vote } } };
  const revoked = 'revoked' in sent ? sent.revoked : id;
  return { id, chat, content: { event: 'messageRevoked', payload: { ...about, id: revoked } } };
};
