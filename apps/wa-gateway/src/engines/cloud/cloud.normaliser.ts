import { jidOf, parseCallbackNumber, type DeliveryStatus, type MessageKind } from '@platform/contracts';
import type { Jid, MediaRef, NeutralMessage, NeutralReaction } from '../engine.types';
import { foreignId } from '../foreign-id';
import type { CloudContact, CloudFile, CloudMessage, CloudStatus } from './cloud.webhook.types';

/** Statuses of a webhook; `failed` is no level. The value `played` is assumed (design 5.3). */
const LEVELS: Readonly<Record<string, DeliveryStatus | undefined>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'viewed',
  played: 'played',
};
export const levelOf = ({ status = '' }: CloudStatus): DeliveryStatus | undefined => LEVELS[status];

export const secondsOf = (timestamp: string | undefined, now: Date): number => {
  const seconds = Number(timestamp);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : Math.floor(now.getTime() / 1000);
};

/** How Meta names somebody: by the number, by the business-scoped id, or by both. */
export interface Named {
  readonly digits: string | undefined;
  readonly userId: string | undefined;
}

export const bsuidOf = ({ userId = '' }: Named): Jid | undefined => {
  const address = parseCallbackNumber(`${userId}@bsuid`);
  return address && jidOf(address);
};

/** By the number; somebody who hides it by the business-scoped id. What is neither is an address that no receiver takes. */
export const chatOf = (named: Named): Jid => {
  const { digits, userId } = named;
  return digits ? `${foreignId(digits)}@s.whatsapp.net` : (bsuidOf(named) ?? foreignId(userId ?? ''));
};

type Facts = Pick<NeutralMessage, 'kind' | 'text' | 'caption' | 'matchedText' | 'location' | 'media'>;

const mediaOf = ({ id = '', mime_type: mimetype = 'application/octet-stream', filename }: CloudFile): MediaRef => ({
  key: id,
  mimetype: mimetype.split(';')[0] ?? mimetype,
  ...(filename ? { fileName: filename } : {}),
});

const KINDS = { image: 'image', sticker: 'image', video: 'video', audio: 'audio', document: 'document' } as const;

const fileOf = (message: CloudMessage): Facts | undefined => {
  const type = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((name) => message.type === name);
  const file = type && message[type];
  return type && file && { kind: KINDS[type] satisfies MessageKind, caption: file.caption, media: mediaOf(file) };
};

const wordsOf = ({ text, button, interactive, contacts }: CloudMessage): string | undefined =>
  text?.body ??
  button?.text ??
  interactive?.button_reply?.title ??
  interactive?.list_reply?.title ??
  contacts?.map(({ name }) => name?.formatted_name).join(', ');

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"]+/;

const factsOf = (message: CloudMessage): Facts => {
  const file = fileOf(message);
  if (file) return file;
  const { location, text, context } = message;
  if (location) {
    const { latitude = 0, longitude = 0, name, address } = location;
    return { kind: 'chat', location: { latitude: String(latitude), longitude: String(longitude), name, address } };
  }
  const matchedText = text?.body === undefined ? undefined : URL_IN_TEXT.exec(text.body)?.[0];
  const isExtended = text !== undefined && (matchedText !== undefined || context?.id !== undefined);
  return { kind: isExtended ? 'extendedtext' : 'chat', text: wordsOf(message), matchedText };
};

/** A contact who is somebody else says nothing of who wrote; one that stands alone and goes by another spelling of the number, the name at most. */
const writerOf = (message: CloudMessage, contacts: readonly CloudContact[] = []) => {
  const { from, from_user_id: userId } = message;
  const own = contacts.find(({ wa_id, user_id }) => (from && wa_id === from) || (userId && user_id === userId));
  const only = contacts.length === 1 ? contacts[0] : undefined;
  const { user_id: told } = own ?? (from ? undefined : only) ?? {};
  return { named: { digits: from, userId: userId ?? told }, name: (own ?? only)?.profile?.name };
};
/** Who wrote it. */
export const writerNamed = (message: CloudMessage, contacts: readonly CloudContact[] | undefined): Named =>
  writerOf(message, contacts).named;

export interface Surroundings {
  /** Of its writer, by number whenever that is known. */
  readonly chat: Jid;
  /** Of its writer, by what hides the number. */
  readonly hidden?: Jid | undefined;
  /** Since when its number is known, where only that is remembered. */
  readonly since?: number | undefined;
  readonly contacts?: readonly CloudContact[];
  /** Words of the message that this one answers. */
  readonly quote?: string;
  readonly now: Date;
}

/** Design 2.6, column Cloud API. */
export const messageOf = (
  message: CloudMessage,
  { chat, hidden, since, contacts, quote, now }: Surroundings,
): NeutralMessage => ({
  id: foreignId(message.id),
  chat,
  name: writerOf(message, contacts).name,
  fromMe: false,
  at: secondsOf(message.timestamp, now),
  ...factsOf(message),
  quote,
  raw: { ...message, ...(hidden && { lid: hidden }), ...(since !== undefined && { lidSince: since }) },
});

/** `target`: the message reacted to, by our id when it was ours. */
export const reactionOf = (
  message: CloudMessage,
  target: string,
  { chat, contacts, now }: Surroundings,
): NeutralReaction => ({
  id: foreignId(message.id),
  chat,
  name: writerOf(message, contacts).name,
  fromMe: false,
  at: secondsOf(message.timestamp, now),
  target,
  emoji: message.reaction?.emoji ?? '',
});
