import type { Clock } from '@platform/runtime';
import type {
  DeviceState,
  EngineSink,
  NeutralMessage,
  QrInfo,
  SendFailure,
  StatusChange,
} from '../../engines/engine.types';
import type { InboundMedia } from '../files/inbound-media.service';
import type { MessageReports } from '../messages/message-reports.service';
import type { Announcer } from '../realtime/announcer';
import type { Device } from './device.entity';
import type { DeviceLine } from './device-line';
import type { DevicesRepository } from './devices.repository';
import { dataUri, qrPicture } from './qr-picture';

export interface SinkContext {
  readonly devices: DevicesRepository;
  readonly reports: MessageReports;
  readonly announcer: Announcer;
  readonly media: InboundMedia;
  readonly clock: Clock;
}

/** After these nothing accepted earlier can leave any more. */
const ACCOUNT_GONE: Partial<Record<DeviceState, string>> = { logged_out: 'LOGGED_OUT', banned: 'BANNED' };

/** Takes what an engine reports. Every method resolves when it is durable. */
export class DeviceSink implements EngineSink {
  constructor(
    private readonly line: DeviceLine,
    private readonly context: SinkContext,
  ) {}

  async message(message: NeutralMessage): Promise<void> {
    const waiting = await this.context.reports.message(this.line.instanceId, message);
    if (waiting) this.context.media.fetch(waiting, this.line.engine);
  }

  status(change: StatusChange): Promise<void> {
    return this.context.reports.status(this.line.instanceId, change);
  }

  failure({ id, ...reason }: SendFailure): Promise<void> {
    return this.context.reports.failure(this.line.instanceId, id, reason);
  }

  async state(status: DeviceState, cause?: string): Promise<void> {
    const { devices, announcer, reports } = this.context;
    const { instanceId, outgoing } = this.line;
    if (status !== 'connected') outgoing.pause();
    if (status !== 'connecting') this.line.offer(undefined);
    await devices.update(instanceId, { status, ...(cause ? { lastError: cause } : {}), ...this.seen(status) });
    if (status === 'reconnecting') await devices.countReconnect(instanceId);
    const code = ACCOUNT_GONE[status];
    if (code) await reports.failAll(instanceId, { code, retryable: false });
    announcer.tell(instanceId, 'deviceStatus', { instanceID: instanceId, status, ...(cause ? { cause } : {}) });
    if (status === 'connected') outgoing.resume();
  }

  async qr(info: QrInfo): Promise<void> {
    const { devices, announcer } = this.context;
    const { instanceId } = this.line;
    await devices.update(instanceId, { status: 'qr' });
    this.line.offer(info);
    const { qr, attempt, expiresAt } = info;
    const qrcode = dataUri(await qrPicture(info));
    announcer.tellRoom(instanceId, 'qrcode', {
      instanceID: instanceId,
      qr,
      qrcode,
      attempt,
      expired_at: expiresAt.toISOString(),
    });
  }

  private seen(status: DeviceState): Partial<Device> {
    const now = this.context.clock.now();
    if (status !== 'connected') return {};
    const { number = null, pushName = null, platform = null } = this.line.engine.info();
    return { number, pushName, platform, connectedAt: now, lastSeen: now, lastError: null };
  }
}
