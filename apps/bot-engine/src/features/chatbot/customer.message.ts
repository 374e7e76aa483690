import { createHash } from 'node:crypto';
import { InvalidInput } from '@platform/errors';
import { cut } from '@platform/runtime';
import type { Cycle } from '../conversations/public';
import type { HistoryLine } from '../loop/public';
import { conversationKey, mailboxKey } from '../mailbox/public';
import type { ChatbotRequest, SinceLine } from './chatbot.dto';

/** A line of `since` that has words. */
export type SpokenLine = SinceLine & { readonly content: string };

/** One message of a customer, cleaned, with the keys that identify it and its conversation. JSON: it waits in the mailbox. */
export interface CustomerMessage extends Cycle {
  readonly storeId: string;
  readonly agentId: string;
  /** Without the network's suffix. */
  readonly customer: string;
  /** By what the conversation is kept, where that is not the customer. */
  readonly begunAs?: string;
  readonly isGroup: boolean;
  /** What is remembered of the customer. */
  readonly conversationKey: string;
  /** Whose turn it is, in this chat. */
  readonly mailboxKey: string;
  readonly messageId: string;
  /** Empty when it was the caller's label of what came with it. */
  readonly text: string;
  readonly images: readonly string[];
  readonly audio: readonly string[];
  readonly customerName?: string;
  readonly instanceId?: string;
  readonly chatId?: string;
  readonly team?: string;
  readonly seq?: number;
  readonly timestamp?: number;
  readonly since: readonly SpokenLine[];
  readonly history: readonly HistoryLine[];
}

/** The last one that was asked by the number of a customer whose chat began without it. */
export const namesNumber = (messages: readonly CustomerMessage[]): CustomerMessage | undefined =>
  messages.findLast(({ begunAs }) => begunAs !== undefined);

const MAX_TEXT = 4000;
const MAX_SINCE_TEXT = 1000;
const MAX_NAME = 60;
const MAX_IMAGES = 4;
const MAX_AUDIO = 2;
const MAX_SINCE = 20;
const MAX_ID = 128;
/** Milliseconds within which the same text without an id is the same message. */
const BUCKET_MS = 10_000;

const sha256 = (...parts: string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

/** At most `max` characters, without control characters other than newline and without halves of a surrogate pair. */
export const cleanText = (raw: string, max: number): string =>
  cut(raw, max)
    .replace(/(?!\n)\p{Cc}/gu, '')
    .trim();

/** The customer as conversations name them: `@lid` is kept, because it hides a number. */
export const customerOf = (idUser: string): string => idUser.replace(/@(s\.whatsapp\.net|c\.us)$/, '');

const webAddresses = (texts: readonly string[] = [], most: number): string[] =>
  texts.filter((text) => /^https?:\/\//i.test(text) && URL.canParse(text)).slice(0, most);

/** How the caller names a file without words: what the file is understood as says it as well. */
const isLabel = (text: string, images: readonly string[], audio: readonly string[]): boolean =>
  (text === '[gambar]' && images.length > 0) || (text === '[audio]' && audio.length > 0);

const nothingSaid = (): InvalidInput =>
  new InvalidInput([{ field: 'message', tag: 'required_without', message: 'message is a required field' }]);

const cleanLines = <T extends { readonly content?: string }>(lines: readonly T[] = [], max: number) =>
  lines
    .map((line) => ({ ...line, content: cleanText(line.content ?? '', max) }))
    .filter(({ content }) => content !== '');

interface Received {
  readonly idempotencyKey?: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const idOf = (given: string | undefined, derived: () => string): string => {
  if (given === undefined) return derived();
  return given.length > MAX_ID ? sha256(given) : given;
};

/** Reads a request. Throws `InvalidInput` when it has neither text nor a usable file. */
export const customerMessage = (body: ChatbotRequest, { idempotencyKey, now }: Received): CustomerMessage => {
  const said = cleanText(body.message ?? '', MAX_TEXT);
  const images = webAddresses(body.images, MAX_IMAGES);
  const audio = webAddresses(body.audio, MAX_AUDIO);
  if (!said && images.length + audio.length === 0) throw nothingSaid();
  const customer = customerOf(body.idUser);
  const begunAs = body.begunAs === undefined ? undefined : customerOf(body.begunAs);
  const key = conversationKey(body.idStore, body.idAgent, begunAs ?? customer);
  const mailbox = mailboxKey(key, body.chatId ?? body.instanceID);
  const derived = () => sha256(mailbox, said, ...images, ...audio, String(Math.floor(now / BUCKET_MS)));
  return {
    storeId: body.idStore,
    agentId: body.idAgent,
    customer,
    begunAs,
    isGroup: body.idUser.endsWith('@g.us'),
    conversationKey: key,
    mailboxKey: mailbox,
    messageId: idOf(body.idMessage ?? idempotencyKey, derived),
    text: isLabel(said, images, audio) ? '' : said,
    images,
    audio,
    customerName: cleanText(body.name ?? '', MAX_NAME) || undefined,
    instanceId: body.instanceID,
    chatId: body.chatId,
    team: body.team,
    episode: body.episode,
    escalate: body.escalate,
    seq: body.seq,
    timestamp: body.timestamp,
    receivedAt: now,
    since: cleanLines(body.since, MAX_SINCE_TEXT).slice(-MAX_SINCE),
    history: cleanLines(body.history, MAX_TEXT),
  };
};

const byKey = (messages: readonly CustomerMessage[], key: 'seq' | 'timestamp'): CustomerMessage[] | undefined =>
  messages.every((message) => message[key] !== undefined)
    ? messages.toSorted((one, other) => Number(one[key]) - Number(other[key]))
    : undefined;

/** A burst in the order of its chat: posts that arrive at the same time arrive in any order. */
export const inOrder = (messages: readonly CustomerMessage[]): CustomerMessage[] =>
  byKey(messages, 'seq') ?? byKey(messages, 'timestamp') ?? [...messages];
