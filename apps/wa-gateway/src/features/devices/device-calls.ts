import { jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { Conflict, InvalidInput, Rejected } from '@platform/errors';
import { EngineOffline, EngineRefused, type Capability, type Jid, type WaEngine } from '../../engines/engine.types';
import type { DeviceReference } from './devices.dto';
import type { DevicesService } from './devices.service';
import type { Fleet } from './fleet';

/** Throws the 501 of design 2.1, with the engine's reason, when one of the capabilities is missing. */
export const demandCapabilities = (engine: Pick<WaEngine, 'capabilities'>, names: readonly Capability[]): void => {
  for (const name of names) {
    const able = engine.capabilities[name];
    if (able !== true) throw new Rejected(`engine does not support ${name}`, { code: 'UNSUPPORTED', details: able });
  }
};

export interface DeviceCall {
  readonly instanceId: string;
  readonly engine: WaEngine;
}

/** What needs WhatsApp's answer at once: nothing is stored, and a device without a line cannot do it. */
export class DeviceCalls {
  constructor(
    private readonly devices: Pick<DevicesService, 'resolve'>,
    private readonly fleet: Pick<Fleet, 'line' | 'supports'>,
    private readonly countryCode: string,
  ) {}

  /** The form that WhatsApp uses. Throws InvalidInput when it is no number, or not of one of the kinds. */
  jid(number: string, field: string, kinds: readonly ChatAddress['kind'][] = ['user', 'lid', 'group']): Jid {
    // A group's suffix may be left out where only groups can be meant (design 1 row 4)
    const isBareGroup = kinds.length === 1 && kinds[0] === 'group' && !number.includes('@');
    const address = parseAddress(isBareGroup ? `${number}@g.us` : number, this.countryCode);
    if (address && kinds.includes(address.kind)) return jidOf(address);
    throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
  }

  /** Checks in the order of design 2.1: device, its state, its abilities. What WhatsApp refuses becomes a 502. */
  async call<T>(
    { instanceID, instance }: DeviceReference,
    capability: Capability,
    work: (call: DeviceCall) => Promise<T>,
  ): Promise<T> {
    const device = await this.devices.resolve(instanceID ?? instance);
    const offline = new Conflict('device not connected', { details: { status: device.status } });
    if (device.status !== 'connected' || !this.fleet.supports(device.engine)) throw offline;
    const { engine } = await this.fleet.line(device);
    demandCapabilities(engine, [capability]);
    try {
      return await work({ instanceId: device.instanceId, engine });
    } catch (cause) {
      if (cause instanceof EngineOffline) throw offline;
      if (cause instanceof EngineRefused)
        throw new Rejected(`engine refused: ${cause.message}`, {
          code: 'ENGINE',
          details: { reason: cause.code },
          cause,
        });
      throw cause;
    }
  }
}
