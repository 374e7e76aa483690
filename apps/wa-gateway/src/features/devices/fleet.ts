import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import { ServedElsewhere } from '../../elsewhere';
import { Semaphore, type Clock, type Component, type Logger, type Sends } from '@platform/runtime';
import type { Rate } from '../../config';
import type { EngineKind, WaEngine } from '../../engines/engine.types';
import type { CampaignLane, LanePort } from '../campaigns/public';
import type { InboundMedia } from '../files/public';
import type { LeaseKeeper } from '../leases/public';
import { TokenBucket, type MessagesRepository, type MessageReports } from '../messages/public';
import type { Announcer } from '../realtime/public';
import { DeviceLine } from './device-line';
import { DeviceSink } from './device.sink';
import type { Device, DevicesRepository } from '../registry/public';
import type { ProfilePictures } from './profile-pictures';

export type EngineFactory = (device: Device) => WaEngine;

export interface BootOptions {
  /** CONNECT_CONCURRENCY: devices that connect at the same time. */
  readonly concurrency: number;
  /** CONNECT_JITTER: each waits for up to so long first. */
  readonly jitterSeconds: number;
}

/** How messages leave a device. */
export interface SendingOptions {
  readonly rates: { readonly reply: Rate; readonly other: Rate };
  /** ACK_TIMEOUT: how long WhatsApp may take to acknowledge a send. */
  readonly ackSeconds: number;
  readonly sends: Sends;
}

export interface FleetOptions {
  /** The engines this process can run. */
  readonly engines: Partial<Record<EngineKind, EngineFactory>>;
  readonly devices: DevicesRepository;
  readonly messages: MessagesRepository;
  readonly reports: MessageReports;
  readonly announcer: Announcer;
  readonly media: InboundMedia;
  readonly pictures: ProfilePictures;
  /** WEBHOOK_SEND_REACTIONS. */
  readonly sendsReactions: boolean;
  /** Only the holder of a device's lease opens its line. */
  readonly leases: Pick<LeaseKeeper, 'start' | 'take' | 'giveBack' | 'stop'>;
  readonly boot: BootOptions;
  /** The campaign lane of a running device. */
  readonly laneOf: (line: LanePort) => CampaignLane;
  readonly sending: SendingOptions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Codes of a round die with the process that made them. */
const PAIRING: ReadonlySet<string> = new Set(['connecting', 'qr']);
/** These connect as soon as their line opens. */
const CONNECTS: ReadonlySet<string> = new Set(['connecting', 'connected', 'reconnecting', 'disconnected']);
/** The runner gives a service 10 s to stop. */
const DRAIN_MS = 5_000;
const CONNECT_LIMIT_MS = 20_000;
const SWEEP_MS = 30_000;
const CHASE_MS = 10_000;
const MEDIA_SILENCE_SECONDS = 90;

/** Until the owner is gone for good and another process has taken the device over. */
const moving = (): Unavailable => new Unavailable('starting', { code: 'UNAVAILABLE' });

/** The session manager: all devices that run in this process. */
export class Fleet implements Component {
  readonly name = 'devices';
  private readonly lines = new Map<string, Promise<DeviceLine>>();
  /** Lines whose lease is lost, until they are off the network. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly adopting = new Set<string>();
  private readonly left = new Set<string>();
  private readonly connecting: Semaphore;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly ending = new AbortController();
  private unwatch = (): void => undefined;

  constructor(private readonly options: FleetOptions) {
    this.connecting = new Semaphore(options.boot.concurrency);
  }

  /** Devices that nobody serves are put to work in the background; requests open the line of their device at once. */
  async start(): Promise<void> {
    this.timers.push(setInterval(() => void this.pickUpForgotten(), SWEEP_MS).unref());
    this.timers.push(setInterval(() => void this.chase(), CHASE_MS).unref());
    this.unwatch = this.options.sending.sends.watch(() => void this.eachLine(async (line) => line.wake()));
    await this.options.leases.start({
      lost: (instanceId) => void this.drop(instanceId),
      free: (instanceIds) => instanceIds.forEach((instanceId) => void this.adopt(instanceId)),
    });
  }

  /** Every line looks for sends that it should know of and does not. */
  pickUpForgotten(): Promise<void> {
    return this.eachLine((line) =>
      Promise.all([line.pickUpForgotten(), this.takeUpMedia(line, MEDIA_SILENCE_SECONDS)]),
    );
  }

  /** Every line looks for sends that nobody acknowledged. */
  chase(): Promise<void> {
    return this.eachLine((line) => line.chase(this.options.sending.ackSeconds));
  }

  /** What is being sent ends; what waits is sent by the next process, which may take the devices over at once. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.unwatch();
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    const closing = [...this.lines.values()].map((line) => line.then((open) => open.close()).catch(() => undefined));
    await Promise.race([Promise.all(closing), limit]);
    await this.options.leases.stop();
  }

  /** Sends that were accepted, of all devices, also of those that other processes serve. */
  async held(): Promise<number | undefined> {
    return this.options.sending.sends.held ? this.options.messages.keptBack() : undefined;
  }

  supports(engine: EngineKind): boolean {
    return this.options.engines[engine] !== undefined;
  }

  /**
   * The running device; the first call starts it. Throws `ServedElsewhere` when another process has it, which is
   * how every route that needs a device finds its way there.
   */
  line(device: Device): Promise<DeviceLine> {
    const known = this.lines.get(device.instanceId);
    if (known) return known;
    const opening = this.claimed(device).catch((failure: unknown) => {
      this.lines.delete(device.instanceId);
      throw failure;
    });
    this.lines.set(device.instanceId, opening);
    return opening;
  }

  /** The device, if it runs in this process. */
  async here(instanceId: string): Promise<DeviceLine | undefined> {
    return this.lines.get(instanceId)?.catch(() => undefined);
  }

  /** What an engine tells of this line. */
  sinkOf(line: DeviceLine): DeviceSink {
    return new DeviceSink(line, this.options);
  }

  /** The device gets another engine with its next use. */
  async retire(instanceId: string): Promise<void> {
    const line = this.lines.get(instanceId);
    this.lines.delete(instanceId);
    await (await line)?.close();
  }

  private async claimed(device: Device): Promise<DeviceLine> {
    const { instanceId } = device;
    await this.leaving.get(instanceId);
    await this.claim(instanceId);
    try {
      return await this.open(device);
    } catch (failure) {
      // Nobody would try again while the lease is held
      await this.options.leases.giveBack(instanceId).catch(() => undefined);
      throw failure;
    }
  }

  private async claim(instanceId: string): Promise<void> {
    const address = await this.options.leases.take(instanceId);
    if (address === undefined) return;
    if (address === null) throw moving();
    throw new ServedElsewhere({ baseUrl: address, mark: 'X-Gateway-Forwarded', otherwise: moving() });
  }

  /** Somebody else may be quicker, and a device whose engine is not here is left alone. */
  private async adopt(instanceId: string): Promise<void> {
    if (this.lines.has(instanceId) || this.adopting.has(instanceId)) return;
    const { devices, boot, logger } = this.options;
    this.adopting.add(instanceId);
    try {
      const device = await devices.find(instanceId);
      if (!device || !this.isServable(device)) return;
      if (CONNECTS.has(device.status)) await pause(Math.random() * boot.jitterSeconds * 1_000, undefined, this.ending);
      if (!this.ending.signal.aborted) await this.line(device);
    } catch (cause) {
      if (!(cause instanceof ServedElsewhere) && !this.ending.signal.aborted)
        logger.warn('a device could not be started; the next heartbeat tries again', {
          instance: instanceId,
          cause,
        });
    } finally {
      this.adopting.delete(instanceId);
    }
  }

  private isServable({ instanceId, engine }: Device): boolean {
    if (this.supports(engine)) return true;
    if (!this.left.has(instanceId))
      this.options.logger.warn('a device stays offline: its engine is not available', { instance: instanceId });
    this.left.add(instanceId);
    return false;
  }

  /** Before the lease ends somebody else must find the account free. */
  private async drop(instanceId: string): Promise<void> {
    const line = this.lines.get(instanceId);
    this.lines.delete(instanceId);
    const failed = (cause: unknown): void =>
      this.options.logger.warn('a line did not close cleanly', { instance: instanceId, cause });
    const leaving = line?.then((open) => open.drop()).catch(failed);
    if (!leaving) return;
    this.leaving.set(instanceId, leaving);
    await leaving.finally(() => this.leaving.delete(instanceId));
  }

  private async eachLine(work: (line: DeviceLine) => Promise<unknown>): Promise<void> {
    const failed = (cause: unknown): void => this.options.logger.warn('pending sends could not be read', { cause });
    for (const line of [...this.lines.values()]) await line.then(work).catch(failed);
  }

  private async open(device: Device): Promise<DeviceLine> {
    if (!CONNECTS.has(device.status)) return this.begin(device);
    const leave = await this.connecting.acquire();
    try {
      const line = await this.begin(device);
      void line.arrived(CONNECT_LIMIT_MS).then(leave);
      return line;
    } catch (failure) {
      leave();
      throw failure;
    }
  }

  private async begin(device: Device): Promise<DeviceLine> {
    const { instanceId, engine: kind, status } = device;
    const { engines, sending, clock, messages, reports, laneOf, logger } = this.options;
    const { rates, sends } = sending;
    const create = engines[kind];
    if (!create) throw new Error(`the engine ${kind} is not available`);
    const buckets = { reply: new TokenBucket(rates.reply, clock), other: new TokenBucket(rates.other, clock) };
    const engine = create(device);
    const line = new DeviceLine({ instanceId, engine, sending: { buckets, sends }, messages, reports, laneOf, logger });
    await line.recover();
    await line.engine.start(this.sinkOf(line));
    if (PAIRING.has(status) && !line.engine.info().linked)
      await this.options.devices.update(instanceId, { status: 'qr_expired' });
    await this.takeUpMedia(line);
    return line;
  }

  /** Callbacks that wait for files of an earlier process, or of one that died meanwhile. */
  private takeUpMedia({ instanceId, engine }: DeviceLine, olderThanSeconds = 0): Promise<void> {
    return this.options.media.resume(instanceId, engine, olderThanSeconds);
  }
}
