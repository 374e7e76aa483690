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
  readonly media: Pick<InboundMedia, 'takeUp'>;
}

/** Codes of a round die with the process that made them. */
const PAIRING: ReadonlySet<string> = new Set(['connecting', 'qr']);

/** Starts devices and takes up what an earlier process left. */
export class LineOpener {
  constructor(private readonly options: LineOpenerOptions) {}

  supports(engine: EngineKind): boolean {
    return this.options.factory.supports(engine);
  }

  /** Resolves when the line works; nothing is left of it when it does not. Never waits for WhatsApp: the engine connects in the background, at its own gate. */
  async open(device: Device): Promise<DeviceLine> {
    const { factory, sinkOf, devices, media } = this.options;
    const line = factory.create(device);
    try {
      await line.recover();
      await line.engine.start(sinkOf(line));
      if (PAIRING.has(device.status) && !line.engine.info().linked)
        await devices.update(device.instanceId, { status: 'qr_expired' });
      // Callbacks that wait for files of an earlier process
      await media.takeUp(line.instanceId, line.engine);
      return line;
    } catch (failure) {
      // It may connect already, and whoever opens the device next would have a second line
      await line.drop().catch(() => undefined);
      throw failure;
    }
  }
}
