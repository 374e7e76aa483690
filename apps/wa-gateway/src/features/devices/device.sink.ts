import type { Clock } from '@platform/runtime';
import type {
  DeviceState,
  EngineEvent,
  EngineSink,
  NeutralMessage,
  NeutralReaction,
  QrInfo,
  SendFailure,
  StatusChange,
} from '../../engines/engine.types';
import type { InboundMedia } from '../files/public';
import type { MessageReports } from '../messages/public';
import type { Announcer, GatewayEvents } from '../realtime/public';
import type { DeviceNews, DevicesRepository } from '../registry/public';
import { ACCOUNT_GONE } from './account-gone';
import type { DeviceLine } from './device-line';
import type { ProfilePictures } from './profile-pictures';
import { dataUri, qrPicture } from './qr-picture';

export interface SinkContext {
  readonly devices: DevicesRepository;
  readonly reports: MessageReports;
  readonly announcer: Announcer;
  readonly media: InboundMedia;
  readonly pictures: ProfilePictures;
  /** WEBHOOK_SEND_REACTIONS. */
  readonly sendsReactions: boolean;
  readonly clock: Clock;
}

/** WhatsApp's reach-out time-lock, and how long it is taken to last when nobody says. */
const TIME_LOCK = 'WA_463';
const TIME_LOCK_MS = 24 * 3_600_000;

/** Takes what an engine reports. Every method resolves when it is durable. */
export class DeviceSink implements EngineSink {
  constructor(
    private readonly line: DeviceLine,
    private readonly context: SinkContext,
  ) {}

  async message(message: NeutralMessage): Promise<void> {
    const { instanceId, engine } = this.line;
    const picture = this.context.pictures.now(instanceId, engine, message.chat);
    const waiting = await this.context.reports.message(instanceId, { ...message, picture });
    if (waiting) this.context.media.fetch(waiting, this.line.engine);
  }

  /** A bot must not answer a thumbs-up: the receiver hears of it only when it wants to, and never of one taken back. */
  async reaction({ target, emoji, ...where }: NeutralReaction): Promise<void> {
    const { announcer, reports, sendsReactions } = this.context;
    const { instanceId } = this.line;
    const { id, chat, fromMe, name, participant, at } = where;
    const reaction = { id: target, emoji };
    const who = { ...(name === undefined ? {} : { name }), ...(participant === undefined ? {} : { participant }) };
    const event = { instanceID: instanceId, id, number: chat, fromMe, reaction, timestamp: at, ...who };
    announcer.tell(instanceId, 'messageReaction', event);
    if (sendsReactions && emoji !== '')
      await reports.message(instanceId, { ...where, kind: 'chat', text: emoji, raw: { reaction } });
  }

  status(change: StatusChange): Promise<void> {
    return this.context.reports.status(this.line.instanceId, change);
  }

  async failure({ id, ...reason }: SendFailure): Promise<void> {
    if (reason.code === TIME_LOCK) await this.timeLocked();
    await this.context.reports.undelivered(this.line.instanceId, id, reason);
  }

  async state(status: DeviceState, cause?: string, until?: Date): Promise<void> {
    const { devices, announcer, reports } = this.context;
    const { instanceId, outgoing } = this.line;
    if (status !== 'connected') outgoing.pause();
    if (status !== 'connecting') this.line.offer(undefined);
    const isTold = await this.report({
      status,
      ...(cause ? { lastError: cause } : {}),
      ...(until ? { restrictedUntil: until } : {}),
      ...this.seen(status),
    });
    if (!isTold) return;
    if (status === 'reconnecting') await devices.countReconnect(instanceId);
    const code = ACCOUNT_GONE[status];
    if (code) await reports.failAll(instanceId, { code, retryable: false });
    if (code) await this.line.campaigns.halt(code);
    announcer.tell(instanceId, 'deviceStatus', {
      instanceID: instanceId,
      status,
      ...(cause ? { cause } : {}),
      ...(until ? { restricted_until: until.toISOString() } : {}),
    });
    if (status === 'connected') outgoing.resume();
    if (status === 'connected') this.line.campaigns.wake();
  }

  async qr(info: QrInfo): Promise<void> {
    const { announcer } = this.context;
    const { instanceId } = this.line;
    if (!(await this.report({ status: 'qr' }))) return;
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

  async restricted(until: Date, cause: string): Promise<void> {
    const { devices, announcer, clock } = this.context;
    const { instanceId: instanceID, engine } = this.line;
    await devices.update(instanceID, { restrictedUntil: until });
    if (until > clock.now()) await this.line.campaigns.halt(cause);
    const status = engine.info().linked ? 'connected' : 'disconnected';
    announcer.tell(instanceID, 'deviceStatus', { instanceID, status, cause, restricted_until: until.toISOString() });
  }

  isOurs(): Promise<boolean> {
    return this.line.leases.isOurs(this.line.instanceId);
  }

  forgives(): Promise<boolean> {
    return this.line.leases.forgives(this.line.instanceId);
  }

  event(name: EngineEvent, payload: Readonly<Record<string, unknown>>): void {
    const { instanceId: instanceID } = this.line;
    this.context.announcer.tell(instanceID, name, { ...payload, instanceID } as GatewayEvents[EngineEvent]);
  }

  /** An engine that knows for how long says so by `restricted`; retrying makes a restriction worse (design 3.3). */
  private async timeLocked(): Promise<void> {
    const now = this.context.clock.now();
    const device = await this.context.devices.find(this.line.instanceId);
    if (device?.restrictedUntil && device.restrictedUntil > now) await this.line.campaigns.halt(TIME_LOCK);
    else await this.restricted(new Date(now.getTime() + TIME_LOCK_MS), TIME_LOCK);
  }

  /** What a line that woke up too late has to say of its device is old: another process knows better. */
  private async report(news: DeviceNews): Promise<boolean> {
    const { instanceId, leases } = this.line;
    return (await this.context.devices.report(instanceId, leases.owner, news)) || (await this.isOurs(), false);
  }

  private seen(status: DeviceState): DeviceNews {
    const now = this.context.clock.now();
    if (status !== 'connected') return {};
    const { number = null, pushName = null, platform = null } = this.line.engine.info();
    return { number, pushName, platform, connectedAt: now, lastSeen: now, lastError: null };
  }
}
