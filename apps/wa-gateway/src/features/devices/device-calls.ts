import { jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { InvalidInput, Unavailable } from '@platform/errors';
import type { Sends } from '@platform/runtime';
import { EngineOffline, EngineRefused } from '../../engines/engine.errors';
import type { Capability, Jid, WaEngine } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import { demandCapabilities, type DeviceReference } from '../registry/public';
import type { DevicesService } from './devices.service';
import type { Fleet } from './fleet';

/** An operator ends a hold, not time. */
const HELD_RETRY_SECONDS = 60;

export interface DeviceCall {
  readonly instanceId: string;
  readonly engine: WaEngine;
}

/** What needs WhatsApp's answer at once: nothing is stored, and a device without a line cannot do it. */
export class DeviceCalls {
  constructor(
    private readonly devices: Pick<DevicesService, 'resolve'>,
    private readonly fleet: Pick<Fleet, 'line' | 'supports'>,
    private readonly settings: { readonly countryCode: string; readonly sends: Pick<Sends, 'held'> },
  ) {}

  /** The form that WhatsApp uses. Throws InvalidInput when it is no number, or not of one of the kinds; of any where none are named. */
  jid(number: string, field: string, kinds?: readonly ChatAddress['kind'][]): Jid {
    // A group's suffix may be left out where only groups can be meant (design 1 row 4)
    const isBareGroup = kinds?.length === 1 && kinds[0] === 'group' && !number.includes('@');
    const address = parseAddress(isBareGroup ? `${number}@g.us` : number, this.settings.countryCode);
    if (address && (kinds?.includes(address.kind) ?? true)) return jidOf(address);
    throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
  }

  /** The same for what others would notice: refused while sends are held, because it cannot be kept. */
  async outward<T>(
    reference: DeviceReference,
    capability: Capability,
    work: (call: DeviceCall) => Promise<T>,
  ): Promise<T> {
    if (this.settings.sends.held)
      throw new Unavailable('sends are held', { code: 'UNAVAILABLE', retryAfterSeconds: HELD_RETRY_SECONDS });
    return this.call(reference, capability, work);
  }

  /** Checks in the order of design 2.1: device, its state, its abilities. What WhatsApp refuses becomes a 502. */
  async call<T>(
    { instanceID, instance }: DeviceReference,
    capability: Capability,
    work: (call: DeviceCall) => Promise<T>,
  ): Promise<T> {
    const device = await this.devices.resolve(instanceID ?? instance);
    const offline = refusals.notConnected(device.status);
    if (device.status !== 'connected' || !this.fleet.supports(device.engine)) throw offline;
    const { engine } = await this.fleet.line(device);
    demandCapabilities(engine, [capability]);
    try {
      return await work({ instanceId: device.instanceId, engine });
    } catch (cause) {
      if (cause instanceof EngineOffline) throw offline;
      if (cause instanceof EngineRefused) throw refusals.engineRefused(cause.message, cause.code, cause);
      throw cause;
    }
  }
}
