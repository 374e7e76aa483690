import { openDatabase, type Database } from '@platform/data';
import { silentLogger, systemClock } from '@platform/runtime';
import { entities, migrations, schema } from '../data-source';
import type { CustomerMessage } from '../engines/simulator/customer-message';
import { SimulatorGroups } from '../engines/simulator/simulator.groups';
import { SimulatorNetwork } from '../engines/simulator/simulator.network';
import { SimulatorStore } from '../engines/simulator/simulator.store';
import type { MediaRef } from '../engines/engine.types';
import type {
  NetworkFaults,
  ParityClient,
  ParityDriver,
  ParityPhone,
  PhoneContent,
  ShownContent,
  ShownMessage,
} from './parity.driver';

interface InboxMessage {
  readonly id: string;
  readonly group: string | null;
  readonly content: {
    readonly kind: ShownContent['kind'];
    readonly media?: MediaRef;
    readonly quotedId?: string;
    readonly mentions?: readonly string[];
  } & Readonly<Record<string, unknown>>;
}

const digits = (jid: string): string => jid.replace(/@.*$/, '');

/** The simulated network through its routes, as its phones use it; while no gateway runs, through its tables. */
export class SimulatorDriver implements ParityDriver {
  readonly engine = 'simulator';
  private client: ParityClient | undefined;
  private database: Database | undefined;
  private away: SimulatorNetwork | undefined;

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.database?.stop?.();
  }

  environment(): Readonly<Record<string, string>> {
    return {};
  }

  async attach(client: ParityClient, databaseUrl: string): Promise<void> {
    this.client = client;
    if (this.database) return;
    this.database = openDatabase({ url: databaseUrl, schema, entities, migrations, poolSize: 1, logger: silentLogger });
    await this.database.start?.();
    this.away = new SimulatorNetwork({
      store: new SimulatorStore(this.database),
      groups: new SimulatorGroups(this.database),
      media: {
        open: () => {
          throw new Error('no files while the gateway is away');
        },
      },
      clock: systemClock,
      logger: silentLogger,
    });
  }

  async detach(): Promise<void> {
    this.client = undefined;
  }

  async link(client: ParityClient, instanceID: string): Promise<void> {
    await client.data(client.post('/api/new', { instanceID }));
    const qr = await client.code(instanceID);
    await client.data(client.post('/sim/scan', { qr, nohp: '628110000001' }));
  }

  async phone(number: string, name: string): Promise<ParityPhone> {
    await this.post('/sim/phones', { nohp: number, name });
    return new SimulatedPhone(this, number, name);
  }

  async faults({ duplicate, refuse }: NetworkFaults): Promise<void> {
    await this.post('/sim/faults', { dup: duplicate, nack463: refuse });
  }

  get online(): ParityClient | undefined {
    return this.client;
  }

  async post<T>(path: string, body: object): Promise<T> {
    if (!this.client) throw new Error('the gateway is away, and so are the routes of its simulator');
    return this.client.data<T>(this.client.post(path, body));
  }

  async sendWhileAway(from: string, message: CustomerMessage): Promise<string> {
    if (!this.away) throw new Error('no gateway was ever there');
    return (await this.away.customerSends(from, { instanceId: 'parity' }, message)).id;
  }
}

/** The body of /sim/messages for what is no file. */
const bodyOf = (content: PhoneContent, quoted_id?: string): object => {
  switch (content.kind) {
    case 'text':
      return { text: content.text, quoted_id };
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return { location: { latitude, longitude, name, address } };
    }
    case 'contact':
      return { contact: { name: content.name, phone: content.phone } };
    case 'poll':
      return { poll: { name: content.name, options: content.options } };
    case 'reaction':
      return { reaction: { id: content.target, emoji: content.emoji } };
    case 'edit':
      return { text: content.text, edit_id: content.target };
    case 'revoke':
      return { revoke_id: content.target };
    default:
      throw new Error(`${content.kind} is a file`);
  }
};

class SimulatedPhone implements ParityPhone {
  constructor(
    private readonly driver: SimulatorDriver,
    readonly number: string,
    readonly name: string,
  ) {}

  async send(content: PhoneContent, where: { group?: string; quoted?: string } = {}): Promise<string> {
    if (!this.driver.online) {
      if (content.kind !== 'text') throw new Error('only texts are sent while the gateway is away');
      return this.driver.sendWhileAway(this.number, { text: content.text });
    }
    if ('bytes' in content) return this.sendFile(content);
    const body = { from: this.number, to: 'parity', group: where.group, ...bodyOf(content, where.quoted) };
    return (await this.driver.post<{ id: string }>('/sim/messages', body)).id;
  }

  async shown(): Promise<ShownMessage[]> {
    const client = this.client();
    const inbox = client.get(`/sim/inbox?nohp=${this.number}`);
    const { messages } = await client.data<{ messages: InboxMessage[] }>(inbox);
    return Promise.all(messages.map((message) => this.shownMessage(message)));
  }

  async read(): Promise<void> {
    await this.driver.post('/sim/read', { nohp: this.number });
  }

  async play(id: string): Promise<void> {
    await this.driver.post('/sim/play', { id });
  }

  async offline(on: boolean): Promise<void> {
    await this.driver.post('/sim/offline', { nohp: this.number, on });
  }

  async receipt(id: string, status: 'delivered' | 'viewed' | 'played'): Promise<void> {
    await this.driver.post('/sim/receipt', { instanceID: 'parity', id, nohp: this.number, status });
  }

  private client(): ParityClient {
    if (!this.driver.online) throw new Error('the gateway is away');
    return this.driver.online;
  }

  private async sendFile(content: Extract<PhoneContent, { bytes: Buffer }>): Promise<string> {
    const form = new FormData();
    form.append('from', this.number);
    form.append('to', 'parity');
    if (content.caption !== undefined) form.append('text', content.caption);
    if (content.fileName !== undefined) form.append('filename', content.fileName);
    if (content.kind === 'sticker') form.append('sticker', 'true');
    form.append('file', new Blob([new Uint8Array(content.bytes)]), 'phone.bin');
    const answer = await fetch(`${this.client().url}/sim/messages`, { method: 'POST', body: form });
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string } }).data.id;
  }

  private async shownMessage({ id, group, content: sent }: InboxMessage): Promise<ShownMessage> {
    const { quotedId, mentions, ...content } = sent;
    return {
      id,
      content: await this.shownContent(content),
      ...(quotedId === undefined ? {} : { quoted: quotedId }),
      ...(mentions === undefined ? {} : { mentions: mentions.map(digits) }),
      ...(group === null ? {} : { group }),
    };
  }

  private async shownContent({ kind, media, ...rest }: InboxMessage['content']): Promise<ShownContent> {
    if (media) {
      const answer = await fetch(`${this.client().url}/files/${media.key}`);
      const fileName = kind === 'document' ? { fileName: media.fileName } : {};
      return { kind, bytes: Buffer.from(await answer.arrayBuffer()), ...rest, ...fileName } as ShownContent;
    }
    if (kind === 'contact') return { kind, name: String(rest.name), phone: digits(String(rest.phone)) };
    if (kind === 'reaction') return { kind, target: String(rest.id), emoji: String(rest.emoji) };
    return { kind, ...rest } as ShownContent;
  }
}
