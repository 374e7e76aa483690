import { createHash } from 'node:crypto';
import { InvalidInput } from '@platform/errors';
import type { ChatbotRequest } from './chatbot.dto';

export interface Line {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** One message of a customer, cleaned, with the keys that identify it and its conversation. */
export interface CustomerMessage {
  readonly storeId: string;
  readonly agentId: string;
  /** Without the network's suffix. */
  readonly customer: string;
  readonly isGroup: boolean;
  readonly conversationKey: string;
  readonly messageId: string;
  readonly content: string;
  readonly images: readonly string[];
  readonly customerName?: string;
  readonly instanceId?: string;
  readonly chatId?: string;
  readonly team?: string;
  readonly history: readonly Line[];
}

const MAX_TEXT = 4000;
const MAX_NAME = 60;
const MAX_IMAGES = 4;
const MAX_ID = 128;
/** Milliseconds within which the same text without an id is the same message. */
const BUCKET_MS = 10_000;

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

/** At most `max` characters, without control characters other than newline and without halves of a surrogate pair. */
export const cleanText = (raw: string, max: number): string => raw.slice(0, max).replace(/(?!\n)[\p{Cc}\p{Cs}]/gu, '');

/** The customer as conversations name them: `@lid` is kept, because it hides a number. */
export const customerOf = (idUser: string): string => idUser.replace(/@(s\.whatsapp\.net|c\.us)$/, '');

/** Design 3.1: the first 32 hex digits of sha256(idStore NUL idAgent NUL idUser). */
export const conversationKey = (storeId: string, agentId: string, customer: string): string =>
  sha256(storeId, agentId, customer).slice(0, 32);

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** A line of text about pictures: the model reads that there were some, and never fetches one. */
const withPictures = (text: string, pictures: number): string =>
  [...(text ? [text] : []), ...(pictures > 0 ? [`[pelanggan mengirim ${pictures} gambar]`] : [])].join('\n');

const nothingSaid = (): InvalidInput =>
  new InvalidInput([{ field: 'message', tag: 'required_without', message: 'message is a required field' }]);

/** Reads a request; `now` is epoch milliseconds. Throws `InvalidInput` when it has neither text nor a usable picture. */
export const customerMessage = (
  body: ChatbotRequest,
  { idempotencyKey, now }: { idempotencyKey?: string; now: number },
): CustomerMessage => {
  const text = cleanText(body.message ?? '', MAX_TEXT).trim();
  const images = (body.images ?? []).filter(isWebAddress).slice(0, MAX_IMAGES);
  if (!text && images.length === 0) throw nothingSaid();
  const customer = customerOf(body.idUser);
  const key = conversationKey(body.idStore, body.idAgent, customer);
  const given = body.idMessage ?? idempotencyKey;
  const derived = () => sha256(key, text, ...images, String(Math.floor(now / BUCKET_MS)));
  const name = cleanText(body.name ?? '', MAX_NAME).trim();
  return {
    storeId: body.idStore,
    agentId: body.idAgent,
    customer,
    isGroup: body.idUser.endsWith('@g.us'),
    conversationKey: key,
    messageId: given === undefined ? derived() : given.length > MAX_ID ? sha256(given) : given,
    content: withPictures(text, images.length),
    images,
    customerName: name || undefined,
    instanceId: body.instanceID,
    chatId: body.chatId,
    team: body.team,
    history: (body.history ?? [])
      .map(({ role, content }) => ({ role, content: cleanText(content, MAX_TEXT).trim() }))
      .filter(({ content }) => content),
  };
};
