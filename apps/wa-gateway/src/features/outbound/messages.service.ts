import { InvalidInput } from '@platform/errors';
import type { OutContent } from '../../engines/engine.types';
import { bulkPace } from '../campaigns/public';
import type { Announcer } from '../realtime/public';
import type { AcceptanceService } from './acceptance.service';
import type { SendLocation, SendMessage, SentData } from '../messages/public';
import { readSend } from './send-content';

const MAX_DATA_BYTES = 64 * 1024;

const notValid = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'format', message: `${field} is not valid` }]);

/** `data` of a send: an object, or a JSON text of one. */
export const readData = (raw: unknown): Record<string, unknown> => {
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

export const DEFAULT_ROLE = 'agent';

/** A person's card, and to whom it goes. */
export interface ContactSend {
  readonly instanceID?: string;
  readonly number: string;
  readonly contact: { readonly name: string; readonly phone: string };
  readonly pesan_id?: string;
}

/** The routes for texts and locations; files have a service of their own. */
export class MessagesService {
  constructor(
    private readonly acceptance: Pick<AcceptanceService, 'accept'>,
    private readonly announcer: Announcer,
  ) {}

  /** A text, poll or reaction of design 2.2; without `data.number` sockets alone hear of it (design 1 row 3). */
  async send({ pesan_id, role, data: raw }: SendMessage): Promise<SentData> {
    const data = readData(raw);
    if (data.number === undefined || data.number === null || data.number === '')
      return this.announceOnly({ pesan_id, role, data });
    const { value, content } = readSend(data);
    const { sent } = await this.acceptance.accept({
      device: value,
      number: value.number,
      pesanId: pesan_id,
      role,
      kind: content.kind,
      identity: content,
      content: () => content,
      quotedId: value.quoted_id,
      mentions: value.mentions,
      echo: value.echo,
      bulk: bulkPace(value.bulk),
      data,
    });
    return sent;
  }

  async sendLocation(body: SendLocation): Promise<SentData> {
    const { latitude, longitude, locationName: name, locationAddress: address, pesan_id: pesanId = null } = body;
    const content: OutContent = { kind: 'location', latitude, longitude, name, address };
    const place = { instanceID: body.instanceID ?? body.instance, number: body.number, latitude, longitude };
    const { sent } = await this.acceptance.accept({
      device: body,
      number: body.number,
      pesanId,
      role: body.role ?? DEFAULT_ROLE,
      kind: content.kind,
      identity: content,
      content: () => content,
      echo: body.echo,
      bulk: bulkPace(body.bulk),
      data: { ...(body.data === undefined ? {} : readData(body.data)), ...place },
    });
    return sent;
  }

  /** The contract has this operation and no route to it (design 1 row 5): other parts of the gateway may call it. */
  async sendContact({ instanceID, number, contact, pesan_id }: ContactSend): Promise<SentData> {
    const content: OutContent = { kind: 'contact', ...contact };
    const { sent } = await this.acceptance.accept({
      device: { instanceID },
      number,
      pesanId: pesan_id ?? null,
      role: DEFAULT_ROLE,
      kind: content.kind,
      identity: content,
      content: () => content,
      data: { instanceID, number, contact },
    });
    return sent;
  }

  private async announceOnly(event: {
    pesan_id: string;
    role: string;
    data: Record<string, unknown>;
  }): Promise<SentData> {
    const { data, pesan_id, role } = event;
    const instance = [data.instanceID, data.instance].find((name) => typeof name === 'string' && name !== '');
    const clients = await this.announcer.broadcast({ instance: instance as string | undefined }, 'sendMessage', event);
    return { pesan_id, role, status: null, delivery: 'realtime', clients };
  }
}
