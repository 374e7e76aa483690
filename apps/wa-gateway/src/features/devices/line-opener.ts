import { Semaphore } from '@platform/runtime';
import type { EngineKind, EngineSink } from '../../engines/engine.types';
import type { InboundMedia } from '../files/public';
import type { Device, DevicesRepository } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { LineFactory } from './line-factory';

export interface LineOpenerOptions {
  readonly factory: LineFactory;
  /** What takes the reports of a line's engine. */
  readonly sinkOf: (line: DeviceLine) => EngineSink;
  readonly devices: Pick<DevicesRepository, 'update'>;
  readonly media: InboundMedia;
  /** CONNECT_CONCURRENCY: devices that connect at the same time. */
  readonly concurrency: number;
}

/** Codes of a round die with the process that made them. */
const PAIRING: ReadonlySet<string> = new Set(['connecting', 'qr']);
/** These connect as soon as their line opens. */
const CONNECTS: ReadonlySet<string> = new Set(['connecting', 'connected', 'reconnecting', 'disconnected']);
const CONNECT_LIMIT_MS = 20_000;

export const connects = ({ status }: Device): boolean => CONNECTS.has(status);

/** Puts devices to work: not too many connect at once, and what an earlier process left is taken up. */
export class LineOpener {
  private readonly connecting: Semaphore;

  constructor(private readonly options: LineOpenerOptions) {
    this.connecting = new Semaphore(options.concurrency);
  }

  supports(engine: EngineKind): boolean {
    return this.options.factory.supports(engine);
  }

  /** Resolves when the line works, connected or not. */
  async open(device: Device): Promise<DeviceLine> {
    if (!connects(device)) return this.begin(device);
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

  /** Callbacks that wait for files of an earlier process, or of one that died meanwhile. */
  takeUpMedia({ instanceId, engine }: DeviceLine, olderThanSeconds = 0): Promise<void> {
    return this.options.media.resume(instanceId, engine, olderThanSeconds);
  }

  private async begin(device: Device): Promise<DeviceLine> {
    const { factory, sinkOf, devices } = this.options;
    const line = factory.create(device);
    await line.recover();
    await line.engine.start(sinkOf(line));
    if (PAIRING.has(device.status) && !line.engine.info().linked)
      await devices.update(device.instanceId, { status: 'qr_expired' });
    await this.takeUpMedia(line);
    return line;
  }
}
