import { CodePairing } from './code.pairing';
import type { Connection, ConnectionEvents } from './connection';
import { Delivery } from './delivery';
import { directoryHandlers } from './directory.iq';
import { FaultBook } from './fault.book';
import { GroupDesk } from './group.iq';
import { IqRouter } from './iq.router';
import type { IqRequest } from './iq.types';
import { isGroup, parseJid } from './jid';
import { keyHandlers } from './keys.iq';
import type { BinaryNode } from './library';
import { MessageRelay } from './message.relay';
import { jidAs, lidOf, type Device, type Network } from './network';
import type { Handshaken } from './noise.responder';
import { element } from './node.reader';
import { Pairing } from './pairing';
import { ReceiptRelay } from './receipt.relay';

/** Stanzas kept per account. */
const HEARD = 5_000;

/** Dispatches the stanzas of clients to their handlers. */
export class Switchboard implements ConnectionEvents {
  readonly faults = new FaultBook();
  readonly delivery = new Delivery(this.faults);
  readonly pairing: Pairing;
  readonly codes: CodePairing;
  private readonly devices = new Map<Connection, Device>();
  private readonly iqs: IqRouter;
  private readonly messages: MessageRelay;
  private readonly receipts: ReceiptRelay;

  constructor(
    readonly network: Network,
    mediaHost: () => string,
  ) {
    this.pairing = new Pairing(network);
    this.codes = new CodePairing(network, this.pairing);
    this.messages = new MessageRelay(network, this.delivery, this.faults);
    this.receipts = new ReceiptRelay(network, this.delivery, this.faults);
    this.iqs = new IqRouter(network, {
      ...keyHandlers(network, this.delivery),
      ...directoryHandlers(network),
      ...new GroupDesk(network, this.delivery).handlers(),
      'w:m/set/media_conn': () => [
        element('media_conn', { auth: 'sandbox', ttl: '3600', auth_ttl: '3600', max_buckets: '1' }, [
          element('host', { hostname: mediaHost(), maxContentLengthBytes: String(104_857_600) }),
        ]),
      ],
      'md/set/remove-companion-device': (request) => this.remove(request),
    });
  }

  opened(connection: Connection, { payload, noiseKey }: Handshaken): void {
    if (payload.devicePairingData) {
      this.network.count('pairings');
      this.pairing.begin(connection, noiseKey);
      return;
    }
    const device = this.network.accounts.get(String(payload.username))?.devices.get(payload.device ?? 0);
    if (!device?.noiseKey.equals(noiseKey)) {
      this.network.count('refusedLogins');
      connection.send(element('failure', { reason: '401', location: 'sandbox' }));
      connection.close();
      return;
    }
    this.login(connection, device);
  }

  stanza(connection: Connection, node: BinaryNode): void {
    this.network.count(node.tag);
    const device = this.devices.get(connection);
    if (!device) {
      if (!this.pairing.signed(connection, node)) this.codes.take(connection, node);
      return;
    }
    const { number, heard } = device.account;
    heard.push(node);
    if (heard.length > HEARD) heard.shift();
    if (!this.faults.of(number).silent) this.route({ connection, device, node });
  }

  closed(connection: Connection): void {
    this.pairing.closed(connection);
    this.codes.closed(connection);
    const device = this.devices.get(connection);
    this.devices.delete(connection);
    if (device?.connection === connection) device.connection = undefined;
  }

  /** Notifies others to fetch the account's devices again. */
  announceDevices(device: Device): void {
    const { account, id } = device;
    const jids = [jidAs(account, 'lid', id), jidAs(account, 'pn', id)];
    const update = element(
      'update',
      {},
      jids.map((jid) => element('device', { jid })),
    );
    const attrs = { from: jidAs(account, 'pn'), type: 'devices', t: String(this.network.now()) };
    for (const other of this.devices.values())
      if (other.account !== account)
        this.delivery.send(other, element('notification', { ...attrs, id: this.network.nextId() }, [update]));
  }

  forget(device: Device): void {
    device.account.devices.delete(device.id);
    this.announceDevices(device);
  }

  private login(connection: Connection, device: Device): void {
    this.network.count('logins');
    const previous = device.connection;
    device.connection = connection;
    this.devices.set(connection, device);
    if (previous) {
      this.devices.delete(previous);
      previous.send(element('stream:error', {}, [element('conflict', { type: 'replaced' })]));
      previous.close();
    }
    const { account, id } = device;
    const attrs = { t: String(this.network.now()), lid: lidOf(account, id), props: '1', location: 'sandbox' };
    connection.send(element('success', attrs));
    this.delivery.login(device);
  }

  private route(request: Omit<IqRequest, 'body'>): void {
    const { device, node } = request;
    if (node.tag === 'iq') this.iqs.answer(request);
    else if (node.tag === 'message') this.messages.take(device, node);
    else if (node.tag === 'receipt') this.receipts.take(device, node);
    else if (node.tag === 'ack') this.receipts.acknowledged(device, node);
    else if (node.tag === 'chatstate') this.chatState(device, node);
    else if (node.tag === 'presence') this.presence(device, node);
  }

  private chatState(sender: Device, node: BinaryNode): void {
    const to = node.attrs.to ?? '';
    const group = this.network.groups.get(to);
    const writer = jidAs(sender.account, parseJid(to).server);
    const attrs = isGroup(to) ? { from: to, participant: writer } : { from: writer };
    const readers = group ? [...group.members.keys()] : [this.network.find(to)];
    for (const reader of readers)
      for (const device of reader && reader !== sender.account ? this.network.online(reader) : [])
        this.delivery.send(device, element('chatstate', attrs, node.content));
  }

  private presence(device: Device, { attrs }: BinaryNode): void {
    if (attrs.name) device.account.name = attrs.name;
    const asked = attrs.type === 'subscribe' ? this.network.find(attrs.to ?? '') : undefined;
    if (!asked) return;
    const type = this.network.online(asked).length ? undefined : 'unavailable';
    this.delivery.send(device, element('presence', { from: attrs.to, type }));
  }

  private remove({ device }: IqRequest): BinaryNode[] {
    this.forget(device);
    return [];
  }
}
