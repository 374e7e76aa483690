import { Unavailable } from '@platform/errors';
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

/** The parts of one webhook, of which each is stored by itself. */
class Parts {
  /** Whose parts wait for one that failed. */
  private readonly stuck = new Set<string>();
  private readonly failures: unknown[] = [];

  /** Unless one of the same names has failed: what is told of them is stored in its order. */
  async store(names: () => Promise<readonly string[]>, work: () => Promise<void>): Promise<void> {
    try {
      if (this.stuck.size > 0 && this.waits(await names())) return;
      await work();
    } catch (failure) {
      // All others would fail alike
      if (failure instanceof Unavailable) throw failure;
      this.failures.push(failure);
      await this.block(names);
    }
  }

  private async block(names: () => Promise<readonly string[]>): Promise<void> {
    try {
      for (const name of await names()) this.stuck.add(name);
    } catch (failure) {
      // Else it does not say of whom it tells, and nobody waits for it
      if (failure instanceof Unavailable) throw failure;
    }
  }

  /** Whoever waits makes all of their names wait. */
  private waits(names: readonly string[]): boolean {
    const waits = names.some((name) => this.stuck.has(name));
    if (waits) for (const name of names) this.stuck.add(name);
    return waits;
  }

  /** Throws the first failure. */
  demandAll(): void {
    if (this.failures.length > 0) throw this.failures[0];
  }
}

/**
 * What a webhook brings for one device, handed to its sink one after the other. What is not stored keeps nobody else's from it; at the end it
 * rejects with the first of that, and all of it comes again.
 */
export class CloudInbox {
  private readonly identities: IdentityStore;

  constructor(
    private readonly instanceId: string,
    private readonly store: CloudMessages,
    private readonly clock: Clock,
  ) {
    this.identities = store.identitiesOf(instanceId);
  }

  async take(values: readonly CloudValue[], sink: EngineSink): Promise<void> {
    const parts = new Parts();
    for (const { contacts, messages = [], statuses = [] } of values) {
      for (const message of messages)
        await parts.store(
          async () => this.namesOf(writerNamed(message, contacts)),
          () => this.message(message, contacts, sink),
        );
      for (const status of statuses)
        await parts.store(
          async () => [status.id],
          () => this.status(status, sink),
        );
    }
    parts.demandAll();
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

  /** Their chat, by each of its names. */
  private async namesOf(named: Named): Promise<string[]> {
    const [chat, hidden] = [chatOf(named), bsuidOf(named)];
    const known = chat === hidden ? await this.identities.numberOf(hidden) : undefined;
    return [chat, hidden, known?.pn].filter((name) => name !== undefined);
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
