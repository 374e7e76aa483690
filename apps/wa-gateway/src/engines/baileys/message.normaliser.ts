import type { proto } from 'baileys';
import type { EngineEvent, Jid, NeutralMessage, NeutralReaction, Saying } from '../engine.types';
import { contentType, numberOf, shown, unwrapped, type Content } from './message.content';

/** A message as it came out of its encryption, with its addresses in our form. */
export interface Arrival extends Saying {
  /** The hidden identity of who wrote it, where it is known. */
  readonly lid?: Jid;
  /** Since when the number beside it is known, where it was only remembered. */
  readonly lidSince?: number;
  /** As it came, before anybody was named as our callbacks name them. */
  readonly address?: MessageAddress;
  readonly content: Content;
}

/** Where a file lies at WhatsApp and what it takes to read it. */
export interface MediaDescriptor {
  readonly kind: 'Image' | 'Video' | 'Audio' | 'Document';
  readonly directPath: string;
  /** Base64. */
  readonly mediaKey: string;
  readonly sha256: string;
  /** The message that it came with, as WhatsApp addresses it: to ask for the file again. Absent in what older builds have sealed. */
  readonly of?: MessageAddress;
}

/** What WhatsApp knows a message by. */
export interface MessageAddress {
  readonly id: string;
  readonly remoteJid: string;
  readonly fromMe: boolean;
  readonly participant?: string;
}

export type Normalised =
  | { readonly kind: 'message'; readonly message: NeutralMessage }
  | { readonly kind: 'reaction'; readonly reaction: NeutralReaction }
  | { readonly kind: 'event'; readonly name: EngineEvent; readonly payload: Readonly<Record<string, unknown>> }
  /** Keys, votes and housekeeping: for nobody but the library. */
  | { readonly kind: 'nothing' };

type Facts = Pick<NeutralMessage, 'kind' | 'text' | 'caption' | 'matchedText' | 'location' | 'media'>;
type Seal = (descriptor: MediaDescriptor) => string;
type File = {
  mediaKey?: Uint8Array | null;
  directPath?: string | null;
  fileSha256?: Uint8Array | null;
  fileLength?: unknown;
  mimetype?: string | null;
};

const MAX_RAW_BYTES = 60_000;
/** A path of WhatsApp has about two hundred characters, a key and a hash have 32 bytes each. What is longer is none. */
const MAX_PATH = 2_048;
const MAX_KEY_BYTES = 64;

const base64 = (bytes: Uint8Array | null | undefined): string =>
  Buffer.from(bytes?.subarray(0, MAX_KEY_BYTES) ?? []).toString('base64');
const pathOf = (path: string | null | undefined): string => (path && path.length <= MAX_PATH ? path : '');

const mediaOf = (kind: MediaDescriptor['kind'], file: File, seal: Seal, fileName?: string | null) => {
  const { directPath, mediaKey, fileSha256, mimetype, fileLength } = file;
  const key = seal({ kind, directPath: pathOf(directPath), mediaKey: base64(mediaKey), sha256: base64(fileSha256) });
  const ref = { key, mimetype: mimetype ?? 'application/octet-stream', size: numberOf(fileLength) };
  return fileName ? { ...ref, fileName } : ref;
};

const placeOf = (place: proto.Message.ILocationMessage | proto.Message.ILiveLocationMessage): Facts => ({
  kind: 'chat',
  location: {
    latitude: String(place.degreesLatitude ?? 0),
    longitude: String(place.degreesLongitude ?? 0),
    name: 'name' in place ? (place.name ?? undefined) : undefined,
    address: 'address' in place ? (place.address ?? undefined) : undefined,
  },
});

const captioned = (
  kind: 'image' | 'video',
  type: 'Image' | 'Video',
  seal: Seal,
  file: File & { caption?: string | null },
) => ({ kind, caption: file.caption ?? undefined, media: mediaOf(type, file, seal) }) satisfies Facts;

const words = (text: string | null | undefined): Facts => ({ kind: 'chat', text: text ?? undefined });

type Reader<K extends keyof Content> = (content: NonNullable<Content[K]>, seal: Seal) => Facts;

/** Design 2.6, row `type`: six values, whatever WhatsApp invents. */
const READERS: { [K in keyof Content]?: Reader<K> } = {
  conversation: (text) => words(text),
  extendedTextMessage: ({ text, matchedText, contextInfo }) => ({
    kind: matchedText || contextInfo?.quotedMessage ? 'extendedtext' : 'chat',
    text: text ?? undefined,
    matchedText: matchedText || undefined,
  }),
  imageMessage: (file, seal) => captioned('image', 'Image', seal, file),
  stickerMessage: (file, seal) => ({ kind: 'image', media: mediaOf('Image', file, seal) }),
  videoMessage: (file, seal) => captioned('video', 'Video', seal, file),
  ptvMessage: (file, seal) => captioned('video', 'Video', seal, file),
  documentMessage: (file, seal) => ({
    kind: 'document',
    caption: file.caption ?? undefined,
    media: mediaOf('Document', file, seal, file.fileName ?? file.title),
  }),
  audioMessage: (file, seal) => ({ kind: 'audio', media: mediaOf('Audio', file, seal) }),
  locationMessage: placeOf,
  liveLocationMessage: placeOf,
  contactMessage: ({ displayName }) => words(displayName),
  contactsArrayMessage: ({ displayName, contacts }) =>
    words(displayName || contacts?.map((contact) => contact.displayName).join(', ')),
  pollCreationMessage: ({ name }) => words(name),
  pollCreationMessageV2: ({ name }) => words(name),
  pollCreationMessageV3: ({ name }) => words(name),
  buttonsResponseMessage: ({ selectedDisplayText }) => words(selectedDisplayText),
  templateButtonReplyMessage: ({ selectedDisplayText }) => words(selectedDisplayText),
  listResponseMessage: ({ title }) => words(title),
  interactiveResponseMessage: ({ body }) => words(body?.text),
};

/** Says something about another message, or nothing to people. */
const SILENT: ReadonlySet<keyof Content> = new Set<keyof Content>([
  'protocolMessage',
  'pollUpdateMessage',
  'encReactionMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'stickerSyncRmrMessage',
  'deviceSentMessage',
]);

const NO_SEAL: Seal = () => '';

const factsOf = (content: Content, type: keyof Content, seal: Seal): Facts => {
  const reader = READERS[type] as Reader<typeof type> | undefined;
  const value = content[type];
  return reader && value != null ? reader(value, seal) : { kind: 'chat' };
};

const textOf = (message: Content): string | undefined => {
  const content = unwrapped(message);
  const type = contentType(content);
  if (!type) return undefined;
  const { text, caption, location } = factsOf(content, type, NO_SEAL);
  return text ?? caption ?? location?.name;
};

const quoteOf = (content: Content, type: keyof Content): string | undefined => {
  const value = content[type];
  const context = typeof value === 'object' && value !== null && 'contextInfo' in value ? value.contextInfo : undefined;
  const quoted = (context as proto.IContextInfo | null | undefined)?.quotedMessage;
  return quoted ? textOf(quoted) : undefined;
};

/** Both for `rawMessage`, as chat-backend reads them. */
export const hiddenOf = ({ lid, lidSince }: Pick<Arrival, 'lid' | 'lidSince'>) => ({
  ...(lid ? { lid } : {}),
  ...(lidSince === undefined ? {} : { lidSince }),
});

const rawOf = ({ id, chat, participant, fromMe, name, content, ...hidden }: Arrival, editOf?: string) => {
  const key = { remoteJid: chat, fromMe, id, ...(participant ? { participant } : {}) };
  const facts = { key, pushName: name, ...hiddenOf(hidden), ...(editOf ? { editOf } : {}) };
  const message = shown(content);
  const fits = Buffer.byteLength(JSON.stringify(message) ?? '') <= MAX_RAW_BYTES;
  return fits ? { ...facts, message } : { ...facts, truncated: true };
};

const messageOf = (arrival: Arrival, content: Content, seal: Seal, editOf?: string): Normalised => {
  const type = contentType(content);
  if (!type || SILENT.has(type)) return { kind: 'nothing' };
  const { id, chat, participant, fromMe, at } = arrival;
  const message: NeutralMessage = {
    id,
    chat,
    ...(participant ? { participant } : {}),
    fromMe,
    name: arrival.name,
    at,
    ...factsOf(content, type, seal),
    quote: quoteOf(content, type),
    raw: rawOf({ ...arrival, content }, editOf),
  };
  return { kind: 'message', message };
};

const reactionOf = (
  { id, chat, participant, fromMe, name, at }: Arrival,
  { key, text }: proto.Message.IReactionMessage,
): Normalised => {
  const where = { id, chat, ...(participant ? { participant } : {}), fromMe, at };
  const reaction = { ...where, name, target: key?.id ?? '', emoji: text ?? '' };
  return { kind: 'reaction', reaction };
};

// Values of proto.Message.ProtocolMessage.Type
const REVOKE = 0;
const MESSAGE_EDIT = 14;

/** What a message of WhatsApp says, in nobody's protocol (design 2.6). `seal` turns a file's keys into the text that names it. */
export const normalise = (arrival: Arrival, seal: Seal): Normalised => {
  const content = unwrapped(arrival.content);
  const { chat: number, fromMe, participant } = arrival;
  const about = { number, fromMe, ...(participant ? { participant } : {}) };
  const { reactionMessage: reaction, protocolMessage: protocol } = content;
  if (reaction) return reactionOf(arrival, reaction);
  if (protocol?.type === MESSAGE_EDIT && protocol.editedMessage)
    return messageOf(arrival, unwrapped(protocol.editedMessage), seal, protocol.key?.id ?? '');
  if (protocol?.type === REVOKE && protocol.key?.id)
    return { kind: 'event', name: 'messageRevoked', payload: { ...about, id: protocol.key.id } };
  return messageOf(arrival, content, seal);
};
