import { jidOf, parseAddress } from '@platform/contracts';
import type { Database } from '@platform/data';
import type { SimulatorStore } from '../../engines/simulator/simulator.store';
import type { DevicesRepository } from '../registry/public';

export interface SeedOptions {
  readonly database: Database;
  readonly devices: DevicesRepository;
  /** Absent where the simulator is not allowed. */
  readonly store: SimulatorStore | undefined;
  readonly webhookUrl: string;
  readonly countryCode: string;
}

/** The part of the demo shop that is ours. */
interface DemoShop {
  readonly instance: string;
  readonly device: { readonly nama: string; readonly nohp: string };
}

/**
 * `seed <demo shop as JSON>`: a device on the simulator, linked already, so that the first thing to try is a customer's
 * message. Changes nothing on a device that exists. The gateway connects it when it starts.
 */
export const seedDevice =
  ({ database, devices, store, webhookUrl, countryCode }: SeedOptions) =>
  async ([text = '{}']: readonly string[]): Promise<void> => {
    const { instance, device } = JSON.parse(text) as DemoShop;
    const phone = parseAddress(device.nohp, countryCode);
    if (phone?.kind !== 'user') throw new Error(`seed: device.nohp "${device.nohp}" is not a phone number`);
    if (!store) throw new Error('seed: the demo shop lives on the simulator, which is off in production');
    await database.start?.();
    try {
      const linked = { number: jidOf(phone), pushName: device.nama, platform: 'simulator' };
      const row = { instanceId: instance, engine: 'simulator', name: device.nama, webhookUrl, online: true } as const;
      if (!(await devices.insert({ ...row, ...linked, status: 'connected', reconnects: 0 }))) return;
      await store.savePhone(phone.id, device.nama);
      await store.link(instance, phone.id);
    } finally {
      await database.stop?.();
    }
  };
