import { isDeepStrictEqual } from 'node:util';
import type { EngineKind, Jid, SendOptions } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import type { BulkAdmission, Pace } from '../campaigns/public';
import type { AcceptedSend, MessagesRepository, NewSend, SendDrafts } from '../messages/public';

/** How a send is kept until it leaves. */
export interface Keeping {
  readonly kind: EngineKind;
  readonly echo?: boolean;
  /** In the campaign lane, at this pace (design 3.6). */
  readonly bulk?: Pace;
}

/** What makes two sends one: the content by its hash, and what goes beside it. */
export interface Identity {
  readonly hash: string;
  readonly role: string;
  readonly options: Omit<SendOptions, 'id'>;
}

/** A send that is asked for, perhaps not for the first time. */
export interface Asked extends Identity {
  /** The same with its address as it was asked, by which it is kept: the number behind an `@lid` may be learned, change, or be lost. */
  readonly askedHash: string;
}

/** What became of a send. */
export interface Entry {
  /** Nothing new: what was accepted before under the same pesan_id. */
  readonly twin?: AcceptedSend;
  /** Its chat's person wrote within a day. Not asked of one in the campaign lane, which has a pace of its own. */
  readonly isReply: boolean;
  /** In which it leaves: what waits there by the hidden id of the same person goes first. */
  readonly chat: Jid;
}

const identityOf = ({ hash, role, payload }: Pick<AcceptedSend, 'hash' | 'role' | 'payload'>): Identity => ({
  hash,
  role,
  options: payload.options,
});

const factsOf = ({ hash, role, options: { quotedId, mentions = [] } }: Identity): unknown[] => [
  hash,
  role,
  quotedId,
  mentions,
];

const isSame = (accepted: Identity, { askedHash, ...asked }: Asked): boolean =>
  [asked.hash, askedHash].some((hash) => isDeepStrictEqual(factsOf(accepted), factsOf({ ...asked, hash })));

/** The sends that were accepted: each once, however often it is asked for. */
export class SendLedger {
  constructor(
    private readonly messages: Pick<MessagesRepository, 'accept' | 'accepted' | 'knows'>,
    private readonly bulk: BulkAdmission,
    private readonly drafts: SendDrafts,
  ) {}

  /** What was accepted under this pesan_id. Throws Rejected when it stands for something else. */
  async before(instanceId: string, pesanId: string, send: Asked): Promise<AcceptedSend | undefined> {
    const accepted = await this.messages.accepted(instanceId, pesanId);
    if (accepted && !isSame(identityOf(accepted), send)) throw refusals.pesanIdTaken();
    return accepted;
  }

  /** Whether a message can be quoted. */
  knows(instanceId: string, id: string): Promise<boolean> {
    return this.messages.knows(instanceId, id);
  }

  /** Throws what a caller should know before a file is fetched. */
  async check(instanceId: string, chat: Jid, { kind, bulk }: Keeping): Promise<void> {
    if (bulk) await this.bulk.check(instanceId, chat, kind);
  }

  /** Durable when it resolves, together with its callbacks. */
  async enter(send: NewSend, { kind, echo, bulk: pace }: Keeping, asked: Asked): Promise<Entry> {
    const callbacks = this.drafts(send, echo);
    if (!pace) {
      const accepted = await this.messages.accept(send, callbacks);
      if (accepted) return accepted;
    } else if (await this.bulk.admit(send, callbacks, { kind, pace })) return { isReply: false, chat: send.chat };
    const twin = await this.before(send.instanceId, send.pesanId ?? '', asked);
    if (!twin) throw refusals.pesanIdTaken();
    return { twin, isReply: false, chat: twin.chat };
  }
}
