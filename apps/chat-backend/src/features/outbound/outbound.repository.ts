import { isUniqueViolation, type Database, type Sql } from '@platform/data';
import { storableJson, traceToKeep } from '@platform/runtime';
import type { BulkPace } from '../../clients/gateway.client';
import type { OutgoingFile } from '../media/public';
import type { Notified } from '../notifications/public';
import type { ConversationKey } from '../records/public';
import { refusals } from '../tenancy/public';
import {
  CREATE_CHAT,
  HAS_DEVICE,
  IS_CONNECTED,
  IS_SENDING,
  KEEP_FAILURE,
  KEEP_WA_ID,
  QUOTABLE,
  SEND,
  SENT,
  SENT_ELSEWHERE,
} from './outbound.sql';

export interface OutboundMessage {
  readonly pesan_id: string;
  readonly role: 'agent' | 'bot' | 'system';
  readonly user_id: string | null;
  readonly type: string;
  readonly pesan: string | null;
  readonly caption?: string | null;
  readonly media?: OutgoingFile | null;
  readonly detail: Readonly<Record<string, string>> | null;
  readonly quote: string | null;
  readonly preview: string;
  /** A message of a campaign, and at which pace the gateway is to let them go. */
  readonly campaign?: { readonly id: string } & BulkPace;
}

/** A chat that its first message creates. */
export interface NewChat extends ConversationKey {
  readonly customerId: string;
  readonly instance: string;
  readonly nohp: string;
  readonly team: string;
  readonly isGroup: boolean;
  /** Code of the status that it begins in; open unless given. */
  readonly status?: number;
  /** Of a customer that is not known yet. */
  readonly name?: string | null;
}

export interface SendConditions {
  /** Code of the only status in which the messages may go. */
  readonly ifStatus: number | undefined;
  /** Who takes the chat over by sending; undefined: the chat's state stays. */
  readonly actor: string | undefined;
  /** What the sender sees chats by (`sightOf`): it must still be theirs to answer when the messages go. Null or left out: any is. */
  readonly sight?: readonly string[] | null;
}

export interface Sent {
  readonly pesanId: string;
  readonly seq: number;
  /** Of the last of the call's messages, in the outbox. */
  readonly rowId: string;
  /** `data` and `chat_list` of the answer as JSON text. */
  readonly body: string;
  /** The history event of a takeover by this message. */
  readonly taken: object | null;
}

/** Undoes a chat whose message was refused or sent before. */
class NothingSent extends Error {}

/** Some were stored at the same moment by another call, which sees nothing of the rest: a second look leaves them out. */
const onceMore =
  (write: () => Promise<Sent[]>) =>
  (failure: unknown): Promise<Sent[]> => {
    if (isUniqueViolation(failure)) return write();
    throw failure;
  };

/** Sent at the same moment by another call: it is stored now. */
const sentMeanwhile = (failure: unknown): Sent[] => {
  if (failure instanceof NothingSent || isUniqueViolation(failure)) return [];
  throw failure;
};

export class OutboundRepository {
  constructor(private readonly sql: Sql) {}

  /** The same repository inside a transaction, or on other connections. */
  in(sql: Sql): OutboundRepository {
    return new OutboundRepository(sql);
  }

  /** Rows for the messages that were new, in order; none when all were sent before or the chat is in another status or not the sender's. */
  async send(chat: ConversationKey, messages: readonly OutboundMessage[], conditions: SendConditions): Promise<Sent[]> {
    const write = () => this.write(this.sql, chat, messages, conditions);
    return write().catch(onceMore(write)).catch(sentMeanwhile);
  }

  /** The same in one transaction with the chat, so that none is left empty. Nothing when the chat exists after all and the caller may not see it. */
  async sendFirst(
    database: Pick<Database, 'tx'>,
    { storeId, conversationId, instance, nohp, customerId, team, isGroup, status = 0, name = null }: NewChat,
    messages: readonly OutboundMessage[],
    conditions: SendConditions,
  ): Promise<Sent[]> {
    const values = [storeId, instance, nohp, conversationId, customerId, team, isGroup, status, name];
    const sent = database.tx(async (tx) => {
      const [created] = await tx.prepared('outbound_create_chat', CREATE_CHAT, values);
      if (!created) throw refusals.chatNotFound();
      const rows = await this.write(tx, { storeId, conversationId }, messages, conditions);
      if (rows.length === 0) throw new NothingSent();
      return rows;
    });
    return sent.catch(sentMeanwhile);
  }

  async hasDevice(storeId: string, instance: string): Promise<boolean> {
    return (await this.sql.prepared('outbound_has_device', HAS_DEVICE, [storeId, instance])).length > 0;
  }

  async isConnected(storeId: string, instance: string): Promise<boolean> {
    const [row] = await this.sql.prepared<{ connected: boolean }>('outbound_is_connected', IS_CONNECTED, [
      storeId,
      instance,
    ]);
    return row?.connected ?? false;
  }

  private write(
    sql: Sql,
    { storeId, conversationId }: ConversationKey,
    messages: readonly OutboundMessage[],
    { ifStatus, actor, sight }: SendConditions,
  ): Promise<Sent[]> {
    const input = storableJson(messages.map((message, ord) => ({ ord, ...message })));
    const values = [storeId, conversationId, input, ifStatus ?? null, actor ?? null, traceToKeep(), sight ?? null];
    return sql.prepared<Sent>('outbound_send', SEND, values);
  }

  /** A message by our id, and whether it stands in this chat. */
  async sent(
    { storeId, conversationId }: ConversationKey,
    instance: string,
    pesanId: string,
  ): Promise<{ body: string; here: boolean } | undefined> {
    const [row] = await this.sql.prepared<{ body: string; here: boolean }>('outbound_sent', SENT, [
      storeId,
      conversationId,
      instance,
      pesanId,
    ]);
    return row;
  }

  /** Whether another device of the store has the message: ids are those of their device alone. */
  async isSentElsewhere(storeId: string, instance: string, pesanId: string): Promise<boolean> {
    const values = [storeId, instance, pesanId];
    return (await this.sql.prepared('outbound_sent_elsewhere', SENT_ELSEWHERE, values)).length > 0;
  }

  async isQuotable({ storeId, conversationId }: ConversationKey, pesanId: string): Promise<boolean> {
    const found = await this.sql.prepared('outbound_quotable', QUOTABLE, [storeId, conversationId, pesanId]);
    return found.length > 0;
  }

  async isSending(storeId: string, instance: string, names: readonly string[]): Promise<boolean> {
    const values = [storeId, instance, names];
    const [row] = await this.sql.prepared<{ sending: boolean }>('outbound_is_sending', IS_SENDING, values);
    return row?.sending ?? false;
  }

  async keepWaId(tx: Sql, { storeId, conversationId }: ConversationKey, seq: number, waId: string): Promise<void> {
    await tx.prepared('outbound_wa_id', KEEP_WA_ID, [storeId, conversationId, seq, waId]);
  }

  /** Whom it notified. */
  async keepFailure(
    tx: Sql,
    { storeId, conversationId }: ConversationKey,
    seq: number,
    reason: string,
  ): Promise<readonly Notified[] | null> {
    const values = [storeId, conversationId, seq, reason];
    const [row] = await tx.prepared<{ notified: Notified[] | null }>('outbound_failure', KEEP_FAILURE, values);
    return row?.notified ?? null;
  }
}
