import type { SignalKeyStoreWithTransaction } from 'baileys';
import { LruCache, retry, type Logger, type RetryOptions } from '@platform/runtime';
import type { EngineSink } from '../engine.types';
import type { BinaryNode, Library, WAMessage } from './baileys.library';
import { contentType, numberOf, unwrapped, type Content } from './message.content';
import { normalise, type Arrival, type MediaDescriptor } from './message.normaliser';
import { bare, isGroup, type People } from './people';
import type { Account } from './receipts';
import type { StubHolder } from './stub.holder';

type Repository = ReturnType<NonNullable<Parameters<Library['makeWASocket']>[0]['makeSignalRepository']>>;

export interface InboundOptions {
  readonly library: Library;
  readonly sink: EngineSink;
  readonly people: People;
  readonly me: () => Account;
  readonly seal: (descriptor: MediaDescriptor) => string;
  readonly stubs: StubHolder;
  readonly retrying: RetryOptions;
  readonly logger: Logger;
  /** Whether a message has its row already. */
  readonly known: (id: string) => Promise<boolean>;
  /** A vote on a poll of ours. */
  readonly vote: (arrival: Arrival) => Promise<void>;
}

type Envelope = Omit<Arrival, 'content'>;

const CIPHERTEXT_STUB = 2;
const REMEMBERED = 2_000;
/** One byte of padding around nothing. */
const EMPTY_MESSAGE = Buffer.from([1]);

/** Stories and channels are nobody's conversation (design 2.6). */
const isDispatched = (chat: string): boolean => !/@(broadcast|newsletter|bot)$/.test(chat);

type Key = WAMessage['key'];
type AddressedKey = Key & { readonly id: string; readonly remoteJid: string };

/** What WhatsApp says of a message apart from its content, before any identity is looked up. */
interface Facts {
  readonly id: string;
  readonly chat: string;
  readonly chatAlternative?: string;
  readonly participant?: string;
  readonly participantAlternative?: string;
  readonly fromMe: boolean;
  readonly name?: string;
  readonly at: number;
}

const markOf = (chat: string, id: string): string => `${bare(chat)}|${id}`;

const isAddressed = (key: Key): key is AddressedKey =>
  Boolean(key.id) && Boolean(key.remoteJid) && isDispatched(key.remoteJid ?? '');

const factsOf = (
  { id, remoteJid: chat, fromMe, participant, participantAlt: participantAlternative }: AddressedKey,
  { pushName, verifiedBizName, messageTimestamp }: Omit<WAMessage, 'key'>,
  chatAlternative: string | undefined,
): Facts => ({
  ...{
    id,
    chat,
    chatAlternative,
    fromMe: fromMe ?? false,
    participant: participant ?? undefined,
    participantAlternative,
  },
  ...{ name: pushName ?? verifiedBizName ?? undefined, at: numberOf(messageTimestamp) ?? 0 },
});

/**
 * The way in. The library tells WhatsApp that a message has arrived before it tells us; so the message is taken where it is
 * decrypted, inside the transaction that keeps its keys: row first, then keys, then the receipt (design 3.2).
 */
export class Inbound {
  private readonly nodes = new WeakMap<object, BinaryNode>();
  private readonly taken = new LruCache<string, true>({ limit: REMEMBERED });

  constructor(private readonly options: InboundOptions) {}

  /** The decryption sees only bytes; this is how it finds out whose they are. */
  remember(node: BinaryNode): void {
    if (!Array.isArray(node.content)) return;
    for (const { tag, content } of node.content)
      if (tag === 'enc' && content instanceof Uint8Array) this.nodes.set(content, node);
  }

  /** The repository, with our store between decryption and the commit of the keys. */
  guard(repository: Repository, keys: SignalKeyStoreWithTransaction, hasEnded: () => boolean): Repository {
    const { decryptMessage, decryptGroupMessage } = repository;
    const guarded = (bytes: Uint8Array, lock: string, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> => {
      const node = this.nodes.get(bytes);
      if (!node) return decrypt();
      const work = async () => {
        const plain = await decrypt();
        if (hasEnded()) throw new Error('the connection has ended');
        await this.take(node, plain);
        return plain;
      };
      return keys.transaction(work, lock).catch((cause: unknown) => this.again(node, cause));
    };
    return Object.assign(repository, {
      decryptMessage: (given) => guarded(given.ciphertext, given.jid, () => decryptMessage(given)),
      decryptGroupMessage: (given) => guarded(given.msg, given.group, () => decryptGroupMessage(given)),
    } satisfies Partial<Repository>);
  }

  /** What has no encryption, and what could not be decrypted. */
  async upserted(message: WAMessage): Promise<void> {
    const { key, messageStubType, message: content } = message;
    if (!isAddressed(key) || this.taken.get(markOf(key.remoteJid, key.id))) return;
    const undecrypted = messageStubType === CIPHERTEXT_STUB && !content;
    if (!undecrypted && !content) return;
    const envelope = await this.envelopeOf(factsOf(key, message, key.remoteJidAlt));
    if (undecrypted)
      this.holdStub(envelope, String((message.messageStubParameters as unknown[] | undefined)?.[0] ?? ''));
    else if (content) await this.dispatch({ ...envelope, content });
  }

  private async take(node: BinaryNode, padded: Uint8Array): Promise<void> {
    const { library, me, retrying } = this.options;
    const decoded = library.proto.Message.decode(library.unpadRandomMax16(padded));
    const content: Content = decoded.deviceSentMessage?.message ?? decoded;
    const { fullMessage } = library.decodeMessageNode(node, me().id, me().lid ?? '');
    const { key, category, pushName } = fullMessage as WAMessage;
    if (!isAddressed(key) || category === 'peer' || !contentType(unwrapped(content))) return;
    const { recipient_pn: number, peer_recipient_pn: peer, recipient_lid: lid } = node.attrs;
    const alternative = key.fromMe ? (number ?? peer ?? lid) : key.remoteJidAlt;
    const facts = factsOf(key, { ...fullMessage, pushName: pushName ?? this.businessName(node) }, alternative);
    const envelope = await retry(() => this.envelopeOf(facts), retrying);
    await this.dispatch({ ...envelope, content });
    this.taken.set(markOf(key.remoteJid, key.id), true);
  }

  /**
   * Keys are committed after the row: what cannot be decrypted and has its row came before, and its receipt got lost. The
   * library gets an empty message to confirm; otherwise it would refuse this one at every login.
   */
  private async again({ attrs }: BinaryNode, cause: unknown): Promise<Uint8Array> {
    const isKnown = attrs.id !== undefined && (await this.options.known(attrs.id).catch(() => false));
    if (isKnown) return EMPTY_MESSAGE;
    throw cause;
  }

  private async dispatch(arrival: Arrival): Promise<void> {
    const { sink, seal, stubs, retrying, vote } = this.options;
    stubs.arrived(arrival.id);
    if (unwrapped(arrival.content).pollUpdateMessage) return retry(() => vote(arrival), retrying);
    const normalised = normalise(arrival, seal);
    if (normalised.kind === 'message') await retry(() => sink.message(normalised.message), retrying);
    if (normalised.kind === 'reaction') await retry(() => sink.reaction(normalised.reaction), retrying);
    if (normalised.kind === 'event') sink.event(normalised.name, normalised.payload);
  }

  /** Under an id of its own: the message itself may still come, and must not find its place taken. */
  private holdStub(envelope: Envelope, stub: string): void {
    const { sink, stubs, logger, retrying } = this.options;
    const { id, chat, participant, fromMe, name, at, lid } = envelope;
    const key = { remoteJid: chat, fromMe, id, ...(participant ? { participant } : {}) };
    const raw = { key, pushName: name, stub, ...(lid ? { lid } : {}) };
    const message = { id: `${id}.stub`, chat, participant, fromMe, name, at, kind: 'chat', text: '', raw } as const;
    stubs.hold(id, () => {
      void retry(() => sink.message(message), { ...retrying, givingUp: () => undefined }).catch((cause: unknown) =>
        logger.error('a message that could not be decrypted was not reported', { id, cause }),
      );
    });
  }

  private async envelopeOf(facts: Facts): Promise<Envelope> {
    const { id, fromMe, name, at, participant } = facts;
    const common = { id, fromMe, name, at };
    const { people } = this.options;
    if (!isGroup(facts.chat)) {
      const { jid: chat, lid } = await people.person(facts.chat, facts.chatAlternative);
      return { ...common, chat, lid };
    }
    if (participant === undefined) return { ...common, chat: facts.chat };
    const { jid, lid } = await people.person(participant, facts.participantAlternative);
    return { ...common, chat: facts.chat, participant: jid, lid };
  }

  private businessName({ content }: BinaryNode): string | undefined {
    const { proto } = this.options.library;
    const child = Array.isArray(content) ? content.find(({ tag }) => tag === 'verified_name')?.content : undefined;
    if (!(child instanceof Uint8Array)) return undefined;
    const { details } = proto.VerifiedNameCertificate.decode(child);
    return proto.VerifiedNameCertificate.Details.decode(details ?? new Uint8Array()).verifiedName ?? undefined;
  }
}
