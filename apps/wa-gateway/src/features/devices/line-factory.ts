import type { Clock, Logger, Sends } from '@platform/runtime';
import type { Rate } from '../../config';
import type { EngineKind, WaEngine } from '../../engines/engine.types';
import type { CampaignLane, LanePort } from '../campaigns/public';
import { TokenBucket, type MessageReports, type MessagesRepository } from '../messages/public';
import type { Device } from '../registry/public';
import { DeviceLine, type Custody } from './device-line';

export type EngineFactory = (device: Device) => WaEngine;

export interface LineFactoryOptions {
  /** The engines this process can run. */
  readonly engines: Partial<Record<EngineKind, EngineFactory>>;
  readonly messages: MessagesRepository;
  readonly reports: MessageReports;
  /** The campaign lane of a running device. */
  readonly laneOf: (line: LanePort) => CampaignLane;
  /** How messages leave a device, while it is ours. */
  readonly sending: {
    readonly rates: { readonly reply: Rate; readonly other: Rate };
    readonly sends: Sends;
    readonly leases: Custody;
  };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes the lines of devices, each on the engine that its device names. */
export class LineFactory {
  constructor(private readonly options: LineFactoryOptions) {}

  supports(engine: EngineKind): boolean {
    return this.options.engines[engine] !== undefined;
  }

  /** A line that is not started. */
  create(device: Device): DeviceLine {
    const { engines, sending, clock, messages, reports, laneOf, logger } = this.options;
    const { rates, ...how } = sending;
    const engine = engines[device.engine]?.(device);
    if (!engine) throw new Error(`the engine ${device.engine} is not available`);
    const buckets = { reply: new TokenBucket(rates.reply, clock), other: new TokenBucket(rates.other, clock) };
    const { instanceId } = device;
    return new DeviceLine({ instanceId, engine, sending: { buckets, ...how }, messages, reports, laneOf, logger });
  }
}
