import type { Outbox } from '@platform/outbox';
import type { Device } from './device.entity';
import type { DeviceInfo } from './devices.dto';
import type { Fleet } from './fleet';

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** What there is to know about devices now. */
export class DeviceInfoService {
  constructor(
    private readonly fleet: Fleet,
    private readonly outbox: Pick<Outbox, 'backlog'>,
  ) {}

  async describe(device: Device): Promise<DeviceInfo> {
    const { instanceId, engine, status, number, platform, lastError, reconnects } = device;
    const line = this.fleet.supports(engine) ? await this.fleet.line(device) : undefined;
    const { queued: webhook, dead } = await this.outbox.backlog({ lanePrefix: `${instanceId}|` });
    return {
      instanceID: instanceId,
      engine,
      status,
      number,
      name: device.pushName ?? (device.name || null),
      profilepic: null,
      platform,
      connected_at: instant(device.connectedAt),
      last_seen: instant(device.lastSeen),
      last_error: lastError,
      reconnects,
      restricted_until: instant(device.restrictedUntil),
      queue: { outgoing: line?.outgoing.size ?? 0, webhook, dead },
      capabilities: line?.engine.capabilities ?? {},
    };
  }
}
