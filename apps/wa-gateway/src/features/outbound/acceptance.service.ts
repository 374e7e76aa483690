import { createHash, randomUUID } from 'node:crypto';
import { jidOf, parseAddress } from '@platform/contracts';
import { Conflict, InvalidInput, Rejected, TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { DeviceState, Jid, OutContent, SendOptions } from '../../engines/engine.types';
import type { BulkAdmission, Pace } from '../campaigns/public';
import { demandCapabilities, type Device, type DeviceReference, type KnownNumbers } from '../registry/public';
import type { DeviceLine, DevicesService, Fleet } from '../devices/public';
import type { Announcer } from '../realtime/public';
import {
  messageIdOf,
  checkEngineLimits,
  capabilityOf,
  type SentData,
  type AcceptedSend,
  type MessagesRepository,
  type NewSend,
  type SendDrafts,
} from '../messages/public';

export interface AcceptanceOptions {
  readonly devices: DevicesService;
  readonly fleet: Fleet;
  readonly messages: MessagesRepository;
  readonly announcer: Announcer;
  readonly known: KnownNumbers;
  readonly clock: Clock;
  readonly countryCode: string;
  readonly drafts: SendDrafts;
  /** For sends that keep a campaign's pace. */
  readonly bulk: BulkAdmission;
}

/** One send as a route asks for it. */
export interface SendRequest {
  readonly device: DeviceReference;
  readonly number: string;
  readonly pesanId: string | null;
  readonly role: string;
  readonly kind: OutContent['kind'];
  /** What makes it the same send when it is repeated: everything but where its file comes from (design 3.3). */
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

/** A send is stored and goes out when the line is back (design 2.2). */
const ACCEPTS: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'connecting', 'reconnecting']);
const MAX_QUEUE = 10_000;

const hashOf = (chat: Jid, identity: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([chat, identity]))
    .digest('hex');

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Accepts what goes out, of whatever kind: durable when it answers, sent once however often it is asked for. */
export class AcceptanceService {
  constructor(private readonly options: AcceptanceOptions) {}

  /** Checks in the order of design 2.1: number, device, its state, its abilities; then the content. */
  async accept(request: SendRequest): Promise<Accepted> {
    const address = this.address(request.number, 'number');
    const mentions = request.mentions?.map((number) => this.address(number, 'mentions'));
    const { device, line } = await this.ready(request.device);
    const chat = await this.options.messages.numberOf(device.instanceId, address);
    this.demand(line, chat, request);
    const hash = hashOf(chat, request.identity);
    if ((request.costly || request.bulk) && request.pesanId !== null) {
      const before = await this.before(device.instanceId, request.pesanId, hash);
      if (before) return before;
    }
    if (request.bulk) await this.options.bulk.check(device.instanceId, chat, line.engine.kind);
    const isReply = await this.acquainted(line, device, chat);
    const content = await request.content();
    checkEngineLimits(line.engine, content);
    const send = this.newSend(request, {
      device,
      chat,
      hash,
      content,
      options: { quotedId: request.quotedId, mentions },
    });
    if (!(await this.store(line, send, request)))
      return (await this.before(device.instanceId, request.pesanId ?? '', hash)) ?? this.taken();
    if (request.bulk) line.campaigns.wake();
    else line.outgoing.push({ id: send.id, chat, isReply });
    this.announce(send, request.data);
    return { sent: this.answer(send, send), content };
  }

  /** The device, when it takes what leaves now or later. Throws otherwise. */
  async ready({ instanceID, instance }: DeviceReference): Promise<{ device: Device; line: DeviceLine }> {
    const device = await this.options.devices.resolve(instanceID ?? instance);
    return { device, line: await this.connectedLine(device) };
  }

  private store({ engine }: DeviceLine, send: NewSend, { echo, bulk: pace }: SendRequest): Promise<boolean> {
    const { messages, bulk, drafts } = this.options;
    const callbacks = drafts(send, echo);
    return pace ? bulk.admit(send, callbacks, { kind: engine.kind, pace }) : messages.accept(send, callbacks);
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

  private demand({ engine }: DeviceLine, chat: Jid, { kind, quotedId, mentions }: SendRequest): void {
    demandCapabilities(engine, [
      ...(chat.endsWith('@g.us') ? (['groups'] as const) : []),
      capabilityOf({ kind }),
      ...(quotedId ? (['quote'] as const) : []),
      ...(mentions?.length ? (['mentions'] as const) : []),
    ]);
  }

  private async connectedLine(device: Device): Promise<DeviceLine> {
    const { fleet } = this.options;
    if (!ACCEPTS.has(device.status) || !fleet.supports(device.engine))
      throw new Conflict('device not connected', { details: { status: device.status } });
    const line = await fleet.line(device);
    // The code may be shown at this moment: pairing passes through `connecting` too
    if (!line.engine.info().linked) throw new Conflict('device not connected', { details: { status: device.status } });
    if (line.outgoing.size >= MAX_QUEUE) throw new TooMany('send queue is full', { retryAfterSeconds: 5 });
    return line;
  }

  /** A number nobody ever wrote to or heard from is looked up first: unknown ones alone can restrict an account. */
  private async acquainted(line: DeviceLine, device: Device, chat: Jid): Promise<boolean> {
    const { seen, isReply } = await this.options.messages.acquaintance(device.instanceId, chat);
    if (seen || device.status !== 'connected' || !chat.endsWith('@s.whatsapp.net')) return isReply;
    if ((await this.options.known.isRegistered(device.instanceId, line.engine, chat)) === false)
      throw new InvalidInput([{ field: 'number', tag: 'not_registered', message: 'number not registered' }]);
    return isReply;
  }

  private address(number: string, field: string): Jid {
    const address = parseAddress(number, this.options.countryCode);
    if (!address) throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
    return jidOf(address);
  }

  /** The same pesan_id again: its first answer, or a refusal when it stands for something else. */
  private async before(instanceId: string, pesanId: string, hash: string): Promise<Accepted | undefined> {
    const accepted = await this.options.messages.accepted(instanceId, pesanId);
    if (!accepted) return undefined;
    if (accepted.hash !== hash) this.taken();
    const sent = { ...this.answer({ instanceId, pesanId }, accepted), duplicate: true };
    return { sent, content: accepted.payload.content };
  }

  private taken(): never {
    throw new Rejected('pesan_id already used', { code: 'CONFLICT' });
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
