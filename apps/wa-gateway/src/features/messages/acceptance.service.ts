import { createHash, randomUUID } from 'node:crypto';
import { jidOf, parseAddress } from '@platform/contracts';
import { Conflict, InvalidInput, Rejected, TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { DeviceState, Jid, OutContent, SendOptions } from '../../engines/engine.types';
import { messageDraft, statusDraft, withFile, type CallbackDraft } from '../callbacks/callback.row';
import type { Device } from '../devices/device.entity';
import type { DeviceReference } from '../devices/devices.dto';
import type { DeviceLine } from '../devices/device-line';
import type { DevicesService } from '../devices/devices.service';
import type { Fleet } from '../devices/fleet';
import type { Announcer } from '../realtime/announcer';
import type { SentData } from './messages.dto';
import type { AcceptedSend, MessagesRepository, NewSend } from './messages.repository';
import { capabilityOf, echoOf } from './out-content';

export interface AcceptanceOptions {
  readonly devices: DevicesService;
  readonly fleet: Fleet;
  readonly messages: MessagesRepository;
  readonly announcer: Announcer;
  readonly clock: Clock;
  readonly countryCode: string;
  /** WEBHOOK_SEND_PENDING. */
  readonly reportsPending: boolean;
  /** FILES_BASE_URL, for the files of echoed messages. */
  readonly filesBaseUrl: string;
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
const EXISTS_LIMIT_MS = 3_000;

/** `3EB0` + 18 hex digits: the form of WhatsApp Web's own ids. The same pesan_id always gives the same id (design 3.3). */
const messageIdOf = (instanceId: string, pesanId: string | null): string =>
  `3EB0${createHash('sha256')
    .update(pesanId === null ? randomUUID() : `${instanceId}|${pesanId}`)
    .digest('hex')
    .slice(0, 18)
    .toUpperCase()}`;

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
    const chat = this.address(request.number, 'number');
    const mentions = request.mentions?.map((number) => this.address(number, 'mentions'));
    const device = await this.options.devices.resolve(request.device.instanceID ?? request.device.instance);
    const line = await this.connectedLine(device);
    this.demand(line, request);
    const hash = hashOf(chat, request.identity);
    if (request.costly && request.pesanId !== null) {
      const before = await this.before(device.instanceId, request.pesanId, hash);
      if (before) return before;
    }
    const isReply = await this.acquainted(line, device, chat);
    const content = await request.content();
    const send = this.newSend(request, {
      device,
      chat,
      hash,
      content,
      options: { quotedId: request.quotedId, mentions },
    });
    if (!(await this.options.messages.accept(send, this.drafts(send, request.echo))))
      return (await this.before(device.instanceId, request.pesanId ?? '', hash)) ?? this.taken();
    line.outgoing.push({ id: send.id, chat, isReply });
    this.announce(send, request.data);
    return { sent: this.answer(send, send), content };
  }

  private newSend(
    { pesanId, role }: SendRequest,
    of: { device: Device; chat: Jid; hash: string; content: OutContent; options: Omit<SendOptions, 'id'> },
  ): NewSend {
    const { instanceId } = of.device;
    return {
      instanceId,
      chat: of.chat,
      id: messageIdOf(instanceId, pesanId),
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

  private demand({ engine }: DeviceLine, { kind, quotedId, mentions }: SendRequest): void {
    const asked = [
      capabilityOf({ kind }),
      ...(quotedId ? (['quote'] as const) : []),
      ...(mentions ? (['mentions'] as const) : []),
    ];
    const missing = asked.find((name) => engine.capabilities[name] !== true);
    if (missing) throw new Rejected(`engine does not support ${missing}`, { code: 'UNSUPPORTED' });
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
    const canAsk = line.engine.capabilities.exists === true && device.status === 'connected';
    if (seen || !canAsk || !chat.endsWith('@s.whatsapp.net')) return isReply;
    const limit = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), EXISTS_LIMIT_MS).unref());
    const known = await Promise.race([line.engine.exists([chat]), limit]).catch(() => undefined);
    if (known?.get(chat) === false)
      throw new InvalidInput([{ field: 'number', tag: 'not_registered', message: 'number not registered' }]);
    return isReply;
  }

  private address(number: string, field: string): Jid {
    const address = parseAddress(number, this.options.countryCode);
    if (!address) throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
    return jidOf(address);
  }

  private drafts(send: NewSend, echo = false): CallbackDraft[] {
    const { instanceId, chat, id, pesanId } = send;
    const at = seconds(send.at);
    const raw = pesanId === null ? {} : { pesan_id: pesanId };
    const { media, ...content } = echoOf(send.payload.content);
    const draft = messageDraft(instanceId, { ...content, id, chat, fromMe: true, at, raw });
    const echoed = media ? { ...draft, payload: withFile(draft.payload, media, this.options.filesBaseUrl) } : draft;
    return [
      ...(echo ? [echoed] : []),
      ...(this.options.reportsPending ? [statusDraft({ instanceId, chat, id, pesanId, at }, 'pending')] : []),
    ];
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
