import { isUniqueViolation, type Database } from '@platform/data';
import type { DeepPartial, QueryDeepPartialEntity } from 'typeorm';
import { Device } from './device.entity';

/** Number of callbacks of one device that wait and that nobody took. */
export interface CallbackBacklog {
  readonly queued: number;
  readonly dead: number;
}

/** Devices as they are kept. */
export class DevicesRepository {
  constructor(private readonly database: Database) {}

  find(instanceId: string): Promise<Device | null> {
    return this.database.entities.findOneBy(Device, { instanceId });
  }

  all(): Promise<Device[]> {
    return this.database.entities.find(Device, { order: { instanceId: 'ASC' } });
  }

  /** At most two: enough to know whether there is exactly one. */
  some(): Promise<Device[]> {
    return this.database.entities.find(Device, { take: 2 });
  }

  /** False when the device exists already. */
  async insert(device: DeepPartial<Device>): Promise<boolean> {
    try {
      await this.database.entities.insert(Device, device as QueryDeepPartialEntity<Device>);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async update(instanceId: string, changes: Partial<Device>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.database.entities.update(Device, { instanceId }, changes);
  }

  /** One more reconnection; counted by the database, because two may come at once. */
  async countReconnect(instanceId: string): Promise<void> {
    await this.database.entities.increment(Device, { instanceId }, 'reconnects', 1);
  }
}
