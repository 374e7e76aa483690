import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerAdmin } from './admin.endpoint';
import { Connection } from './connection';
import { disconnect } from './disconnect';
import { toJid } from './jid';
import { loadLibrary, type BinaryNode, type Library } from './library';
import { MediaHost } from './media.host';
import { Network, pnOf, type Device } from './network';
import { element } from './node.reader';
import { Phone } from './phone';
import type {
  AccountOptions,
  CustomerPhone,
  DisconnectCause,
  Faults,
  Injected,
  SandboxState,
  WhatsAppSandbox,
  WhatsAppSandboxOptions,
} from './sandbox.types';
import { makeServerIdentity, type ServerIdentity } from './server.identity';
import { Switchboard } from './switchboard';

const LOOPBACK = '127.0.0.1';
const SOCKET_PATH = '/ws/chat';

class Sandbox implements WhatsAppSandbox {
  readonly media = new MediaHost();
  private readonly network: Network;
  private readonly switchboard: Switchboard;
  private readonly identity: ServerIdentity;
  private readonly phones: CustomerPhone[] = [];
  private readonly connections = new Set<Connection>();
  private readonly server: Server;
  private readonly sockets: WebSocketServer;

  constructor(
    private readonly library: Library,
    { now = () => Math.floor(Date.now() / 1_000), fewKeys = false }: WhatsAppSandboxOptions,
  ) {
    this.network = new Network(library, now, fewKeys);
    this.identity = makeServerIdentity(library);
    this.switchboard = new Switchboard(this.network, () => this.media.host);
    this.server = createServer((request, response) => answerAdmin(this, request, response));
    this.sockets = new WebSocketServer({ server: this.server, path: SOCKET_PATH });
    this.sockets.on('connection', (socket) => {
      const connection = new Connection(socket, library, this.identity, this.switchboard);
      this.connections.add(connection);
      void connection.closed.then(() => this.connections.delete(connection));
    });
  }

  get url(): string {
    return `http://${LOOPBACK}:${(this.server.address() as AddressInfo).port}`;
  }

  get socketUrl(): string {
    return `${this.url.replace('http', 'ws')}${SOCKET_PATH}`;
  }

  get rootKey(): string {
    return Buffer.from(this.identity.root.public).toString('hex');
  }

  get mediaHost(): string {
    return this.media.host;
  }

  get mediaCa(): string {
    return this.media.ca;
  }

  async start({ port = 0, mediaPort = 0 }: WhatsAppSandboxOptions): Promise<this> {
    await this.media.start(mediaPort);
    this.server.listen(port, LOOPBACK);
    await once(this.server, 'listening');
    return this;
  }

  async scan(qr: string, { number, ...options }: { number: string } & AccountOptions): Promise<void> {
    await this.linked(this.switchboard.pairing.scan(qr, this.network.account(number, options)));
  }

  async enterCode(code: string, { number, ...options }: { number: string } & AccountOptions): Promise<void> {
    await this.linked(this.switchboard.codes.enter(code, this.network.account(number, options)));
  }

  link(number: string, noiseKey: Uint8Array): string {
    const { account, id } = this.network.addDevice(this.network.account(number), noiseKey);
    return pnOf(account, id);
  }

  account(number: string, options: AccountOptions = {}): void {
    this.network.account(number, options);
  }

  async phone(number: string, options: AccountOptions = {}): Promise<CustomerPhone> {
    const account = this.network.account(number, options);
    account.fewKeys = true;
    let device: Device | undefined;
    const phone = new Phone(this.library, {
      number,
      lid: account.lid,
      trust: this,
      scan: async (qr) => {
        device = await this.linked(this.switchboard.pairing.scan(qr, account));
      },
      gone: async () => device?.connection?.closed,
    });
    this.phones.push(phone);
    await phone.online();
    return phone;
  }

  faults(change: Partial<Faults>, number?: string): void {
    this.switchboard.faults.set(change, number);
    for (const account of this.network.accounts.values())
      for (const device of account.devices.values()) this.switchboard.delivery.resume(device);
  }

  async disconnect(number: string, cause: DisconnectCause, told?: Readonly<Record<string, string>>): Promise<void> {
    const account = this.network.find(toJid(number));
    if (!account) throw new Error(`No account has the number ${number}.`);
    await disconnect(this.switchboard, account, { cause, told });
  }

  inject({ to, from, name, id, message }: Injected): void {
    const content = this.library.proto.Message.encode(message).finish();
    const attrs = {
      from: toJid(from),
      id: id ?? this.library.generateMessageIDV2(),
      type: 'text',
      t: String(this.network.now()),
      notify: name,
    };
    for (const device of this.network.find(toJid(to))?.devices.values() ?? [])
      this.switchboard.delivery.message(device, element('message', attrs, [element('plaintext', {}, content)]));
  }

  send(number: string, node: BinaryNode): void {
    for (const device of this.network.find(toJid(number))?.devices.values() ?? [])
      this.switchboard.delivery.send(device, node);
  }

  heard(number: string, tag?: string): readonly BinaryNode[] {
    const nodes = this.network.find(toJid(number))?.heard ?? [];
    return nodes.filter((node) => tag === undefined || node.tag === tag);
  }

  state(): SandboxState {
    const accounts = [...this.network.accounts.values()];
    return {
      accounts: accounts.map((account) => ({
        number: account.number,
        lid: account.lid,
        name: account.name,
        linked: account.devices.size > 0,
        online: this.network.online(account).length > 0,
      })),
      held: accounts.flatMap(({ number, devices }) =>
        [...devices.values()].flatMap(({ held }) => [...held.values()].map(({ id }) => ({ number, id }))),
      ),
      unlistedIqs: [...this.network.unlistedIqs],
      counters: { ...this.network.counters },
    };
  }

  async stop(): Promise<void> {
    this.switchboard.delivery.stop();
    await Promise.all(this.phones.map((phone) => phone.stop()));
    for (const connection of this.connections) connection.cut();
    await Promise.all([...this.connections].map(({ closed }) => closed));
    this.sockets.close();
    this.server.closeAllConnections();
    this.server.close();
    await Promise.all([once(this.server, 'close'), this.media.stop()]);
  }

  private async linked(linking: Promise<Device>): Promise<Device> {
    const device = await linking;
    this.switchboard.announceDevices(device);
    return device;
  }
}

/**
 * Starts a labelled fake WhatsApp on loopback. It relays ciphertext between unmodified clients and keeps everything in memory.
 * Throws when the optional package `baileys` is not installed or a port is taken.
 */
export const startWhatsAppSandbox = async (options: WhatsAppSandboxOptions = {}): Promise<WhatsAppSandbox> =>
  new Sandbox(await loadLibrary(), options).start(options);
