import { startGraphSandbox, type GraphSandbox, type Inbound, type SentMessage } from '@platform/testing/graph';
import { cloudAccount, cloudEnvironment, cloudSubscription } from '../engines/cloud/cloud.fixture';
import { until } from '../gateway.fixture';
import type {
  MediaUse,
  NetworkFaults,
  ParityClient,
  ParityDriver,
  ParityPhone,
  PhoneContent,
  ShownContent,
  ShownMessage,
} from './parity.driver';

const UNTIL_CLEARED = Number.MAX_SAFE_INTEGER;
const NOT_ON_WHATSAPP = 131026;
const LEVELS = { delivered: 'delivered', viewed: 'read', played: 'played' } as const;
const ARRIVED: ReadonlySet<string> = new Set(['delivered', 'read', 'played']);

/** Meta's side of the Cloud API in the sandbox, and the phones behind it. */
export class CloudDriver implements ParityDriver {
  readonly engine = 'cloud';
  private running: GraphSandbox | undefined;
  private active: NetworkFaults = {};

  async start(): Promise<void> {
    this.running = await startGraphSandbox({ port: 0, wa: { webhookRetryMs: 20 } });
  }

  async stop(): Promise<void> {
    await this.running?.close();
  }

  environment(): Readonly<Record<string, string>> {
    return cloudEnvironment(this.sandbox);
  }

  async link(client: ParityClient, instanceID: string): Promise<void> {
    await client.data(client.post('/api/new', { instanceID, cloud: cloudAccount }));
    if (!(await this.sandbox.wa.subscribe(cloudSubscription(client.url))))
      throw new Error('the webhook is not verified');
  }

  async phone(number: string, name: string): Promise<ParityPhone> {
    return new CloudPhone(this, number, name);
  }

  async faults(faults: NetworkFaults): Promise<void> {
    const { wa } = this.sandbox;
    this.active = { ...this.active, ...faults };
    wa.faults.clear();
    if (this.active.duplicate) wa.addFault({ kind: 'webhook_duplicated', times: UNTIL_CLEARED });
    if (this.active.refuse) wa.addFault({ kind: 'error', code: NOT_ON_WHATSAPP, times: UNTIL_CLEARED });
  }

  get sandbox(): GraphSandbox {
    if (!this.running) throw new Error('the sandbox is not started');
    return this.running;
  }

  /** The wamid of a message that the gateway knows by an id of its own. */
  waIdOf(id: string): string {
    return this.sandbox.wa.store.sent.find(({ opaque }) => opaque === id)?.id ?? id;
  }

  idOf(waId: string): string {
    return this.sandbox.wa.store.sent.find(({ id }) => id === waId)?.opaque ?? waId;
  }
}

const inboundOf = (content: PhoneContent, driver: CloudDriver): Partial<Inbound> => {
  switch (content.kind) {
    case 'text':
      return { text: content.text };
    case 'location': {
      const { latitude, longitude, name, address } = content;
      return { location: { latitude, longitude, name, address } };
    }
    case 'contact': {
      const { name, phone } = content;
      return { contacts: [{ name: { formatted_name: name }, phones: [{ phone: `+${phone}`, wa_id: phone }] }] };
    }
    case 'reaction':
      return { reaction: { message_id: driver.waIdOf(content.target), emoji: content.emoji } };
    case 'poll':
    case 'edit':
    case 'revoke':
      throw new Error(`the Cloud API has no ${content.kind}`);
    default: {
      const { kind: type, bytes, mimetype, fileName: filename, caption } = content;
      return { file: { type, base64: bytes.toString('base64'), mimetype, filename, caption } };
    }
  }
};

/** Members of a message's content in Meta's words. */
interface CloudContent {
  readonly id?: string;
  readonly body?: string;
  readonly caption?: string;
  readonly filename?: string;
  readonly voice?: boolean;
  readonly message_id?: string;
  readonly emoji?: string;
  readonly contacts?: readonly { name: { formatted_name: string }; phones: readonly { wa_id: string }[] }[];
}

class CloudPhone implements ParityPhone {
  constructor(
    private readonly driver: CloudDriver,
    readonly number: string,
    readonly name: string,
  ) {}

  async send(content: PhoneContent, { quoted }: { quoted?: string } = {}): Promise<string> {
    const who = { from: this.number, name: this.name };
    const quotes = quoted === undefined ? {} : { quotes: this.driver.waIdOf(quoted) };
    return this.wa.customerSends({ ...who, ...quotes, ...inboundOf(content, this.driver) });
  }

  async shown(): Promise<ShownMessage[]> {
    const arrived = this.wa.store.shown(this.number).filter(({ level }) => ARRIVED.has(level));
    return arrived.map((message) => ({
      id: message.opaque ?? message.id,
      content: this.shownContent(message),
      ...(message.quotes === undefined ? {} : { quoted: this.driver.idOf(message.quotes) }),
    }));
  }

  async read(): Promise<void> {
    this.wa.personReads(this.number);
  }

  async play(id: string): Promise<void> {
    this.wa.personPlays(this.number, this.driver.waIdOf(id));
  }

  async offline(on: boolean): Promise<void> {
    this.wa.setOffline(this.number, on);
  }

  /** Resolves when the gateway has heard of it. */
  async receipt(id: string, level: keyof typeof LEVELS): Promise<void> {
    this.wa.receipt(this.number, id, LEVELS[level]);
    await until(
      () => this.wa.webhooks.pending,
      (pending) => pending === 0,
    );
  }

  private get wa(): GraphSandbox['wa'] {
    return this.driver.sandbox.wa;
  }

  private shownContent({ type, content }: SentMessage): ShownContent {
    const { id, body = '', caption, filename, voice, message_id, emoji = '', contacts } = content as CloudContent;
    const file = id === undefined ? undefined : this.wa.store.file(id);
    if (file) {
      const kind = (voice ? 'voice' : type) as MediaUse;
      const words = { ...(caption === undefined ? {} : { caption }), ...(filename ? { fileName: filename } : {}) };
      return { kind, bytes: file.bytes, ...words };
    }
    if (type === 'text') return { kind: 'text', text: body };
    if (type === 'reaction') return { kind: 'reaction', target: this.driver.idOf(message_id ?? ''), emoji };
    const [card] = contacts ?? [];
    if (card) return { kind: 'contact', name: card.name.formatted_name, phone: card.phones[0]?.wa_id ?? '' };
    return { kind: 'location', ...content } as ShownContent;
  }
}
