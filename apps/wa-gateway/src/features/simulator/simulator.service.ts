import { deliveryStatusOf, jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import type { Upload } from '@platform/http';
import type { CustomerMessage } from '../../engines/simulator/customer-message';
import type { SimulatorNetwork } from '../../engines/simulator/simulator.network';
import type { ShownMessage, SimulatorFaults } from '../../engines/simulator/simulator.store';
import type { FileStore } from '../files/public';
import { chatLineOf } from './chat-lines';
import type { ChatData, InboxData, SimChatQuery, SimFaults, SimMessage, SimReceipt, SimScan } from './simulator.dto';

const QR = /^sim:link\/([A-Za-z0-9._-]{1,64})\/[0-9a-f]+$/;

const shown = ({ id, instanceID, chat, content, level, at }: ShownMessage): InboxData['messages'][number] => ({
  id,
  instanceID,
  group: chat.endsWith('@g.us') ? chat : null,
  text: content.kind === 'text' ? content.text : null,
  content,
  status: deliveryStatusOf(level),
  timestamp: Math.floor(at.getTime() / 1000),
});

/** The simulator's routes in terms of people: numbers in any usual form, devices by name or number. */
export class SimulatorService {
  constructor(
    private readonly network: SimulatorNetwork,
    private readonly countryCode: string,
    private readonly media: FileStore,
    /** Resolves when this process serves the device; throws `ServedElsewhere` where another one does. */
    private readonly serve: (instanceId: string) => Promise<unknown>,
  ) {}

  addPhone(nohp: string, name?: string) {
    return this.network.addPhone(this.user(nohp, 'nohp'), name);
  }

  async scan({ instanceID, qr, nohp }: SimScan): Promise<{ instanceID: string; number: string }> {
    const instance = instanceID ?? QR.exec(qr ?? '')?.[1];
    if (instance === undefined)
      throw new InvalidInput([
        {
          field: qr === undefined ? 'instanceID' : 'qr',
          tag: qr === undefined ? 'required' : 'format',
          message: 'name the device or its code',
        },
      ]);
    const id = this.user(nohp, 'nohp');
    await this.serve(instance);
    await this.network.scan(instance, id, qr);
    return { instanceID: instance, number: jidOf({ kind: 'user', id }) };
  }

  async send(body: SimMessage, upload?: Upload) {
    const number = parseAddress(body.to, this.countryCode);
    const group = body.group === undefined ? undefined : jidOf(this.address(body.group, 'group', 'group'));
    const to = number?.kind === 'user' ? { nohp: number.id } : { instanceId: body.to };
    return this.network.customerSends(this.user(body.from, 'from'), to, {
      ...(await this.contentOf(body, upload)),
      group,
    });
  }

  async receipt({ instanceID, id, nohp, status: level }: SimReceipt) {
    const chat = jidOf(this.address(nohp, 'nohp', 'user'));
    await this.serve(instanceID);
    await this.network.tell(instanceID, { id, chat, level });
    return { count: 1 };
  }

  async inbox(nohp: string): Promise<InboxData> {
    const phone = await this.network.phone(this.user(nohp, 'nohp'));
    const messages = await this.network.inbox(phone.nohp);
    return { nohp: phone.nohp, name: phone.name, messages: messages.map(shown) };
  }

  async chat({ nohp, instanceID }: SimChatQuery): Promise<ChatData> {
    const { nohp: id, name, offline } = await this.network.phone(this.user(nohp, 'nohp'));
    await this.serve(instanceID);
    const lines = await this.network.conversation(id, instanceID);
    const composing = this.network.engine(instanceID).isComposing(jidOf({ kind: 'user', id }));
    return { nohp: id, name, offline, composing, messages: lines.flatMap(chatLineOf) };
  }

  async read(nohp: string, instanceID?: string) {
    return { count: await this.network.read(this.user(nohp, 'nohp'), instanceID) };
  }

  async play(id: string) {
    return { count: await this.network.play(id) };
  }

  async setOffline(nohp: string, on: boolean) {
    const phone = await this.network.phone(this.user(nohp, 'nohp'));
    await this.network.setOffline(phone.nohp, on);
    return { ...phone, offline: on };
  }

  async setFaults({ ban, replace, ...faults }: SimFaults): Promise<SimulatorFaults> {
    for (const instanceId of [ban, replace]) if (instanceId) await this.serve(instanceId);
    if (ban) await this.network.engine(ban).end('banned');
    if (replace) await this.network.engine(replace).end('replaced');
    return this.network.setFaults(faults);
  }

  private async contentOf(body: SimMessage, upload: Upload | undefined): Promise<CustomerMessage> {
    const { text, quoted_id, edit_id: editOf, revoke_id: revoked, location, contact, poll, vote, reaction } = body;
    if (upload) {
      const { filename: fileName = upload.originalName, sticker: isSticker } = body;
      return { media: { ...(await this.media.copy(upload.path)), fileName }, caption: text, isSticker };
    }
    if (revoked !== undefined) return { revoked };
    if (location) {
      const { latitude, longitude } = location;
      return { location: { ...location, latitude: String(latitude), longitude: String(longitude) } };
    }
    if (contact) return { contact: { ...contact, phone: this.user(contact.phone, 'contact.phone') } };
    if (poll) return { poll };
    if (vote) return { vote };
    if (reaction) return { reaction: { emoji: '', ...reaction } };
    if (text === undefined)
      throw new InvalidInput([{ field: 'text', tag: 'required_without', message: 'text is required' }]);
    if (editOf !== undefined) return { text, editOf };
    return { text, ...(quoted_id === undefined ? {} : { quoted: { id: quoted_id } }) };
  }

  private user(number: string, field: string): string {
    return this.address(number, field, 'user').id;
  }

  private address(number: string, field: string, kind: ChatAddress['kind']): ChatAddress {
    const address = parseAddress(
      kind === 'group' && !number.includes('@') ? `${number}@g.us` : number,
      this.countryCode,
    );
    if (address?.kind === kind) return address;
    throw new InvalidInput([{ field, tag: 'number_format', message: 'number format not valid' }]);
  }
}
