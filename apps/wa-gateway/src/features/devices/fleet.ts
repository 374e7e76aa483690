import type { Clock, Component, Logger } from '@platform/runtime';
import type { Rate } from '../../config';
import type { EngineKind, WaEngine } from '../../engines/engine.types';
import type { InboundMedia } from '../files/inbound-media.service';
import type { MessagesRepository } from '../messages/messages.repository';
import type { MessageReports } from '../messages/message-reports.service';
import { TokenBucket } from '../messages/token-bucket';
import type { Announcer } from '../realtime/announcer';
import { DeviceLine } from './device-line';
import { DeviceSink } from './device.sink';
import type { Device } from './device.entity';
import type { DevicesRepository } from './devices.repository';

export type EngineFactory = (instanceId: string) => WaEngine;

export interface FleetOptions {
  /** The engines this process can run. */
  readonly engines: Partial<Record<EngineKind, EngineFactory>>;
  readonly devices: DevicesRepository;
  readonly messages: MessagesRepository;
  readonly reports: MessageReports;
  readonly announcer: Announcer;
  readonly media: InboundMedia;
  readonly rates: { readonly reply: Rate; readonly other: Rate };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Codes of a round die with the process that made them. */
const PAIRING: ReadonlySet<string> = new Set(['connecting', 'qr']);
const DRAIN_MS = 10_000;
const SWEEP_MS = 30_000;
const MEDIA_SILENCE_SECONDS = 90;

/** All devices at work in this process. */
export class Fleet implements Component {
  readonly name = 'devices';
  private readonly lines = new Map<string, Promise<DeviceLine>>();
  private sweep: NodeJS.Timeout | undefined;

  constructor(private readonly options: FleetOptions) {}

  async start(): Promise<void> {
    const { devices } = this.options;
    this.sweep = setInterval(() => void this.pickUpForgotten(), SWEEP_MS).unref();
    for (const device of await devices.all()) {
      if (PAIRING.has(device.status)) await devices.update(device.instanceId, { status: 'qr_expired' });
      if (this.supports(device.engine)) await this.line(device);
      else
        this.options.logger.warn('a device stays away: its engine is not available', { instance: device.instanceId });
    }
  }

  /** Every line looks for sends that it should know of and does not. */
  async pickUpForgotten(): Promise<void> {
    for (const line of this.lines.values())
      await line
        .then((open) => Promise.all([open.pickUpForgotten(), this.takeUpMedia(open, MEDIA_SILENCE_SECONDS)]))
        .catch((cause: unknown) => this.options.logger.warn('forgotten sends could not be looked for', { cause }));
  }

  /** What is being sent ends; what waits is sent by the next process. */
  async stop(): Promise<void> {
    clearInterval(this.sweep);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
    const closing = [...this.lines.values()].map(async (line) => (await line).close());
    await Promise.race([Promise.all(closing), limit]);
  }

  supports(engine: EngineKind): boolean {
    return this.options.engines[engine] !== undefined;
  }

  /** The device at work; it is put to work by the first call. */
  line(device: Pick<Device, 'instanceId' | 'engine'>): Promise<DeviceLine> {
    const known = this.lines.get(device.instanceId);
    if (known) return known;
    const opening = this.open(device).catch((failure: unknown) => {
      this.lines.delete(device.instanceId);
      throw failure;
    });
    this.lines.set(device.instanceId, opening);
    return opening;
  }

  /** The device gets another engine with its next use. */
  async retire(instanceId: string): Promise<void> {
    const line = this.lines.get(instanceId);
    this.lines.delete(instanceId);
    await (await line)?.close();
  }

  private async open({ instanceId, engine: kind }: Pick<Device, 'instanceId' | 'engine'>): Promise<DeviceLine> {
    const { engines, rates, clock, messages, reports, logger } = this.options;
    const create = engines[kind];
    if (!create) throw new Error(`the engine ${kind} is not available`);
    const buckets = { reply: new TokenBucket(rates.reply, clock), other: new TokenBucket(rates.other, clock) };
    const line = new DeviceLine({ instanceId, engine: create(instanceId), buckets, messages, reports, logger });
    await line.recover();
    await line.engine.start(new DeviceSink(line, this.options));
    await this.takeUpMedia(line);
    return line;
  }

  /** Callbacks that wait for files of an earlier process, or of one that died meanwhile. */
  private takeUpMedia({ instanceId, engine }: DeviceLine, olderThanSeconds = 0): Promise<void> {
    return this.options.media.resume(instanceId, engine, olderThanSeconds);
  }
}
