import type { Readable } from 'node:stream';
import { jidOf } from '@platform/contracts';
import { Mutex } from '@platform/runtime';
import { refusals } from '../../refusals';
import { EngineOffline } from '../engine.errors';
import {
  capabilityNames,
  type Capabilities,
  type DeviceSnapshot,
  type EngineSink,
  type EngineTraits,
  type Group,
  type GroupAction,
  type Jid,
  type MediaRef,
  type MessageKey,
  type OutContent,
  type ParticipantResult,
  type SendOptions,
  type StatusChange,
  type WaEngine,
} from '../engine.types';
import { PairingRound } from './pairing-round';
import type { Phone } from './simulator.store';
import { SimulatorTraffic, userOf, type SimulatorContext } from './simulator.traffic';

const capabilities = Object.fromEntries(capabilityNames.map((name) => [name, true])) as Capabilities;
export const simulatorTraits: EngineTraits = { kind: 'simulator', capabilities };

/** A device on the simulated network: what WhatsApp would do to it, with the same promises and none of the cryptography. */
export class SimulatorEngine implements WaEngine {
  readonly kind = 'simulator';
  readonly capabilities = capabilities;
  readonly repeatable = true;
  private sink: EngineSink | undefined;
  private account: Phone | undefined;
  private round: PairingRound | undefined;
  /** What becomes of the account: a scan during a logout would leave one that is linked here and logged out elsewhere. */
  private readonly changes = new Mutex();
  private online = false;
  private readonly composing = new Set<Jid>();
  private readonly traffic: SimulatorTraffic;

  constructor(
    private readonly instanceId: string,
    private readonly context: SimulatorContext,
  ) {
    this.traffic = new SimulatorTraffic(instanceId, context, () => (this.online ? this.sink : undefined));
  }

  async start(sink: EngineSink): Promise<void> {
    this.sink = sink;
    this.account = await this.context.store.linkedPhone(this.instanceId);
    if (this.account) await this.connect();
  }

  async stop(): Promise<void> {
    this.online = false;
    this.round?.stop();
    await this.traffic.stop();
  }

  logout(): Promise<void> {
    return this.changes.run(async () => {
      this.round?.stop();
      this.round = undefined;
      await this.unlink();
      await this.sink?.state('logged_out');
    });
  }

  pair(phone?: Jid): Promise<void> {
    return this.changes.run(async () => {
      if (this.account || this.round) return;
      await this.sink?.state('connecting');
      this.round = this.newRound(phone !== undefined);
      this.round.start();
    });
  }

  info(): DeviceSnapshot {
    if (!this.account) return { linked: false };
    const number = jidOf({ kind: 'user', id: this.account.nohp });
    return { linked: true, number, pushName: this.account.name, platform: 'simulator' };
  }

  async send(to: Jid, content: OutContent, { id, ...options }: SendOptions): Promise<{ waId: string }> {
    if (!this.online) throw new EngineOffline('the simulated device is not connected');
    const { store, faults } = this.context;
    const { drop, nack463, delay_ms: delayMs } = faults();
    if (drop) return { waId: id };
    if (nack463) {
      await this.sink?.failure({ id, code: 'WA_463', retryable: false });
      return { waId: id };
    }
    const phones = await this.phonesOf(to);
    const sent = { ...content, ...options };
    await store.accept({ instanceId: this.instanceId, id, phones, chat: to, content: sent, delayMs });
    this.composing.delete(to);
    this.traffic.run();
    return { waId: id };
  }

  async fetchMedia({ key }: MediaRef): Promise<Readable> {
    return this.context.media.open(key);
  }

  async exists(numbers: readonly Jid[]): Promise<ReadonlyMap<Jid, boolean>> {
    const known = await this.context.store.known(numbers.map(userOf));
    return new Map(numbers.map((number) => [number, known.has(userOf(number))]));
  }

  markRead(keys: readonly MessageKey[]): Promise<void> {
    return this.context.store.seen(
      this.instanceId,
      keys.map(({ id }) => id),
    );
  }

  async typing(to: Jid, on: boolean): Promise<void> {
    if (on) this.composing.add(to);
    else this.composing.delete(to);
  }

  /** Phones of this network have none. */
  async profilePicture(): Promise<undefined> {
    return undefined;
  }

  groupCreate(name: string, participants: readonly Jid[]): Promise<{ group: Group; results: ParticipantResult[] }> {
    return this.context.groups.create(this.ownNumber(), name, participants.map(userOf));
  }

  groupInfo(id: Jid): Promise<Group | undefined> {
    return this.context.groups.info(id, this.ownNumber());
  }

  async groupParticipants(
    id: Jid,
    action: GroupAction,
    participants: readonly Jid[],
  ): Promise<ParticipantResult[] | undefined> {
    const { groups } = this.context;
    const own = this.ownNumber();
    if (!(await groups.info(id, own))) return undefined;
    const results = await groups.change(id, own, action, participants.map(userOf));
    const changed = results.filter(({ status }) => status === 200).map(({ number }) => number);
    if (changed.length > 0) this.sink?.event('groupUpdate', { group_id: id, action, participants: changed });
    return results;
  }

  /** Whom the gateway shows as being written to. */
  isComposing(to: Jid): boolean {
    return this.composing.has(to);
  }

  /** The shop's phone scans the code that is shown now. */
  scan(phone: Phone, qr: string | undefined): Promise<void> {
    return this.changes.run(async () => {
      if (this.account) throw refusals.alreadyConnected();
      if (!this.round) throw refusals.codeNotReady();
      if (qr !== undefined && !this.round.isCurrent(qr)) throw refusals.codeExpired();
      this.round.stop();
      this.round = undefined;
      await this.link(phone);
    });
  }

  /** Links without a code, as a restored backup would. */
  adopt(phone: Phone): Promise<void> {
    return this.changes.run(() => this.link(phone));
  }

  /** WhatsApp ends the session: another client took the account over, or it was banned. */
  end(state: 'replaced' | 'banned'): Promise<void> {
    return this.changes.run(async () => {
      await this.unlink();
      await this.sink?.state(state, state === 'banned' ? '403 banned' : '440 replaced');
    });
  }

  /** There may be something for this device on the network. */
  wake(): void {
    this.traffic.run();
  }

  /** WhatsApp tells this device that a message of it has got so far, whatever it told before. */
  async tell(change: StatusChange): Promise<void> {
    if (!this.online) throw refusals.notConnected();
    await this.sink?.status(change);
  }

  private ownNumber(): string {
    if (!this.account) throw new EngineOffline('the simulated device is not connected');
    return this.account.nohp;
  }

  private async phonesOf(to: Jid): Promise<string[]> {
    const phone = userOf(to);
    if (phone) return [phone];
    const members = await this.context.groups.members(to);
    return members.map(({ nohp }) => nohp).filter((nohp) => nohp !== this.account?.nohp);
  }

  private newRound(withTypedCode: boolean): PairingRound {
    const { clock, logger } = this.context;
    const step = (record: () => Promise<void> | undefined): void =>
      void this.changes
        .run(async () => (this.round === round ? record() : undefined))
        .catch((cause: unknown) => logger.warn('a pairing step was not recorded', { cause }));
    const round: PairingRound = new PairingRound(this.instanceId, withTypedCode, clock, {
      code: (info) => step(() => this.sink?.qr(info)),
      expired: () =>
        step(() => {
          this.round = undefined;
          return this.sink?.state('qr_expired');
        }),
    });
    return round;
  }

  private async link(phone: Phone): Promise<void> {
    await this.context.store.link(this.instanceId, phone.nohp);
    this.account = phone;
    await this.connect();
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
}
