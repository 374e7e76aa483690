import type { DeviceState } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import type { Device, DeviceReference } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { DevicesService } from './devices.service';
import type { Fleet } from './fleet';

/** A send is stored and goes out when the line is back (design 2.2). */
const ACCEPTS: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'connecting', 'reconnecting']);
const MAX_QUEUE = 10_000;

export interface ReadyDevice {
  readonly device: Device;
  readonly line: DeviceLine;
}

/** Devices that take what leaves now or later. */
export class ReadyDevices {
  constructor(
    private readonly devices: Pick<DevicesService, 'resolve'>,
    private readonly fleet: Pick<Fleet, 'line' | 'supports'>,
  ) {}

  /** The one that is meant. Throws Conflict when it takes nothing, TooMany when too much waits already. */
  async find({ instanceID, instance }: DeviceReference): Promise<ReadyDevice> {
    const device = await this.devices.resolve(instanceID ?? instance);
    const { status, engine } = device;
    const offline = refusals.notConnected(status);
    if (!ACCEPTS.has(status) || !this.fleet.supports(engine)) throw offline;
    const line = await this.fleet.line(device);
    // The code may be shown at this moment: pairing passes through `connecting` too
    if (!line.engine.info().linked) throw offline;
    if (line.outgoing.size >= MAX_QUEUE) throw refusals.sendsFull();
    return { device, line };
  }
}
