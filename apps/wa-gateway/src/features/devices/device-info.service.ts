import type { Backlog, Outbox } from '@platform/outbox';
import type { Capabilities, EngineKind } from '../../engines/engine.types';
import { lanesOf } from '../callbacks/public';
import type { MessagesRepository } from '../messages/public';
import type { Device, DeviceInfo } from '../registry/public';
import type { DeviceLine } from './device-line';
import type { Fleet } from './fleet';
import type { ProfilePictures } from './profile-pictures';

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** What there is to know about devices now. */
export class DeviceInfoService {
  private readonly abilities = new Map<EngineKind, Capabilities>();

  constructor(
    private readonly fleet: Pick<Fleet, 'line' | 'supports'>,
    private readonly outbox: Pick<Outbox, 'backlogs'>,
    private readonly messages: Pick<MessagesRepository, 'waiting'>,
    private readonly pictures: ProfilePictures,
  ) {}

  /** Told by the process that serves the device. */
  async describe(device: Device): Promise<DeviceInfo> {
    const [webhook] = await this.outbox.backlogs([lanesOf(device.instanceId)]);
    return this.told(device, webhook, this.fleet.supports(device.engine) ? await this.fleet.line(device) : undefined);
  }

  /** Told by this process, also of devices that others serve. */
  async list(devices: readonly Device[]): Promise<DeviceInfo[]> {
    const webhooks = await this.outbox.backlogs(devices.map(({ instanceId }) => lanesOf(instanceId)));
    return Promise.all(
      devices.map(async (device, n) =>
        this.told(device, webhooks[n], await this.fleet.line(device).catch(() => undefined)),
      ),
    );
  }

  private async told(device: Device, webhook: Backlog | undefined, line: DeviceLine | undefined): Promise<DeviceInfo> {
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
      queue: {
        outgoing: await this.messages.waiting(instanceId),
        webhook: webhook?.queued ?? 0,
        dead: webhook?.dead ?? 0,
      },
      capabilities: this.abilities.get(engine) ?? {},
    };
  }
}
