import type { Readable } from 'node:stream';
import { deliveryStatusOf, jidOf, parseCallbackNumber } from '@platform/contracts';
import type { Clock, Logger } from '@platform/runtime';
import type { EngineSink, Jid } from '../engine.types';
import type { SimulatorGroups } from './simulator.groups';
import type { Held, HeldMessage, Progress, SimulatorFaults, SimulatorStore } from './simulator.store';
import { SingleFlight } from '../../single-flight';

/** Where phones upload files and devices fetch them. */
export interface NetworkMedia {
  open(key: string): Readable;
}

export interface SimulatorContext {
  readonly store: SimulatorStore;
  readonly groups: SimulatorGroups;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly faults: () => SimulatorFaults;
  /** The simulated network's own media servers. */
  readonly media: NetworkMedia;
}

/** Bare digits of a person's chat, empty for a group. */
export const userOf = (chat: Jid): string => {
  const address = parseCallbackNumber(chat);
  return address?.kind === 'user' ? address.id : '';
};

const SENT = 1;
/** What came to the network through another replica of the gateway wakes nobody here. */
const LOOK_MS = 2_000;

/** In a group it matters whose phone got it; what the server has is not about a phone. */
const readerOf = ({ chat, phone }: Progress, level: number): { participant?: Jid } =>
  level > SENT && userOf(chat) === '' ? { participant: jidOf({ kind: 'user', id: phone }) } : {};

const byChat = <T extends { chat: Jid }>(items: readonly T[]): T[][] => {
  const chats = new Map<Jid, T[]>();
  for (const item of items) chats.set(item.chat, [...(chats.get(item.chat) ?? []), item]);
  return [...chats.values()];
};

const pass = async (sink: EngineSink, held: Held): Promise<void> => {
  if ('message' in held) await sink.message(held.message);
  else if ('reaction' in held) await sink.reaction(held.reaction);
  else sink.event(held.event, held.payload);
};

/** What moves between the network and one device: messages that wait for it, and how far its own have got. */
export class SimulatorTraffic {
  private readonly inbound: SingleFlight;
  private readonly receipts: SingleFlight;

  /** `line` is there while the device is connected. */
  constructor(
    private readonly instanceId: string,
    private readonly context: SimulatorContext,
    private readonly line: () => EngineSink | undefined,
  ) {
    this.inbound = new SingleFlight(() => this.deliverHeld(), context.logger);
    this.receipts = new SingleFlight(() => this.reportProgress(), context.logger);
  }

  /** There may be something to move. */
  run(): void {
    if (!this.line()) return;
    this.inbound.run();
    this.receipts.run();
  }

  async stop(): Promise<void> {
    await Promise.all([this.inbound.stop(), this.receipts.stop()]);
  }

  /** Marks a message as delivered only after the gateway has it for good: a crash in between delivers it again. */
  private async deliverHeld(): Promise<number | undefined> {
    const sink = this.line();
    const held = sink ? await this.context.store.held(this.instanceId) : [];
    await Promise.all(byChat(held).map((messages) => this.deliverChat(messages)));
    if (held.length > 0) return 0;
    return sink && LOOK_MS;
  }

  private async deliverChat(messages: readonly HeldMessage[]): Promise<void> {
    const { store, faults } = this.context;
    for (const { id, content } of messages) {
      const sink = this.line();
      if (!sink) return;
      for (let copies = faults().dup ? 2 : 1; copies > 0; copies--) await pass(sink, content);
      await store.taken(this.instanceId, id);
    }
  }

  private async reportProgress(): Promise<number | undefined> {
    const { store } = this.context;
    if (!this.line()) return undefined;
    const wait = await store.advance(this.instanceId);
    const progress = await store.unreported(this.instanceId);
    await Promise.all(byChat(progress).map((messages) => this.reportChat(messages)));
    return progress.length > 0 ? 0 : (wait ?? LOOK_MS);
  }

  /** Level by level: the phone network of the simulator loses no receipts. */
  private async reportChat(messages: readonly Progress[]): Promise<void> {
    const { store, clock } = this.context;
    for (const message of messages) {
      const { id, chat, level, reported } = message;
      for (let next = reported + 1; next <= level; next++) {
        const sink = this.line();
        if (!sink) return;
        const at = Math.floor(clock.now().getTime() / 1000);
        await sink.status({ id, chat, level: deliveryStatusOf(next), at, ...readerOf(message, next) });
      }
      await store.reported(this.instanceId, message);
    }
  }
}
