import { isUniqueViolation, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { ConversationKey } from '../records/public-id';
import { FIND_CHAT, IS_SENDING, KEEP_FAILURE, KEEP_WA_ID, SEND, SENT } from './outbound.sql';

export interface OutboundMessage {
  readonly pesan_id: string;
  readonly role: 'agent' | 'bot' | 'system';
  readonly user_id: string | null;
  readonly type: string;
  readonly pesan: string | null;
  readonly detail: Readonly<Record<string, string>> | null;
  readonly quote: string | null;
  readonly preview: string;
}

export interface SendConditions {
  /** Code of the only status in which the messages may go. */
  readonly ifStatus: number | undefined;
  /** Who takes the chat over by sending; undefined: the chat's state stays. */
  readonly actor: string | undefined;
}

export interface Sent {
  readonly pesanId: string;
  /** `data` and `chat_list` of the answer as JSON text. */
  readonly body: string;
}

export interface ChatQuestion {
  readonly storeId: string;
  readonly instance: string;
  readonly nohp: string;
  readonly conversationId: string | undefined;
  readonly teams: readonly string[] | undefined;
  readonly groups: boolean;
}

export class OutboundRepository {
  constructor(private readonly sql: Sql) {}

  async find({
    storeId,
    instance,
    nohp,
    conversationId,
    teams,
    groups,
  }: ChatQuestion): Promise<ConversationKey | undefined> {
    const [row] = await this.sql.prepared<{ id: string }>('outbound_find', FIND_CHAT, [
      storeId,
      instance,
      nohp,
      conversationId ?? null,
      teams ?? null,
      groups,
    ]);
    return row && { storeId, conversationId: row.id };
  }

  /** Rows for the messages that were new, in order; none when all were sent before or the chat is in another status. */
  async send(
    { storeId, conversationId }: ConversationKey,
    messages: readonly OutboundMessage[],
    { ifStatus, actor }: SendConditions,
  ): Promise<Sent[]> {
    const input = JSON.stringify(messages.map((message, ord) => ({ ord, ...message })));
    try {
      return await this.sql.prepared<Sent>('outbound_send', SEND, [
        storeId,
        conversationId,
        input,
        ifStatus ?? null,
        actor ?? null,
        uuidv7(),
      ]);
    } catch (failure) {
      // Sent at the same moment by another call: it is stored now
      if (isUniqueViolation(failure)) return [];
      throw failure;
    }
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

  async isSending(instance: string, nohp: string): Promise<boolean> {
    const [row] = await this.sql.prepared<{ sending: boolean }>('outbound_is_sending', IS_SENDING, [
      `${instance}|${nohp}`,
    ]);
    return row?.sending ?? false;
  }

  async keepWaId(tx: Sql, { storeId, conversationId }: ConversationKey, seq: number, waId: string): Promise<void> {
    await tx.prepared('outbound_wa_id', KEEP_WA_ID, [storeId, conversationId, seq, waId]);
  }

  async keepFailure(tx: Sql, { storeId, conversationId }: ConversationKey, seq: number, reason: string): Promise<void> {
    await tx.prepared('outbound_failure', KEEP_FAILURE, [storeId, conversationId, seq, reason]);
  }
}
