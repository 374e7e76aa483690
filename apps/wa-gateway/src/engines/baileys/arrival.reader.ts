import { foreignId } from '../foreign-id';
import type { BinaryNode, Library, WAMessage } from './baileys.library';
import { contentType, numberOf, unwrapped, type Content } from './message.content';
import type { Arrival } from './message.normaliser';
import { bare, isGroup, type People } from './people';
import type { Account } from './receipts';

export type Envelope = Omit<Arrival, 'content'>;

/** What WhatsApp says of a message apart from its content, before any identity is looked up. */
export interface Facts {
  readonly id: string;
  readonly chat: string;
  readonly chatAlternative?: string;
  readonly participant?: string;
  readonly participantAlternative?: string;
  readonly fromMe: boolean;
  readonly name?: string;
  readonly at: number;
}

type Key = WAMessage['key'];
type AddressedKey = Key & { readonly id: string; readonly remoteJid: string };

/** Stories and channels are nobody's conversation (design 2.6). */
const isDispatched = (chat: string): boolean => !/@(broadcast|newsletter|bot)$/.test(chat);

const isAddressed = (key: Key): key is AddressedKey =>
  Boolean(key.id) && Boolean(key.remoteJid) && isDispatched(key.remoteJid ?? '');

const factsOf = (
  { id, remoteJid: chat, fromMe, participant, participantAlt: participantAlternative }: AddressedKey,
  { pushName, verifiedBizName, messageTimestamp }: Omit<WAMessage, 'key'>,
  chatAlternative: string | undefined,
): Facts => ({
  id: foreignId(id),
  chat,
  chatAlternative,
  fromMe: fromMe ?? false,
  participant: participant ?? undefined,
  participantAlternative,
  name: pushName ?? verifiedBizName ?? undefined,
  at: numberOf(messageTimestamp) ?? 0,
});

/** The other name of the chat: of one's own message that of its receiver. */
const alternativeOf = ({ attrs }: BinaryNode, { fromMe, remoteJidAlt }: Key): string | undefined =>
  fromMe ? (attrs.recipient_pn ?? attrs.peer_recipient_pn ?? attrs.recipient_lid) : remoteJidAlt;

/** Only the phone gets what may be viewed once; other clients are told that it is there. The library is silent about this form. */
const WITHHELD = 'view_once_unavailable_fanout';

/** Whether a stanza says no more than that there is something to be viewed once. */
export const isWithheld = ({ content }: BinaryNode): boolean =>
  Array.isArray(content) &&
  content.some(({ tag, attrs }) => tag === 'unavailable' && attrs.type === WITHHELD) &&
  !content.some(({ tag }) => tag === 'enc');

/** Reads who wrote a message, where and when, from the library's forms. */
export class ArrivalReader {
  constructor(
    private readonly library: Library,
    private readonly people: People,
    private readonly me: () => Account,
  ) {}

  /** Of a message that the library reports; nothing when it is nobody's conversation. */
  reported(message: WAMessage): Facts | undefined {
    const { key } = message;
    return isAddressed(key) ? factsOf(key, message, key.remoteJidAlt) : undefined;
  }

  /** Of a message that came without any content; nothing when it is nobody's conversation. */
  announced(node: BinaryNode): Facts | undefined {
    const message = this.decoded(node);
    const { key } = message;
    return isAddressed(key) ? factsOf(key, message, alternativeOf(node, key)) : undefined;
  }

  /** Of a message that has just come out of its encryption; nothing when it is housekeeping, or nobody's conversation. */
  decrypted(node: BinaryNode, padded: Uint8Array): { facts: Facts; content: Content } | undefined {
    const { library } = this;
    const decoded = library.proto.Message.decode(library.unpadRandomMax16(padded));
    const content: Content = decoded.deviceSentMessage?.message ?? decoded;
    const message = this.decoded(node);
    const { key, category, pushName } = message;
    if (!isAddressed(key) || category === 'peer' || !contentType(unwrapped(content))) return undefined;
    const named = { ...message, pushName: pushName ?? this.businessName(node) };
    return { facts: factsOf(key, named, alternativeOf(node, key)), content };
  }

  /** The same with people named as our callbacks name them. */
  async envelopeOf(facts: Facts): Promise<Envelope> {
    const { id, fromMe, name, at, participant } = facts;
    const who = participant === undefined ? {} : { participant: bare(participant) };
    const address = { id, remoteJid: bare(facts.chat), fromMe, ...who };
    const common = { id, fromMe, name, at, address };
    if (!isGroup(facts.chat)) {
      const { jid: chat, ...hidden } = await this.people.person(facts.chat, facts.chatAlternative, at);
      return { ...common, chat, ...hidden };
    }
    if (participant === undefined) return { ...common, chat: facts.chat };
    const { jid, ...hidden } = await this.people.person(participant, facts.participantAlternative, at);
    return { ...common, chat: facts.chat, participant: jid, ...hidden };
  }

  private decoded(node: BinaryNode): WAMessage {
    const { id, lid = '' } = this.me();
    return this.library.decodeMessageNode(node, id, lid).fullMessage as WAMessage;
  }

  private businessName({ content }: BinaryNode): string | undefined {
    const { proto } = this.library;
    const child = Array.isArray(content) ? content.find(({ tag }) => tag === 'verified_name')?.content : undefined;
    if (!(child instanceof Uint8Array)) return undefined;
    const { details } = proto.VerifiedNameCertificate.decode(child);
    return proto.VerifiedNameCertificate.Details.decode(details ?? new Uint8Array()).verifiedName ?? undefined;
  }
}
