import { isRefusedForEver, sqlState, type Database, type Transaction } from '@platform/data';
import { enqueueRows } from '@platform/outbox';
import type { Clock, Logger } from '@platform/runtime';
import type { NeutralMessage, StatusChange } from '../../engines/engine.types';
import { failureDraft, messageDraft } from '../callbacks/public';
import type { WaitingRow } from '../files/public';
import type { Announcer, GatewayEvents } from '../realtime/public';
import type { MessagesRepository, ReportedSend, StatusSubject } from './messages.repository';
import { storableMessage, unreadable } from './storable-message';

export interface FailureReason {
  readonly code: string;
  readonly retryable: boolean;
}

export interface MessageReportsOptions {
  readonly database: Database;
  readonly messages: MessagesRepository;
  readonly announcer: Announcer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What happened on a device, written down together with the callback that tells of it; sockets hear it after the commit. */
export class MessageReports {
  constructor(private readonly options: MessageReportsOptions) {}

  /**
   * Resolves when the message is durable, and so is the row that tells the receiver; to that row when it waits for its file.
   * A known message changes nothing. One that the database refuses for ever is kept and told as `unreadable`: nothing behind
   * it waits.
   */
  async message(instanceId: string, arrived: NeutralMessage): Promise<WaitingRow | undefined> {
    const { clock, logger } = this.options;
    const message = storableMessage(arrived);
    try {
      return await this.keep(instanceId, message);
    } catch (cause) {
      if (!isRefusedForEver(cause)) throw cause;
      const reason = sqlState(cause) ?? '';
      logger.error('the database will never take a message; it is told as unreadable', {
        instance: instanceId,
        id: message.id,
        cause,
      });
      return this.keep(instanceId, unreadable(message, { now: clock.now(), reason }));
    }
  }

  private async keep(instanceId: string, message: NeutralMessage): Promise<WaitingRow | undefined> {
    const { messages, announcer } = this.options;
    const draft = messageDraft(instanceId, message);
    const stored = await messages.storeInbound(instanceId, message, draft);
    if (!stored) return undefined;
    announcer.tell(instanceId, 'newMessage', draft.payload.callback);
    for (const status of stored.reported) this.tellStatus(instanceId, message.id, status);
    return draft.waits ? { id: stored.rowId, payload: draft.payload } : undefined;
  }

  /** A level that is not above the known one changes nothing; one of a message that is not there yet waits for it (design 3.4). */
  async status(instanceId: string, change: StatusChange): Promise<void> {
    const { messages, logger } = this.options;
    const subject = await messages.raise(instanceId, change).catch((cause: unknown) => {
      if (!isRefusedForEver(cause)) throw cause;
      // Its id was made up by whoever sent the receipt: none of ours is refused
      logger.warn('the database will never take a status; it is passed over', { instance: instanceId, cause });
      return undefined;
    });
    if (subject) this.tellStatus(instanceId, change.id, { ...change, ...subject });
  }

  /** The send failed after it was accepted: without this an agent would see it as pending for ever (design 3.3). */
  failure(instanceId: string, id: string, reason: FailureReason): Promise<void> {
    return this.fail(instanceId, id, reason);
  }

  /** WhatsApp says that the send will not arrive, perhaps after it took it. */
  undelivered(instanceId: string, id: string, reason: FailureReason): Promise<void> {
    return this.fail(instanceId, id, reason, true);
  }

  /** Every send that waits fails: the account is gone. */
  failAll(instanceId: string, reason: FailureReason): Promise<void> {
    return this.fail(instanceId, null, reason);
  }

  private tellStatus(
    instanceID: string,
    id: string,
    status: StatusSubject & Pick<StatusChange, 'level' | 'participant'>,
  ): void {
    const { chat: number, pesanId: pesan_id, level, participant } = status;
    const event = { instanceID, number, id, pesan_id, status: level };
    this.options.announcer.tell(instanceID, 'messageStatus', participant ? { ...event, participant } : event);
  }

  private async fail(instanceId: string, id: string | null, reason: FailureReason, evenAcked = false): Promise<void> {
    const { database, messages, clock } = this.options;
    const at = Math.floor(clock.now().getTime() / 1000);
    await database.tx(async (tx) => {
      const sends = await messages.fail(tx, { instanceId, id, code: reason.code, evenAcked });
      const rowOf = ({ webhookUrl: target, ...send }: ReportedSend) => ({
        ...failureDraft({ instanceId, at, ...send }, reason),
        target,
      });
      await enqueueRows(tx, sends.map(rowOf));
      for (const { chat: number, id: sent, pesanId: pesan_id } of sends)
        this.tellLater(tx, instanceId, 'messageFailed', {
          instanceID: instanceId,
          number,
          id: sent,
          pesan_id,
          ...reason,
        });
    });
  }

  private tellLater<E extends keyof GatewayEvents>(
    tx: Transaction,
    instanceId: string,
    event: E,
    payload: GatewayEvents[E],
  ): void {
    tx.afterCommit(() => this.options.announcer.tell(instanceId, event, payload));
  }
}
