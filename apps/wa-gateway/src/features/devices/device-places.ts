import type { Logger } from '@platform/runtime';
import { traitsOf } from '../../engines/engine.traits';
import type { Device } from '../registry/public';

type Wanted = Pick<Device, 'instanceId' | 'engine'>;

/** The room of this process for devices that hold a connection of their own (MAX_DEVICES): as much as its memory has. */
export class DevicePlaces {
  private readonly taken = new Set<string>();
  private isToldFull = false;

  constructor(
    readonly most: number,
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** Places that are taken. */
  get size(): number {
    return this.taken.size;
  }

  /** Whether the device has a place, could have one, or needs none. */
  suffice({ instanceId, engine }: Wanted): boolean {
    return !traitsOf[engine].holdsConnection || this.taken.has(instanceId) || this.size < this.most;
  }

  /** The same of a device that nobody serves; says once, until a place is free again, that there is none. */
  sufficeOrTell(device: Wanted): boolean {
    if (this.suffice(device)) return true;
    if (!this.isToldFull)
      this.logger.error('this process has as many devices as it may (MAX_DEVICES): others stay without a line', {
        devices: this.most,
      });
    this.isToldFull = true;
    return false;
  }

  take({ instanceId, engine }: Wanted): void {
    if (traitsOf[engine].holdsConnection) this.taken.add(instanceId);
  }

  leave(instanceId: string): void {
    if (this.taken.delete(instanceId)) this.isToldFull = false;
  }
}
