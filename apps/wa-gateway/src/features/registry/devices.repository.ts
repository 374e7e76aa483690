import { gathered, isUniqueViolation, type Database } from '@platform/data';
import { storable, storableJson } from '@platform/runtime';
import type { DeepPartial, QueryDeepPartialEntity } from 'typeorm';
import type { EngineKind } from '../../engines/engine.types';
import { Device } from './device.entity';

// Every request that names a device asks this first: prepared, and without building entities
const DEVICE = `
SELECT instance_id AS "instanceId", name, engine, status, webhook_url AS "webhookUrl", secret_enc AS "sealedSecret", online,
  cloud_enc AS "cloudAccount", number, push_name AS "pushName", platform, connected_at AS "connectedAt", last_seen AS "lastSeen",
  last_error AS "lastError", reconnects, restricted_until AS "restrictedUntil", created_at AS "createdAt" FROM device`;

const UNSERVED = `
SELECT count(*)::integer AS count FROM device d
WHERE NOT EXISTS (SELECT 1 FROM lease l WHERE l.instance_id = d.instance_id AND l.expires_at > now())`;

/** What a line says of its device, and the columns that keep it. */
const REPORTED = {
  status: 'status',
  number: 'number',
  pushName: 'push_name',
  platform: 'platform',
  connectedAt: 'connected_at',
  lastSeen: 'last_seen',
  lastError: 'last_error',
  restrictedUntil: 'restricted_until',
} as const;
const COLUMNS = Object.values(REPORTED).join(', ');

/** `$3` names columns; the others stay. */
const REPORT = `
UPDATE device d SET (${COLUMNS}) = (SELECT ${COLUMNS} FROM jsonb_populate_record(d, $3))
WHERE d.instance_id = $1 AND EXISTS (SELECT FROM lease l WHERE l.instance_id = $1 AND l.owner = $2 AND l.expires_at > now())
RETURNING d.instance_id`;

export type DeviceNews = Partial<Pick<Device, keyof typeof REPORTED>>;

/** How many callbacks of one device wait, and how many are dead. */
export interface CallbackBacklog {
  readonly queued: number;
  readonly dead: number;
}

/** Devices as they are kept. */
export class DevicesRepository {
  /** How often a device of this process had to connect again. */
  reconnected = 0;

  /** Requests name devices all the time, and many at the same time. */
  private readonly found = gathered(async (instanceIds) => {
    const sql = `${DEVICE} WHERE instance_id = ANY ($1)`;
    const devices = await this.database.prepared<Device>('device_find', sql, [instanceIds]);
    return new Map(devices.map((device) => [device.instanceId, device]));
  });

  constructor(private readonly database: Database) {}

  async find(instanceId: string): Promise<Device | null> {
    return (await this.found(instanceId)) ?? null;
  }

  all(): Promise<Device[]> {
    return this.database.entities.find(Device, { order: { instanceId: 'ASC' } });
  }

  async anyOn(engine: EngineKind): Promise<boolean> {
    return (await this.database.query('SELECT 1 FROM device WHERE engine = $1 LIMIT 1', [engine])).length > 0;
  }

  /** How many there are in each state that any is in. */
  async countByState(): Promise<Record<string, number>> {
    const sql = 'SELECT status, count(*)::integer AS count FROM device GROUP BY status';
    const rows = await this.database.prepared<{ status: string; count: number }>('device_states', sql, []);
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** How many no process runs. */
  async unserved(): Promise<number> {
    const [row] = await this.database.prepared<{ count: number }>('device_unserved', UNSERVED, []);
    return row?.count ?? 0;
  }

  /** At most two: enough to know whether there is exactly one. */
  some(): Promise<Device[]> {
    return this.database.prepared<Device>('device_some', `${DEVICE} LIMIT 2`, []);
  }

  /** The device behind a `phone_number_id` of Meta. */
  findByCloudNumber(phoneNumberId: string): Promise<Device | null> {
    return this.database.entities
      .createQueryBuilder(Device, 'device')
      .where(`device.cloud_enc->>'phone_number_id' = :phoneNumberId`, { phoneNumberId })
      .getOne();
  }

  /** The devices behind these `phone_number_id`s, of which every call of Meta tells. */
  findByCloudNumbers(phoneNumberIds: readonly string[]): Promise<Device[]> {
    const sql = `${DEVICE} WHERE cloud_enc->>'phone_number_id' = ANY ($1)`;
    return this.database.prepared<Device>('device_cloud_numbers', sql, [phoneNumberIds]);
  }

  /** Devices that have an account on the Cloud API. */
  allOnCloud(): Promise<Device[]> {
    return this.database.entities
      .createQueryBuilder(Device, 'device')
      .where('device.cloud_enc IS NOT NULL')
      .orderBy('device.instance_id')
      .getMany();
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

  /** Names and causes are WhatsApp's: they are kept as tables take them. */
  async update(instanceId: string, changes: Partial<Device>): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    await this.database.entities.update(Device, { instanceId }, storable(structuredClone(changes)));
  }

  /** The same, of its line in the process that has it; false, and nothing is changed, when the device is not `holder`'s by now. */
  async report(instanceId: string, holder: string, news: DeviceNews): Promise<boolean> {
    const entries = Object.entries(news).map(([name, value]) => [REPORTED[name as keyof DeviceNews], value]);
    const columns = storableJson(Object.fromEntries(entries));
    return (await this.database.prepared('device_report', REPORT, [instanceId, holder, columns])).length > 0;
  }

  /** One more reconnection; counted by the database, because two may come at once. */
  async countReconnect(instanceId: string): Promise<void> {
    this.reconnected += 1;
    await this.database.entities.increment(Device, { instanceId }, 'reconnects', 1);
  }
}
