import { createHash } from 'node:crypto';
import { jidOf, parseAddress } from '@platform/contracts';
import { Conflict, InvalidInput, Rejected, TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { parse } from '@platform/validation';
import type { DeviceState, Jid, OutContent } from '../../engines/engine.types';
import { messageDraft, statusDraft, type CallbackDraft } from '../callbacks/callback.row';
import type { Device } from '../devices/device.entity';
import type { DeviceLine } from '../devices/device-line';
import type { DevicesService } from '../devices/devices.service';
import type { Fleet } from '../devices/fleet';
import type { Announcer } from '../realtime/announcer';
import { SendData, type SendMessage, type SentData } from './messages.dto';
import type { AcceptedSend, MessagesRepository, NewSend } from './messages.repository';

export interface MessagesOptions {
  readonly devices: DevicesService;
  readonly fleet: Fleet;
  readonly messages: MessagesRepository;
  readonly announcer: Announcer;
  readonly clock: Clock;
  readonly countryCode: string;
  /** WEBHOOK_SEND_PENDING. */
  readonly reportsPending: boolean;
}

/** A send is stored and goes out when the line is back (design 2.2). */
const ACCEPTS: ReadonlySet<DeviceState> = new Set<DeviceState>(['connected', 'connecting', 'reconnecting']);
const MAX_DATA_BYTES = 64 * 1024;
const MAX_QUEUE = 10_000;
const EXISTS_LIMIT_MS = 3_000;

const notValid = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'format', message: `${field} is not valid` }]);

const readData = (raw: unknown): Record<string, unknown> => {
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  if (Buffer.byteLength(text) > MAX_DATA_BYTES) throw notValid('data');
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  } catch {
    throw notValid('data');
  }
  throw notValid('data');
};

/** `3EB0` + 18 hex digits: the form of WhatsApp Web's own ids. The same pesan_id always gives the same id (design 3.3). */
const messageIdOf = (instanceId: string, pesanId: string): string =>
  `3EB0${createHash('sha256').update(`${instanceId}|${pesanId}`).digest('hex').slice(0, 18).toUpperCase()}`;

const hashOf = (chat: Jid, content: OutContent): string =>
  createHash('sha256')
    .update(JSON.stringify([chat, content]))
    .digest('hex');

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Accepts what goes out: durable when it answers, sent once however often it is asked for. */
export class MessagesService {
  constructor(private readonly options: MessagesOptions) {}

  /** All of design 2.2 for text; without `data.number` sockets alone hear of it (design 1 row 3). */
  async send({ pesan_id, role, data: raw }: SendMessage): Promise<SentData> {
    const data = readData(raw);
    if (data.number === undefined || data.number === null || data.number === '')
      return this.announceOnly({ pesan_id, role, data });
    const { value, violations } = parse(SendData, data);
    if (violations) throw new InvalidInput(violations);
    const chat = this.address(value.number, 'number');
    const device = await this.options.devices.resolve(value.instanceID ?? value.instance);
    const line = await this.connectedLine(device);
    const isReply = await this.acquainted(line, device, chat);
    const content: OutContent = { kind: 'text', text: value.text };
    const mentions = value.mentions?.map((number) => this.address(number, 'mentions'));
    const send: NewSend = {
      instanceId: device.instanceId,
      chat,
      id: messageIdOf(device.instanceId, pesan_id),
      pesanId: pesan_id,
      role,
      payload: { content, options: { quotedId: value.quoted_id, mentions } },
      hash: hashOf(chat, content),
      at: this.options.clock.now(),
    };
    if (!(await this.options.messages.accept(send, this.drafts(send, value))))
      return { ...(await this.first(send)), duplicate: true };
    line.outgoing.push({ id: send.id, chat, isReply });
    this.options.announcer.tell(device.instanceId, 'sendMessage', {
      pesan_id,
      role,
      data,
      id: send.id,
      status: 'pending',
    });
    return this.answer(send, send);
  }

  private async announceOnly(event: {
    pesan_id: string;
    role: string;
    data: Record<string, unknown>;
  }): Promise<SentData> {
    const { data, pesan_id, role } = event;
    const instance = [data.instanceID, data.instance].find((name) => typeof name === 'string' && name !== '');
    const clients = await this.options.announcer.broadcast(instance as string | undefined, 'sendMessage', event);
    return { pesan_id, role, status: null, delivery: 'realtime', clients };
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

  private drafts(send: NewSend, { text, echo }: SendData): CallbackDraft[] {
    const { instanceId, chat, id, pesanId } = send;
    const at = seconds(send.at);
    const echoed = { id, chat, fromMe: true, at, kind: 'chat' as const, text, raw: { pesan_id: pesanId } };
    return [
      ...(echo ? [messageDraft(instanceId, echoed)] : []),
      ...(this.options.reportsPending ? [statusDraft({ instanceId, chat, id, pesanId, at }, 'pending')] : []),
    ];
  }

  private async first(send: NewSend): Promise<SentData> {
    const accepted = await this.options.messages.accepted(send.instanceId, send.pesanId);
    if (accepted?.hash !== send.hash) throw new Rejected('pesan_id already used', { code: 'CONFLICT' });
    return this.answer(send, accepted);
  }

  private answer({ pesanId, instanceId }: NewSend, { id, chat, role, at }: Omit<AcceptedSend, 'hash'>): SentData {
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
