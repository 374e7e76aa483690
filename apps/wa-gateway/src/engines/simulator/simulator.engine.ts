import type { Readable } from 'node:stream';
import { deliveryStatusOf, jidOf, parseCallbackNumber } from '@platform/contracts';
import { Conflict } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import {
  capabilityNames,
  EngineOffline,
  type Capabilities,
  type DeviceSnapshot,
  type EngineSink,
  type Jid,
  type MediaRef,
  type OutContent,
  type SendOptions,
  type WaEngine,
} from '../engine.types';
import { PairingRound } from './pairing-round';
import type { Phone, Progress, HeldMessage, SimulatorFaults, SimulatorStore } from './simulator.store';
import { SingleFlight } from './single-flight';

/** Where phones upload files and devices fetch them. */
export interface NetworkMedia {
  open(key: string): Readable;
}

export interface SimulatorContext {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly faults: () => SimulatorFaults;
  /** The simulated network's own media servers. */
  readonly media: NetworkMedia;
}

const capabilities = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Capabilities;

const userOf = (chat: Jid): string => {
  const address = parseCallbackNumber(chat);
  return address?.kind === 'user' ? address.id : '';
};

const byChat = <T extends { chat: Jid }>(items: readonly T[]): T[][] => {
  const chats = new Map<Jid, T[]>();
  for (const item of items) chats.set(item.chat, [...(chats.get(item.chat) ?? []), item]);
  return [...chats.values()];
};

/** A device on the simulated network: what WhatsApp would do to it, with the same promises and none of the cryptography. */
export class SimulatorEngine implements WaEngine {
  readonly kind = 'simulator';
  readonly capabilities = capabilities;
  private sink: EngineSink | undefined;
  private account: Phone | undefined;
  private round: PairingRound | undefined;
  private online = false;
  private readonly inbound: SingleFlight;
  private readonly receipts: SingleFlight;

  constructor(
    private readonly instanceId: string,
    private readonly context: SimulatorContext,
  ) {
    this.inbound = new SingleFlight(() => this.deliverHeld(), context.logger);
    this.receipts = new SingleFlight(() => this.reportProgress(), context.logger);
  }

  async start(sink: EngineSink): Promise<void> {
    this.sink = sink;
    this.account = await this.context.store.linkedPhone(this.instanceId);
    if (this.account) await this.connect();
  }

  async stop(): Promise<void> {
    this.online = false;
    this.round?.stop();
    await Promise.all([this.inbound.stop(), this.receipts.stop()]);
  }

  async logout(): Promise<void> {
    this.round?.stop();
    this.round = undefined;
    await this.unlink();
    await this.sink?.state('logged_out');
  }

  async pair(phone?: Jid): Promise<void> {
    if (this.account || this.round) return;
    await this.sink?.state('connecting');
    const failed = (cause: unknown): void => this.context.logger.warn('a pairing step was not recorded', { cause });
    this.round = new PairingRound(this.instanceId, phone !== undefined, this.context.clock, {
      code: (info) => void this.sink?.qr(info).catch(failed),
      expired: () => {
        this.round = undefined;
        void this.sink?.state('qr_expired').catch(failed);
      },
    });
    this.round.start();
  }

  info(): DeviceSnapshot {
    if (!this.account) return { linked: false };
    const number = jidOf({ kind: 'user', id: this.account.nohp });
    return { linked: true, number, pushName: this.account.name, platform: 'simulator' };
  }

  async send(to: Jid, content: OutContent, { id }: SendOptions): Promise<{ waId: string }> {
    if (!this.online) throw new EngineOffline('the simulated device is not connected');
    const { store, faults } = this.context;
    const { drop, nack463, delay_ms: delayMs } = faults();
    if (drop) return { waId: id };
    if (nack463) {
      await this.sink?.failure({ id, code: 'WA_463', retryable: false });
      return { waId: id };
    }
    await store.accept({ instanceId: this.instanceId, id, phone: userOf(to), chat: to, content, delayMs });
    this.receipts.run();
    return { waId: id };
  }

  async fetchMedia({ key }: MediaRef): Promise<Readable> {
    return this.context.media.open(key);
  }

  async exists(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, boolean>> {
    const known = await this.context.store.known(numbers.map(userOf));
    return new Map(numbers.map((number) => [number, known.has(userOf(number))]));
  }

  /** The shop's phone scans the code that is shown now. */
  async scan(phone: Phone, qr: string | undefined): Promise<void> {
    if (this.account) throw new Conflict('device already connected', { details: { retryable: false } });
    if (!this.round) throw new Conflict('qrcode not ready');
    if (qr !== undefined && !this.round.isCurrent(qr)) throw new Conflict('qrcode expired');
    this.round.stop();
    this.round = undefined;
    await this.adopt(phone);
  }

  /** Links without a code, as a restored backup would. */
  async adopt(phone: Phone): Promise<void> {
    await this.context.store.link(this.instanceId, phone.nohp);
    this.account = phone;
    await this.connect();
  }

  /** WhatsApp ends the session: another client took the account over, or it was banned. */
  async end(state: 'replaced' | 'banned'): Promise<void> {
    await this.unlink();
    await this.sink?.state(state, state === 'banned' ? '403 banned' : '440 replaced');
  }

  /** There may be something for this device on the network. */
  wake(): void {
    if (!this.online) return;
    this.inbound.run();
    this.receipts.run();
  }

  private async unlink(): Promise<void> {
    this.online = false;
    this.account = undefined;
    await this.context.store.unlink(this.instanceId);
  }

  private async connect(): Promise<void> {
    this.online = true;
    await this.sink?.state('connected');
    this.wake();
  }

  /** Marks a message as delivered only after the gateway has it for good: a crash in between delivers it again. */
  private async deliverHeld(): Promise<number | undefined> {
    const { store } = this.context;
    const held = this.online ? await store.held(this.instanceId) : [];
    await Promise.all(byChat(held).map((messages) => this.deliverChat(messages)));
    return held.length > 0 ? 0 : undefined;
  }

  private async deliverChat(messages: readonly HeldMessage[]): Promise<void> {
    const { store, faults } = this.context;
    for (const { id, content } of messages) {
      for (let copies = faults().dup ? 2 : 1; copies > 0; copies--) await this.sink?.message(content);
      await store.taken(this.instanceId, id);
    }
  }

  private async reportProgress(): Promise<number | undefined> {
    const { store } = this.context;
    if (!this.online) return undefined;
    const wait = await store.advance(this.instanceId);
    const progress = await store.unreported(this.instanceId);
    await Promise.all(byChat(progress).map((messages) => this.reportChat(messages)));
    return progress.length > 0 ? 0 : wait;
  }

  /** Level by level: the phone network of the simulator loses no receipts. */
  private async reportChat(messages: readonly Progress[]): Promise<void> {
    const { store, clock } = this.context;
    for (const { id, chat, level, reported } of messages) {
      for (let next = reported + 1; next <= level; next++) {
        const at = Math.floor(clock.now().getTime() / 1000);
        await this.sink?.status({ id, chat, level: deliveryStatusOf(next), at });
      }
      await store.reported(this.instanceId, id, level);
    }
  }
}
