import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '@platform/runtime';
import type { Jid, OutContent, SendOptions } from '../../engines/engine.types';
import type { Pace } from '../campaigns/public';
import type { Outlet, ReadyDevices } from '../devices/public';
import {
  messageIdOf,
  checkEngineLimits,
  capabilityOf,
  type SentData,
  type AcceptedSend,
  type NewSend,
} from '../messages/public';
import type { Announcer } from '../realtime/public';
import { demandCapabilities, type Device, type DeviceReference } from '../registry/public';
import type { Recipients } from './recipients';
import type { SendLedger } from './send.ledger';

export interface AcceptanceOptions {
  readonly ready: ReadyDevices;
  readonly recipients: Recipients;
  readonly ledger: SendLedger;
  readonly announcer: Announcer;
  readonly clock: Clock;
}

/** One send as a route asks for it. */
export interface SendRequest {
  readonly device: DeviceReference;
  readonly number: string;
  readonly pesanId: string | null;
  readonly role: string;
  readonly kind: OutContent['kind'];
  /** What identifies a repeat of the send: everything but the source of its file (design 3.3). */
  readonly identity: unknown;
  /** Asked for after the device and its abilities are known. */
  readonly content: () => OutContent | Promise<OutContent>;
  /** A repetition is recognised before the content is made: making it means fetching a file. */
  readonly costly?: boolean;
  readonly quotedId?: string;
  readonly mentions?: readonly string[];
  readonly echo?: boolean;
  /** It leaves through the campaign lane, at this pace (design 3.6). */
  readonly bulk?: Pace;
  /** `data` of the sockets' event. */
  readonly data: Record<string, unknown>;
}

export interface Accepted {
  readonly sent: SentData;
  readonly content: OutContent;
}

const hashOf = (address: Jid, identity: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([address, identity]))
    .digest('hex');

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Accepts what goes out, of whatever kind: durable when it answers, sent once however often it is asked for. */
export class AcceptanceService {
  constructor(private readonly options: AcceptanceOptions) {}

  /** Checks in the order of design 2.1: number, device, its state, its abilities; then the content. */
  async accept(request: SendRequest): Promise<Accepted> {
    const { ready, recipients, ledger } = this.options;
    const address = recipients.address(request.number, 'number');
    const mentions = request.mentions?.map((number) => recipients.address(number, 'mentions'));
    const outlet = await ready.outlet(request.device);
    const { device, engine } = outlet;
    const chat = await recipients.chat(device.instanceId, address);
    this.demand(outlet, chat, request);
    const hidden = address === chat ? undefined : address;
    const options = { quotedId: request.quotedId, mentions, hidden };
    const hashAs = (name: Jid): string => hashOf(name, request.identity);
    const asked = { names: [address, chat], hashAs, role: request.role, options };
    if ((request.costly || request.bulk) && request.pesanId !== null) {
      const before = await ledger.before(device.instanceId, request.pesanId, asked);
      if (before) return this.repeated(outlet, request, before);
    }
    const keeping = { kind: engine.kind, echo: request.echo, bulk: request.bulk };
    await ledger.check(device.instanceId, chat, keeping);
    await recipients.demandRegistered(outlet, address);
    const content = await request.content();
    checkEngineLimits(engine, content);
    const send = this.newSend(request, { device, chat, hash: hashAs(address), content, options });
    const { twin, ...queued } = await ledger.enter(send, keeping, asked);
    if (twin) return this.repeated(outlet, request, twin);
    await outlet.handOver({ id: send.id, ...queued }, request.bulk !== undefined);
    this.announce(send, request.data);
    return { sent: { ...this.answer(send, send), ...(await this.lostQuote(device, request)) }, content };
  }

  /** A quote of a message that nobody here knows is left out, and the caller is told. */
  private async lostQuote({ instanceId }: Device, { quotedId }: SendRequest): Promise<Pick<SentData, 'quoted'>> {
    if (quotedId === undefined || (await this.options.ledger.knows(instanceId, quotedId))) return {};
    return { quoted: false };
  }

  private newSend(
    { pesanId, role }: SendRequest,
    of: { device: Device; chat: Jid; hash: string; content: OutContent; options: Omit<SendOptions, 'id'> },
  ): NewSend {
    const { instanceId } = of.device;
    return {
      instanceId,
      chat: of.chat,
      id: messageIdOf(pesanId === null ? randomUUID() : `${instanceId}|${pesanId}`),
      pesanId,
      role,
      payload: { content: of.content, options: of.options },
      hash: of.hash,
      at: this.options.clock.now(),
    };
  }

  private announce({ instanceId, pesanId, id, role }: NewSend, data: Record<string, unknown>): void {
    this.options.announcer.tell(instanceId, 'sendMessage', {
      pesan_id: pesanId ?? id,
      role,
      data,
      id,
      status: 'pending',
    });
  }

  private demand({ engine }: Outlet, chat: Jid, { kind, quotedId, mentions }: SendRequest): void {
    demandCapabilities(engine, [
      ...(chat.endsWith('@g.us') ? (['groups'] as const) : []),
      capabilityOf({ kind }),
      ...(quotedId ? (['quote'] as const) : []),
      ...(mentions?.length ? (['mentions'] as const) : []),
    ]);
  }

  /**
   * The same pesan_id again: its first answer. One that was accepted by a commit whose answer got lost leaves now, before
   * what its caller sends next.
   */
  private async repeated(outlet: Outlet, request: SendRequest, before: AcceptedSend): Promise<Accepted> {
    const { device } = outlet;
    if (before.isOverdue) await outlet.handOver({ id: before.id, chat: before.chat, isReply: false }, false);
    const chat = before.payload.to ?? before.chat;
    const first = this.answer({ instanceId: device.instanceId, pesanId: request.pesanId }, { ...before, chat });
    const sent = { ...first, ...(await this.lostQuote(device, request)), duplicate: true };
    return { sent, content: before.payload.content };
  }

  private answer(
    { pesanId, instanceId }: Pick<NewSend, 'pesanId' | 'instanceId'>,
    { id, chat, role, at }: Pick<AcceptedSend, 'id' | 'chat' | 'role' | 'at'>,
  ): SentData {
    return {
      pesan_id: pesanId,
      role,
      id,
      instanceID: instanceId,
      number: chat,
      status: 'pending',
      timestamp: seconds(at),
      delivery: 'engine',
    };
  }
}
