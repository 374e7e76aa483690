import type { GatewayEvents } from '@platform/contracts';
import type { Database, Transaction } from '@platform/data';
import { enqueueRows } from '@platform/outbox';
import type { Clock } from '@platform/runtime';
import type { NeutralMessage, StatusChange } from '../../engines/engine.types';
import { failureDraft, messageDraft, statusDraft } from '../callbacks/callback.row';
import type { WaitingRow } from '../files/inbound-media.service';
import type { Announcer } from '../realtime/announcer';
import type { MessagesRepository, ReportedSend } from './messages.repository';

export interface FailureReason {
  readonly code: string;
  readonly retryable: boolean;
}

/** What happened on a device, written down together with the callback that tells of it; sockets hear it after the commit. */
export class MessageReports {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesRepository,
    private readonly announcer: Announcer,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the message is durable, and so is the row that tells the receiver; to that row when it waits for its file.
   * A known message changes nothing.
   */
  async message(instanceId: string, message: NeutralMessage): Promise<WaitingRow | undefined> {
    const draft = messageDraft(instanceId, message);
    const id = await this.messages.storeInbound(instanceId, message, draft);
    if (id === undefined) return undefined;
    this.announcer.tell(instanceId, 'newMessage', draft.payload.callback);
    return draft.waits ? { id, payload: draft.payload } : undefined;
  }

  /** A level that is not above the known one changes nothing (design 3.4). */
  async status(instanceId: string, change: StatusChange): Promise<void> {
    await this.database.tx(async (tx) => {
      const send = await this.messages.raise(tx, instanceId, change);
      if (!send) return;
      const { chat, id, pesanId } = send;
      if (send.first) {
        const draft = statusDraft({ instanceId, chat, id, pesanId, at: change.at }, change.level);
        await enqueueRows(tx, [{ ...draft, target: send.webhookUrl }]);
      }
      const { level: status, participant } = change;
      const event = { instanceID: instanceId, number: chat, id, pesan_id: pesanId, status };
      this.tellLater(tx, instanceId, 'messageStatus', participant ? { ...event, participant } : event);
    });
  }

  /** The send failed after it was accepted: without this an agent would look at a clock for ever (design 3.3). */
  failure(instanceId: string, id: string, reason: FailureReason): Promise<void> {
    return this.fail(instanceId, id, reason);
  }

  /** Every send that has not arrived yet fails: the account is gone. */
  failAll(instanceId: string, reason: FailureReason): Promise<void> {
    return this.fail(instanceId, null, reason);
  }

  private async fail(instanceId: string, id: string | null, reason: FailureReason): Promise<void> {
    const at = Math.floor(this.clock.now().getTime() / 1000);
    await this.database.tx(async (tx) => {
      const sends = await this.messages.fail(tx, instanceId, id, reason.code);
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
    tx.afterCommit(() => this.announcer.tell(instanceId, event, payload));
  }
}
