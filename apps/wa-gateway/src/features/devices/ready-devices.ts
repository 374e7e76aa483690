import { ServedElsewhere } from '../../elsewhere';
import { traitsOf } from '../../engines/engine.traits';
import type { DeviceState, EngineTraits } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import type { MessagesRepository, UnsentMessage } from '../messages/public';
import type { Device, DeviceReference } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { DevicesService } from './devices.service';
import { DeviceMoving, type Fleet } from './fleet';
import type { SendCalls } from './send-calls';

/** A send is stored and goes out when the line is back (design 2.2). */
const ACCEPTS: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'connecting', 'reconnecting']);
const MAX_QUEUE = 10_000;

export interface ReadyDevice {
  readonly device: Device;
  readonly line: DeviceLine;
}

/** A device that takes what is to be sent, wherever it runs. */
export interface Outlet {
  readonly device: Device;
  readonly engine: EngineTraits;
  /** Here; nothing when another process has it, or nobody for the moment. */
  readonly line?: DeviceLine;
  /** Who can ask WhatsApp, when that is another process. */
  readonly elsewhere?: ServedElsewhere;
  /** The send is durable: it leaves through the queue, or through the campaign lane. */
  handOver(message: UnsentMessage, isBulk: boolean): Promise<void>;
}

interface ReadyParts {
  readonly devices: Pick<DevicesService, 'resolve'>;
  readonly fleet: Pick<Fleet, 'line' | 'running' | 'supports'>;
  readonly messages: Pick<MessagesRepository, 'isCrowded'>;
  readonly calls: Pick<SendCalls, 'call'>;
}

/** Devices that take what leaves now or later. */
export class ReadyDevices {
  constructor(private readonly parts: ReadyParts) {}

  /** The one that is meant, here. Throws Conflict when it takes nothing, TooMany when too much waits already. */
  async find(reference: DeviceReference): Promise<ReadyDevice> {
    const device = await this.accepting(reference);
    return { device, line: this.checked(device, await this.parts.fleet.line(device)) };
  }

  /** The same wherever it runs: to accept a send takes no line. */
  async outlet(reference: DeviceReference): Promise<Outlet> {
    const device = await this.accepting(reference);
    const engine = traitsOf[device.engine];
    const found = await this.parts.fleet.line(device).catch((cause: unknown) => {
      if (cause instanceof ServedElsewhere || cause instanceof DeviceMoving) return cause;
      throw cause;
    });
    if (found instanceof ServedElsewhere || found instanceof DeviceMoving) return this.afar(device, engine, found);
    const line = this.checked(device, found);
    const handOver: Outlet['handOver'] = async (message, isBulk) => {
      // Another process may have the device meanwhile, and have read before this was written
      if (this.parts.fleet.running(device.instanceId) !== line)
        return this.parts.calls.call(device.instanceId, message.id);
      return isBulk ? line.campaigns.wake() : line.accepted(message);
    };
    return { device, engine, line, handOver };
  }

  private async afar(device: Device, engine: EngineTraits, there: ServedElsewhere | DeviceMoving): Promise<Outlet> {
    const { messages, calls } = this.parts;
    const { instanceId, status } = device;
    // Pairing passes through it too: only who has the line knows whether an account is there
    if (status === 'connecting') throw there;
    if (await messages.isCrowded(instanceId, MAX_QUEUE)) throw refusals.sendsFull();
    const handOver: Outlet['handOver'] = ({ id }) => calls.call(instanceId, id);
    return { device, engine, handOver, ...(there instanceof ServedElsewhere ? { elsewhere: there } : {}) };
  }

  private async accepting({ instanceID, instance }: DeviceReference): Promise<Device> {
    const device = await this.parts.devices.resolve(instanceID ?? instance);
    if (!ACCEPTS.has(device.status) || !this.parts.fleet.supports(device.engine))
      throw refusals.notConnected(device.status);
    return device;
  }

  private checked(device: Device, line: DeviceLine): DeviceLine {
    // The code may be shown at this moment: pairing passes through `connecting` too
    if (!line.engine.info().linked) throw refusals.notConnected(device.status);
    if (line.outgoing.size >= MAX_QUEUE) throw refusals.sendsFull();
    return line;
  }
}
