import type { Clock } from '@platform/runtime';
import type { EngineSink, Jid } from '../engine.types';
import type { IdentityStore } from '../identity.store';
import {
  bsuidOf,
  chatOf,
  levelOf,
  messageOf,
  reactionOf,
  secondsOf,
  writerNamed,
  type Named,
} from './cloud.normaliser';
import type { CloudMessages } from './cloud.store';
import { failureCode } from './cloud.verdict';
import type { CloudMessage, CloudStatus, CloudValue } from './cloud.webhook.types';

const UNKNOWN_ERROR = 131000;

/** What a webhook brings for one device, handed to its sink one after the other; rejects with the first that was not stored. */
export class CloudInbox {
  private readonly identities: IdentityStore;

  constructor(
    private readonly instanceId: string,
    private readonly store: CloudMessages,
    private readonly clock: Clock,
  ) {
    this.identities = store.identitiesOf(instanceId);
  }

  async take({ contacts, messages = [], statuses = [] }: CloudValue, sink: EngineSink): Promise<void> {
    for (const message of messages) await this.message(message, contacts, sink);
    for (const status of statuses) await this.status(status, sink);
  }

  private async message(message: CloudMessage, contacts: CloudValue['contacts'], sink: EngineSink): Promise<void> {
    const { store, instanceId, clock } = this;
    const now = clock.now();
    const writer = writerNamed(message, contacts);
    const { chat, since } = await this.chatOf(writer, secondsOf(message.timestamp, now));
    const hidden = bsuidOf(writer);
    const target = message.reaction?.message_id;
    if (target !== undefined) {
      const ours = await store.idOf(instanceId, target);
      return sink.reaction(reactionOf(message, ours ?? target, { chat, hidden, contacts, now }));
    }
    const quoted = message.context?.id;
    const quote = quoted === undefined ? undefined : await store.textOf(instanceId, quoted);
    await sink.message(messageOf(message, { chat, hidden, since, contacts, quote, now }));
  }

  /** Of our sends Meta tells our own id back; what other programs send through the number is not ours to report. */
  private async status(status: CloudStatus, sink: EngineSink): Promise<void> {
    const { store, instanceId, clock } = this;
    const id = status.biz_opaque_callback_data ?? (await store.idOf(instanceId, status.id));
    if (id === undefined) return;
    await store.learn(instanceId, id, status.id);
    const level = levelOf(status);
    const { recipient_id: digits, recipient_user_id: userId, timestamp, errors } = status;
    if (level) {
      const at = secondsOf(timestamp, clock.now());
      const { chat } = await this.chatOf({ digits, userId }, at);
      await sink.status({ id, chat, level, at });
    }
    if (status.status === 'failed')
      await sink.failure({ id, code: failureCode(errors?.[0]?.code ?? UNKNOWN_ERROR), retryable: false });
  }

  /** Who comes to hide a number that is known here stays in the same chat; `since`: it is only remembered from then. */
  private async chatOf(named: Named, at: number): Promise<{ readonly chat: Jid; readonly since?: number }> {
    const [chat, hidden] = [chatOf(named), bsuidOf(named)];
    if (hidden === undefined) return { chat };
    if (chat === hidden) {
      const known = await this.identities.numberOf(hidden);
      return known ? { chat: known.pn, since: known.since } : { chat };
    }
    await this.identities.learn(hidden, chat, at);
    return { chat };
  }
}
