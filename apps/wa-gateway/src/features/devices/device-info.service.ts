import type { Outbox } from '@platform/outbox';
import type { Capabilities, EngineKind } from '../../engines/engine.types';
import { lanesOf } from '../callbacks/public';
import type { MessagesRepository } from '../messages/public';
import type { Device, DeviceInfo } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { Fleet } from './fleet';
import type { ProfilePictures } from './profile-pictures';

type Queue = DeviceInfo['queue'];

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** What there is to know about devices now. */
export class DeviceInfoService {
  private readonly abilities = new Map<EngineKind, Capabilities>();

  constructor(
    private readonly fleet: Pick<Fleet, 'line' | 'running' | 'supports'>,
    private readonly outbox: Pick<Outbox, 'backlogs'>,
    private readonly messages: Pick<MessagesRepository, 'waiting'>,
    private readonly pictures: ProfilePictures,
  ) {}

  /** Told by the process that serves the device. */
  async describe(device: Device): Promise<DeviceInfo> {
    const line = this.fleet.supports(device.engine) ? await this.fleet.line(device) : undefined;
    const [queue] = await this.queues([device.instanceId]);
    return this.told(device, queue, line);
  }

  /** By this process, also of devices that others serve: listing all opens no line. */
  async list(devices: readonly Device[]): Promise<DeviceInfo[]> {
    const queues = await this.queues(devices.map(({ instanceId }) => instanceId));
    return devices.map((device, n) => this.told(device, queues[n], this.fleet.running(device.instanceId)));
  }

  /** Two statements, however many devices. */
  private async queues(instanceIds: readonly string[]): Promise<Queue[]> {
    const [outgoing, webhooks] = await Promise.all([
      this.messages.waiting(instanceIds),
      this.outbox.backlogs(instanceIds.map(lanesOf)),
    ]);
    return instanceIds.map((instanceId, n) => ({
      outgoing: outgoing.get(instanceId) ?? 0,
      webhook: webhooks[n]?.queued ?? 0,
      dead: webhooks[n]?.dead ?? 0,
    }));
  }

  private told(device: Device, queue: Queue | undefined, line: DeviceLine | undefined): DeviceInfo {
    const { instanceId, engine, status, number, platform, lastError, reconnects } = device;
    if (line) this.abilities.set(engine, line.engine.capabilities);
    return {
      instanceID: instanceId,
      engine,
      status,
      number,
      name: device.pushName ?? (device.name || null),
      profilepic: (line && number && this.pictures.now(instanceId, line.engine, number)) || null,
      platform,
      connected_at: instant(device.connectedAt),
      last_seen: instant(device.lastSeen),
      last_error: lastError,
      reconnects,
      restricted_until: instant(device.restrictedUntil),
      queue: queue ?? { outgoing: 0, webhook: 0, dead: 0 },
      capabilities: this.abilities.get(engine) ?? {},
    };
  }
}
