import { deliveryStatusCode, type DeliveryStatus } from '@platform/contracts';
import type { Database, Sql } from '@platform/data';
import type { Jid, NeutralMessage, OutContent, SendOptions, StatusChange } from '../../engines/engine.types';
import type { CallbackDraft } from '../callbacks/callback.row';
import { messageKindOf } from './out-content';
import {
  ACCEPT,
  ACQUAINTANCE,
  FAIL,
  FORGOTTEN,
  MARK_HANDED_OVER,
  MARK_SENDING,
  RAISE,
  STORE_INBOUND,
  UNSENT,
} from './messages.sql';

/** What a queued message holds for the engine. */
export interface OutPayload {
  readonly content: OutContent;
  readonly options: Omit<SendOptions, 'id'>;
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
}

export interface UnsentMessage {
  readonly id: string;
  readonly chat: Jid;
  readonly isReply: boolean;
}

/** A send whose fate was just decided, with where to report it. */
export interface ReportedSend {
  readonly chat: Jid;
  readonly id: string;
  readonly pesanId: string | null;
  readonly webhookUrl: string;
}

const columns = (drafts: readonly CallbackDraft[]): unknown[] => [
  drafts.map(({ lane }) => lane),
  drafts.map(({ kind }) => kind),
  drafts.map(({ dedupeKey }) => dedupeKey ?? null),
  drafts.map(({ payload }) => JSON.stringify(payload)),
  drafts.map(({ waits = false }) => waits),
];

/** Every statement names the device: it is the tenant. */
export class MessagesRepository {
  constructor(private readonly database: Database) {}

  /** False when this pesan_id was accepted before; the winner is committed then. */
  async accept(send: NewSend, drafts: readonly CallbackDraft[]): Promise<boolean> {
    const { instanceId, chat, id, pesanId, role, payload, hash, at } = send;
    const values = [
      instanceId,
      chat,
      id,
      pesanId,
      role,
      JSON.stringify(payload),
      hash,
      at,
      ...columns(drafts),
      messageKindOf(payload.content),
    ];
    return (await this.database.prepared('message_accept', ACCEPT, values)).length > 0;
  }

  async accepted(instanceId: string, pesanId: string): Promise<AcceptedSend | undefined> {
    const [row] = await this.database.prepared<AcceptedSend>(
      'message_accepted',
      'SELECT id, chat, role, payload, body_hash AS hash, at FROM message WHERE instance_id = $1 AND pesan_id = $2',
      [instanceId, pesanId],
    );
    return row;
  }

  /** Whether the chat is known at all, and whether its person wrote within a day. */
  async acquaintance(instanceId: string, chat: Jid): Promise<{ seen: boolean; isReply: boolean }> {
    const sql = this.database;
    const [row] = await sql.prepared<{ seen: boolean; isReply: boolean }>('message_acquaintance', ACQUAINTANCE, [
      instanceId,
      chat,
    ]);
    return row ?? { seen: false, isReply: false };
  }

  /** Id of the callback's row; undefined when the message was known. */
  async storeInbound(instanceId: string, message: NeutralMessage, draft: CallbackDraft): Promise<string | undefined> {
    const { chat, participant = '', fromMe, id, kind, at } = message;
    const payload = JSON.stringify(draft.payload.callback);
    const values = [instanceId, chat, participant, fromMe, id, kind, payload, at, ...columns([draft])];
    const [stored] = await this.database.prepared<{ rowId: string }>('message_inbound', STORE_INBOUND, values);
    return stored?.rowId;
  }

  /** What waits, was being sent or was never acknowledged, in the order of acceptance. */
  unsent(instanceId: string): Promise<UnsentMessage[]> {
    return this.database.prepared<UnsentMessage>('message_unsent', UNSENT, [instanceId]);
  }

  /** Waits for longer than any queue here should take to know of it. */
  forgotten(instanceId: string): Promise<UnsentMessage[]> {
    return this.database.prepared<UnsentMessage>('message_forgotten', FORGOTTEN, [instanceId]);
  }

  /** The message to hand over, or nothing when it failed or was acknowledged meanwhile. */
  async markSending(instanceId: string, id: string): Promise<OutPayload | undefined> {
    const [row] = await this.database.prepared<{ payload: OutPayload }>('message_sending', MARK_SENDING, [
      instanceId,
      id,
    ]);
    return row?.payload;
  }

  async markHandedOver(instanceId: string, id: string, waId: string): Promise<void> {
    await this.database.prepared('message_handed_over', MARK_HANDED_OVER, [instanceId, id, waId]);
  }

  /** The send whose status has risen, or nothing: known level, or not a message of ours. */
  async raise(
    tx: Sql,
    instanceId: string,
    change: StatusChange,
  ): Promise<(ReportedSend & { first: boolean }) | undefined> {
    const { id, participant = '', level, at } = change;
    const code: number = deliveryStatusCode(level satisfies DeliveryStatus);
    const values = [instanceId, id, participant, code, at];
    const [row] = await tx.prepared<ReportedSend & { first: boolean }>('status_raise', RAISE, values);
    return row;
  }

  fail(tx: Sql, instanceId: string, id: string | null, code: string): Promise<ReportedSend[]> {
    return tx.prepared<ReportedSend>('message_fail', FAIL, [instanceId, id, code]);
  }
}
