import type { SignalKeyStoreWithTransaction } from 'baileys';
import { LruCache, retry, type RetryOptions } from '@platform/runtime';
import { foreignId } from '../foreign-id';
import type { ArrivalReader, Facts } from './arrival.reader';
import type { Arrivals } from './arrivals';
import type { BinaryNode, Library, WAMessage } from './baileys.library';
import { bare } from './people';

type Repository = ReturnType<NonNullable<Parameters<Library['makeWASocket']>[0]['makeSignalRepository']>>;

const CIPHERTEXT_STUB = 2;
const REMEMBERED = 2_000;
/** One byte of padding around nothing. */
const EMPTY_MESSAGE = Buffer.from([1]);

const markOf = ({ chat, id }: Facts): string => `${bare(chat)}|${id}`;

/**
 * The way in. The library tells WhatsApp that a message has arrived before it tells us; so the message is taken where it is
 * decrypted, inside the transaction that keeps its keys: row first, then keys, then the receipt (design 3.2).
 */
export class Inbound {
  private readonly nodes = new WeakMap<object, BinaryNode>();
  private readonly taken = new LruCache<string, true>({ limit: REMEMBERED });

  constructor(
    private readonly reader: ArrivalReader,
    private readonly arrivals: Arrivals,
    /** Whether a message has its row already. */
    private readonly known: (id: string) => Promise<boolean>,
    private readonly retrying: RetryOptions,
  ) {}

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

  /** What the library acknowledges and tells nobody of. */
  async withheld(node: BinaryNode): Promise<void> {
    const facts = this.reader.announced(node);
    if (facts) await this.arrivals.withheld(await this.reader.envelopeOf(facts));
  }

  /** What has no encryption, what could not be decrypted, and what only the phone may show. */
  async upserted(message: WAMessage): Promise<void> {
    const { messageStubType, messageStubParameters, message: content } = message;
    const facts = this.reader.reported(message);
    if (!facts || this.taken.get(markOf(facts))) return;
    const isUndecrypted = messageStubType === CIPHERTEXT_STUB;
    const isWithheld = message.key.isViewOnce === true;
    if (!isUndecrypted && !isWithheld && !content) return;
    const envelope = await this.reader.envelopeOf(facts);
    if (content) await this.arrivals.take({ ...envelope, content });
    else if (isWithheld) await this.arrivals.withheld(envelope);
    else await this.arrivals.undecrypted(envelope, String((messageStubParameters as unknown[] | undefined)?.[0] ?? ''));
  }

  private async take(node: BinaryNode, padded: Uint8Array): Promise<void> {
    const found = this.reader.decrypted(node, padded);
    if (!found) return;
    const { facts, content } = found;
    const envelope = await retry(() => this.reader.envelopeOf(facts), this.retrying);
    await this.arrivals.take({ ...envelope, content });
    this.taken.set(markOf(facts), true);
  }

  /**
   * Keys are committed after the row: what cannot be decrypted and has its row came before, and its receipt got lost. The
   * library gets an empty message to confirm; otherwise it would refuse this one at every login.
   */
  private async again({ attrs }: BinaryNode, cause: unknown): Promise<Uint8Array> {
    const isKnown = attrs.id !== undefined && (await this.known(foreignId(attrs.id)).catch(() => false));
    if (isKnown) return EMPTY_MESSAGE;
    throw cause;
  }
}
