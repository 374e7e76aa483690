import { foreignId } from '../foreign-id';
import type { BinaryNode, Library, WAMessage } from './baileys.library';
import { contentType, numberOf, unwrapped, type Content } from './message.content';
import type { Arrival } from './message.normaliser';
import { isGroup, type People } from './people';
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

  /** Of a message that has just come out of its encryption; nothing when it is housekeeping, or nobody's conversation. */
  decrypted(node: BinaryNode, padded: Uint8Array): { facts: Facts; content: Content } | undefined {
    const { library } = this;
    const decoded = library.proto.Message.decode(library.unpadRandomMax16(padded));
    const content: Content = decoded.deviceSentMessage?.message ?? decoded;
    const { id, lid: ownLid = '' } = this.me();
    const { fullMessage } = library.decodeMessageNode(node, id, ownLid);
    const { key, category, pushName } = fullMessage as WAMessage;
    if (!isAddressed(key) || category === 'peer' || !contentType(unwrapped(content))) return undefined;
    const { recipient_pn: number, peer_recipient_pn: peer, recipient_lid: lid } = node.attrs;
    const alternative = key.fromMe ? (number ?? peer ?? lid) : key.remoteJidAlt;
    const named = { ...fullMessage, pushName: pushName ?? this.businessName(node) };
    return { facts: factsOf(key, named, alternative), content };
  }

  /** The same with people named as our callbacks name them. */
  async envelopeOf(facts: Facts): Promise<Envelope> {
    const { id, fromMe, name, at, participant } = facts;
    const common = { id, fromMe, name, at };
    if (!isGroup(facts.chat)) {
      const { jid: chat, lid } = await this.people.person(facts.chat, facts.chatAlternative);
      return { ...common, chat, lid };
    }
    if (participant === undefined) return { ...common, chat: facts.chat };
    const { jid, lid } = await this.people.person(participant, facts.participantAlternative);
    return { ...common, chat: facts.chat, participant: jid, lid };
  }

  private businessName({ content }: BinaryNode): string | undefined {
    const { proto } = this.library;
    const child = Array.isArray(content) ? content.find(({ tag }) => tag === 'verified_name')?.content : undefined;
    if (!(child instanceof Uint8Array)) return undefined;
    const { details } = proto.VerifiedNameCertificate.decode(child);
    return proto.VerifiedNameCertificate.Details.decode(details ?? new Uint8Array()).verifiedName ?? undefined;
  }
}
