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

/** A send that is asked for, perhaps not for the first time. */
export interface Asked {
  /** Of its recipient: as it was asked, and the number that is known for that. It may be learned, change, or be lost. */
  readonly names: readonly Jid[];
  /** Of its content, to a recipient of this name. A send is kept with the name by which it was asked first. */
  readonly hashAs: (name: Jid) => string;
  readonly role: string;
  readonly options: Omit<SendOptions, 'id'>;
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

const besidesOf = ({ role, options: { quotedId, mentions = [] } }: Pick<Asked, 'role' | 'options'>): unknown[] => [
  role,
  quotedId,
  mentions,
];

/** The same content to the same person, by whichever of their names. */
const isSame = ({ chat, hash, role, payload: { to, options } }: AcceptedSend, asked: Asked): boolean => {
  const names = [chat, to, options.hidden].filter((name) => name !== undefined);
  return (
    names.some((name) => asked.names.includes(name)) &&
    names.some((name) => asked.hashAs(name) === hash) &&
    isDeepStrictEqual(besidesOf({ role, options }), besidesOf(asked))
  );
};

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
    if (accepted && !isSame(accepted, send)) throw refusals.pesanIdTaken();
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
