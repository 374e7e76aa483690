import { deliveryStatusCode, deliveryStatusOf, hidesNumber, type DeliveryStatus } from '@platform/contracts';
import { anyGathered, type Database, type Sql } from '@platform/data';
import { traced } from '@platform/runtime';
import type { Jid, NeutralMessage, OutContent, SendOptions, StatusChange } from '../../engines/engine.types';
import type { CallbackDraft } from '../callbacks/public';
import type { Device } from '../registry/public';
import { campaignWish } from './opt-out';
import { messageKindOf } from './out-content';
import {
  ACCEPTED,
  ACCEPTING,
  type Acceptance,
  CALL,
  CALLED,
  CATCH_UP,
  FAIL,
  FORGOTTEN,
  IS_CROWDED,
  IS_SEEN,
  KEPT_BACK,
  MARK_HANDED_OVER,
  MARK_QUEUED,
  MARK_SENDING,
  RAISE,
  STORING,
  UNACKNOWLEDGED,
  UNSENT,
  WAITING,
  WITH_FORGOTTEN,
  WITH_UNACKNOWLEDGED,
  WITH_UNSENT,
} from './messages.sql';

/** What a queued message holds for the engine. */
export interface OutPayload {
  readonly content: OutContent;
  readonly options: Omit<SendOptions, 'id'>;
  /** To whom, where it waits in a chat of another name of theirs. */
  readonly to?: Jid;
}

export interface NewSend {
  readonly instanceId: string;
  readonly chat: Jid;
  readonly id: string;
  readonly pesanId: string | null;
  readonly role: string;
  readonly payload: OutPayload;
  readonly hash: string;
  readonly at: Date;
}

/** A send as it was accepted first. */
export interface AcceptedSend {
  readonly id: string;
  readonly chat: Jid;
  readonly role: string;
  readonly payload: OutPayload;
  readonly hash: string;
  readonly at: Date;
  /** It waits for longer than a queue takes to hear of it: the answer to its commit may have got lost. */
  readonly isOverdue: boolean;
}

export interface UnsentMessage {
  readonly id: string;
  readonly chat: Jid;
  readonly isReply: boolean;
  /** The campaign lane lets it go now: it has waited already. */
  readonly isCampaign?: boolean;
  /** Nobody knows whether it has left; it goes out once more, under the same id. */
  readonly mayHaveLeft?: boolean;
}

/** What a status is about. */
export interface StatusSubject {
  readonly chat: Jid;
  readonly pesanId: string | null;
}

export interface Stored {
  /** Of the callback's row. */
  readonly rowId: string;
  /** Statuses that came before the message. */
  readonly reported: readonly (StatusSubject & { readonly participant: string; readonly level: DeliveryStatus })[];
}

/** A send whose fate was just decided, with where to report it. */
export interface ReportedSend {
  readonly chat: Jid;
  readonly id: string;
  readonly pesanId: string | null;
  readonly webhookUrl: string;
}

interface Marked {
  readonly ours: boolean;
  readonly payload: OutPayload | null;
  readonly earlier: string[];
}

const columns = (drafts: readonly CallbackDraft[]): unknown[] => [
  drafts.map(({ lane }) => lane),
  drafts.map(({ kind }) => kind.name),
  drafts.map(({ dedupeKey }) => dedupeKey ?? null),
  drafts.map(({ payload }) => JSON.stringify(traced(payload))),
  drafts.map(({ waits = false }) => waits),
];

/** Every statement names the device: it is the tenant. */
export class MessagesRepository {
  /** Asked by every device that opens, and hundreds may do so at the same time. */
  private readonly hasUnsent = anyGathered((ids) => this.devices('message_with_unsent', WITH_UNSENT, ids));

  constructor(private readonly database: Database) {}

  /** Nothing when this pesan_id was accepted before; the winner is committed then. `bulk`: it leaves through the campaign lane. */
  async accept(send: NewSend, drafts: readonly CallbackDraft[], bulk?: Sql): Promise<Acceptance | undefined> {
    const { instanceId, chat, id, pesanId, role, payload, hash, at } = send;
    const message = [instanceId, chat, id, pesanId, role, JSON.stringify(payload), hash, at];
    const values = [...message, ...columns(drafts), messageKindOf(payload.content)];
    const sql = bulk ?? this.database;
    const [name, text] = ACCEPTING[bulk ? 'bulk' : 'single'];
    const [accepted] = await sql.prepared<Acceptance>(name, text, values);
    if (accepted?.early) await sql.prepared('status_catch_up', CATCH_UP, [instanceId, id]);
    return accepted;
  }

  async accepted(instanceId: string, pesanId: string): Promise<AcceptedSend | undefined> {
    const [row] = await this.database.prepared<AcceptedSend>('message_accepted', ACCEPTED, [instanceId, pesanId]);
    return row;
  }

  /** Whether the device has a message with this id, sent or received. */
  async knows(instanceId: string, id: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM message WHERE instance_id = $1 AND id = $2 LIMIT 1';
    return (await this.database.prepared('message_knows', sql, [instanceId, id])).length > 0;
  }

  /** The number behind a hidden identity when the device has learned it; anything else is what it is (design 2.1). */
  async numberOf(instanceId: string, chat: Jid): Promise<Jid> {
    if (!hidesNumber(chat)) return chat;
    const sql = 'SELECT pn FROM chat_identity WHERE instance_id = $1 AND lid = $2';
    const [row] = await this.database.prepared<{ pn: Jid }>('message_number_of', sql, [instanceId, chat]);
    return row?.pn ?? chat;
  }

  /** Whether anything was ever sent to the chat or heard from it. */
  async isSeen(instanceId: string, chat: Jid): Promise<boolean> {
    const [row] = await this.database.prepared<{ seen: boolean }>('message_is_seen', IS_SEEN, [instanceId, chat]);
    return row?.seen ?? false;
  }

  /** What was new about the message; undefined when it was known. */
  async storeInbound(instanceId: string, message: NeutralMessage, draft: CallbackDraft): Promise<Stored | undefined> {
    const { chat, participant = '', fromMe, id, kind, at } = message;
    const payload = JSON.stringify(draft.payload.callback);
    const values = [instanceId, chat, participant, fromMe, id, kind, payload, at, ...columns([draft])];
    const [name, text] = STORING[campaignWish(message) ?? 'none'];
    const store = async (sql: Sql) => (await sql.prepared<{ rowId: string }>(name, text, values))[0];
    if (fromMe) return this.database.tx((tx) => this.storeOwn(tx, { instanceId, id }, store));
    const stored = await store(this.database);
    return stored && { ...stored, reported: [] };
  }

  /** What waits, in the order of acceptance; with `repeatable` also what may have left and was never acknowledged. */
  async unsent(instanceId: string, repeatable: boolean): Promise<UnsentMessage[]> {
    if (!(await this.hasUnsent(instanceId))) return [];
    return this.database.prepared<UnsentMessage>('message_unsent', UNSENT, [instanceId, repeatable]);
  }

  /** `named` false: without those that WhatsApp has given an id, which are as good as acknowledged where nothing is repeated. */
  unacknowledged(
    instanceId: string,
    seconds: number,
    named: boolean,
  ): Promise<(UnsentMessage & { repeats: number })[]> {
    return this.database.prepared('message_unacknowledged', UNACKNOWLEDGED, [instanceId, seconds, named]);
  }

  /** Those of these devices that have any such send. */
  withUnacknowledged(instanceIds: readonly string[], seconds: number): Promise<string[]> {
    return this.devices('message_with_unacknowledged', WITH_UNACKNOWLEDGED, instanceIds, seconds);
  }

  /** How many sends were not handed over yet, of each device that has any. */
  async waiting(instanceIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sql = this.database;
    const rows = await sql.prepared<{ id: string; count: string }>('message_waiting', WAITING, [instanceIds]);
    return new Map(rows.map(({ id, count }) => [id, Number(count)]));
  }

  /** The same of all devices. */
  async keptBack(): Promise<number> {
    const [row] = await this.database.prepared<{ count: string }>('message_kept_back', KEPT_BACK, []);
    return Number(row?.count);
  }

  /** Those of these that wait, in the order of acceptance. */
  called(instanceId: string, ids: readonly string[]): Promise<UnsentMessage[]> {
    return this.database.prepared<UnsentMessage>('message_called', CALLED, [instanceId, ids]);
  }

  /** Whether so many sends of the device wait. */
  async isCrowded(instanceId: string, most: number): Promise<boolean> {
    const sql = this.database;
    const [row] = await sql.prepared<{ crowded: boolean }>('message_crowded', IS_CROWDED, [instanceId, most]);
    return row?.crowded ?? false;
  }

  /** The process that has the device hears of the send. */
  async call(instanceId: string, id: string): Promise<void> {
    await this.database.prepared('message_call', CALL, [instanceId, id]);
  }

  /** Waits for longer than any queue here should take to know of it; with how the device is now. */
  forgotten(instanceId: string): Promise<(UnsentMessage & Pick<Device, 'status'>)[]> {
    return this.database.prepared('message_forgotten', FORGOTTEN, [instanceId]);
  }

  /** Those of these devices on which any such send waits. */
  withForgotten(instanceIds: readonly string[]): Promise<string[]> {
    return this.devices('message_with_forgotten', WITH_FORGOTTEN, instanceIds);
  }

  /**
   * The message to hand over, or ids that go first; neither when it failed or was acknowledged meanwhile, or has left and is
   * not in one of the states `also`. None of it when the device is not the `holder`'s any more.
   */
  async markSending(
    instanceId: string,
    id: string,
    { also, holder }: { also: readonly ('sending' | 'sent_to_engine')[]; holder: string },
  ): Promise<Marked> {
    const values = [instanceId, id, also, holder];
    return (await this.database.prepared<Marked>('message_sending', MARK_SENDING, values))[0] as Marked;
  }

  async markQueued(instanceId: string, id: string): Promise<void> {
    await this.database.prepared('message_queued', MARK_QUEUED, [instanceId, id]);
  }

  async markHandedOver(instanceId: string, id: string, waId: string): Promise<void> {
    await this.database.prepared('message_handed_over', MARK_HANDED_OVER, [instanceId, id, waId]);
  }

  /** The send whose status has risen, its callback written; nothing: a known level, or no message of ours so far. */
  async raise(instanceId: string, change: StatusChange): Promise<StatusSubject | undefined> {
    const { id, participant = '', level, at } = change;
    const code: number = deliveryStatusCode(level satisfies DeliveryStatus);
    const values = [instanceId, id, participant, code, Math.floor(at)];
    return (await this.database.prepared<StatusSubject>('status_raise', RAISE, values))[0];
  }

  /** `evenAcked`: also one that was acknowledged, unless it has arrived. */
  async fail(
    tx: Sql,
    { instanceId, id, code, evenAcked }: { instanceId: string; id: string | null; code: string; evenAcked: boolean },
  ): Promise<ReportedSend[]> {
    if (id === null) return tx.prepared<ReportedSend>(...FAIL.all, [instanceId, code]);
    // Its arrival may be reported at this moment
    if (evenAcked) await this.lockStatus(tx, instanceId, id);
    return tx.prepared<ReportedSend>(...FAIL.one, [instanceId, code, id, evenAcked]);
  }

  private async devices(name: string, text: string, ...values: [readonly string[], ...unknown[]]): Promise<string[]> {
    return (await this.database.prepared<{ id: string }>(name, text, values)).map(({ id }) => id);
  }

  private async lockStatus(tx: Sql, instanceId: string, id: string): Promise<void> {
    await tx.prepared('status_lock', 'SELECT status_lock($1, $2)', [instanceId, id]);
  }

  /** A message of our own may have been reported before it was stored: both lock its id (statuses.sql.ts). */
  private async storeOwn(
    tx: Sql,
    { instanceId, id }: { instanceId: string; id: string },
    store: (sql: Sql) => Promise<{ rowId: string } | undefined>,
  ): Promise<Stored | undefined> {
    await this.lockStatus(tx, instanceId, id);
    const stored = await store(tx);
    if (!stored) return undefined;
    const known = await tx.prepared<StatusSubject & { participant: string; level: number }>(
      'status_catch_up',
      CATCH_UP,
      [instanceId, id],
    );
    return {
      ...stored,
      reported: known.map(({ level, ...status }) => ({ ...status, level: deliveryStatusOf(level) })),
    };
  }
}
