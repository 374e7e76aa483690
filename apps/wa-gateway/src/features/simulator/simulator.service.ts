import { deliveryStatusOf, jidOf, parseAddress, type ChatAddress } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import type { Upload } from '@platform/http';
import type { SimulatorNetwork } from '../../engines/simulator/simulator.network';
import type { ShownMessage, SimulatorFaults } from '../../engines/simulator/simulator.store';
import type { FileStore } from '../files/file.store';
import type { InboxData, SimFaults, SimMessage, SimScan } from './simulator.dto';

const QR = /^sim:link\/([A-Za-z0-9._-]{1,64})\/[0-9a-f]+$/;

const shown = ({ id, instanceID, content, level, at }: ShownMessage): InboxData['messages'][number] => ({
  id,
  instanceID,
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
    await this.network.scan(instance, id, qr);
    return { instanceID: instance, number: jidOf({ kind: 'user', id }) };
  }

  async send({ from, to, text, location, group }: SimMessage, upload?: Upload) {
    if (text === undefined && !location && !upload)
      throw new InvalidInput([{ field: 'text', tag: 'required_without', message: 'text is required' }]);
    const media = upload && { ...(await this.media.copy(upload.path)), fileName: upload.originalName };
    const number = parseAddress(to, this.countryCode);
    const place = location && {
      ...location,
      latitude: String(location.latitude),
      longitude: String(location.longitude),
    };
    return this.network.customerSends(
      this.user(from, 'from'),
      number?.kind === 'user' ? { nohp: number.id } : { instanceId: to },
      {
        text,
        location: place,
        media,
        group: group === undefined ? undefined : jidOf(this.address(group, 'group', 'group')),
      },
    );
  }

  async inbox(nohp: string): Promise<InboxData> {
    const phone = await this.network.phone(this.user(nohp, 'nohp'));
    const messages = await this.network.inbox(phone.nohp);
    return { nohp: phone.nohp, name: phone.name, messages: messages.map(shown) };
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
    if (ban) await this.network.engine(ban).end('banned');
    if (replace) await this.network.engine(replace).end('replaced');
    return this.network.setFaults(faults);
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
