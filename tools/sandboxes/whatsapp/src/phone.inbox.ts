import type { proto, WAMessage } from 'baileys';
import type { BinaryNode, Library } from './library';
import { child, children } from './node.reader';
import type { PhoneMessage, PhoneReceipt } from './sandbox.types';

const WAIT_MS = 10_000;

/** A growing list on whose entries callers can wait. */
class Log<T> {
  readonly items: T[] = [];
  private readonly waiting = new Set<(item: T) => void>();

  push(item: T): void {
    this.items.push(item);
    for (const tell of this.waiting) tell(item);
  }

  each(tell: (item: T) => void): void {
    this.waiting.add(tell);
  }

  waitFor(fits: (item: T) => boolean, what: string): Promise<T> {
    const found = this.items.find(fits);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(tell);
      };
      const tell = (item: T): void => {
        if (!fits(item)) return;
        done();
        resolve(item);
      };
      const timer = setTimeout(() => {
        done();
        reject(new Error(`No such ${what} in ${WAIT_MS} ms; ${this.items.length} others came.`));
      }, WAIT_MS);
      this.waiting.add(tell);
    });
  }
}

/** The fields of the protocol in which a message may have text. */
const WORDS: readonly ((content: proto.IMessage) => string | null | undefined)[] = [
  ({ conversation }) => conversation,
  ({ extendedTextMessage }) => extendedTextMessage?.text,
  ({ imageMessage }) => imageMessage?.caption,
  ({ videoMessage }) => videoMessage?.caption,
  ({ documentMessage }) => documentMessage?.caption,
  ({ reactionMessage }) => reactionMessage?.text,
  ({ pollCreationMessage, pollCreationMessageV2, pollCreationMessageV3 }) =>
    (pollCreationMessage ?? pollCreationMessageV2 ?? pollCreationMessageV3)?.name,
  ({ contactMessage }) => contactMessage?.displayName,
  ({ locationMessage }) => locationMessage?.name,
  ({ protocolMessage }) => protocolMessage?.editedMessage?.conversation,
  ({ protocolMessage }) => protocolMessage?.editedMessage?.extendedTextMessage?.text,
];

const textOf = (content: proto.IMessage | undefined): string => {
  for (const read of WORDS) {
    const words = content && read(content);
    if (words) return words;
  }
  return '';
};

const RECEIPTS: Readonly<Record<string, PhoneReceipt['type']>> = {
  '': 'delivered',
  inactive: 'inactive',
  read: 'read',
  played: 'played',
};

/** What a phone received: messages as decrypted by its client, receipts as sent by the server. */
export class PhoneInbox {
  readonly messages = new Log<PhoneMessage>();
  readonly receipts = new Log<PhoneReceipt>();
  /** The client's own messages: quoting needs the whole message. */
  readonly raw = new Map<string, WAMessage>();

  constructor(private readonly library: Library) {}

  take(message: WAMessage): void {
    const { key, messageStubType, pushName, messageTimestamp } = message;
    const undecrypted = messageStubType === this.library.proto.WebMessageInfo.StubType.CIPHERTEXT;
    if (!key.id || !key.remoteJid || (!message.message && !undecrypted)) return;
    this.raw.set(key.id, message);
    const content = this.library.normalizeMessageContent(message.message);
    this.messages.push({
      id: key.id,
      chat: key.remoteJid,
      ...(key.participant ? { participant: key.participant } : {}),
      fromMe: key.fromMe === true,
      ...(pushName ? { name: pushName } : {}),
      at: Number(messageTimestamp ?? 0),
      text: textOf(content),
      ...(content ? { content } : {}),
    });
  }

  takeReceipt(node: BinaryNode): void {
    const { id, from, participant, type: told } = node.attrs;
    const type = RECEIPTS[told ?? ''];
    if (!type || !from) return;
    const more = children(child(node, 'list'), 'item').map(({ attrs }) => attrs.id);
    for (const each of [id, ...more])
      if (each) this.receipts.push({ id: each, chat: from, ...(participant ? { participant } : {}), type });
  }

  takeAck({ attrs: { id = '', from = '', error } }: BinaryNode): void {
    this.receipts.push({ id, chat: from, type: error ? 'failed' : 'sent' });
  }

  waitFor(fits: (message: PhoneMessage) => boolean): Promise<PhoneMessage> {
    return this.messages.waitFor(fits, 'message');
  }

  waitForReceipt(fits: (receipt: PhoneReceipt) => boolean): Promise<PhoneReceipt> {
    return this.receipts.waitFor(fits, 'receipt');
  }
}
