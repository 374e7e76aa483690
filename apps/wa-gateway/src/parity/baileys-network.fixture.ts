import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startWhatsAppSandbox,
  type CustomerPhone,
  type MessageRef,
  type PhoneMessage,
  type WhatsAppSandbox,
} from '@platform/testing/whatsapp';
import type {
  NetworkFaults,
  ParityClient,
  ParityDriver,
  ParityPhone,
  PhoneContent,
  ShownContent,
  ShownMessage,
} from './parity.driver';

const SHOP = '628110000001';
const SHOP_JID = `${SHOP}@s.whatsapp.net`;
const RECEIPTS = { delivered: undefined, viewed: 'read', played: 'played' } as const;

const digits = (jid: string): string => jid.replace(/[:@].*$/, '');

/** The sandbox of WhatsApp, with unmodified clients as the customers' phones. */
export class BaileysDriver implements ParityDriver {
  readonly engine = 'baileys';
  private readonly folder = mkdtempSync(join(tmpdir(), 'parity-baileys-'));
  private readonly phones: CustomerPhone[] = [];
  private running: WhatsAppSandbox | undefined;

  async start(): Promise<void> {
    this.running = await startWhatsAppSandbox({ fewKeys: true });
    writeFileSync(join(this.folder, 'ca.pem'), this.running.mediaCa);
  }

  async stop(): Promise<void> {
    await Promise.all(this.phones.map((phone) => phone.stop()));
    await this.running?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get sandbox(): WhatsAppSandbox {
    if (!this.running) throw new Error('the sandbox was not started');
    return this.running;
  }

  environment(): Readonly<Record<string, string>> {
    const { socketUrl, rootKey, mediaHost } = this.sandbox;
    const media = { WA_MEDIA_HOST: mediaHost, WA_MEDIA_CA: join(this.folder, 'ca.pem') };
    return { WA_SOCKET_URL: socketUrl, WA_ROOT_KEY: rootKey, ...media };
  }

  async link(client: ParityClient, instanceID: string): Promise<void> {
    await client.data(client.post('/api/new', { instanceID, engine: 'baileys' }));
    const qr = await client.code(instanceID);
    await this.sandbox.scan(qr, { number: SHOP, name: 'Toko Nusa' });
    for (;;) {
      const info = client.get(`/api/device-info?instanceID=${instanceID}`);
      if ((await client.data<{ status: string }>(info)).status === 'connected') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async phone(number: string, name: string): Promise<ParityPhone> {
    const phone = await this.sandbox.phone(number, { name });
    this.phones.push(phone);
    return new SandboxPhone(this.sandbox, phone, name);
  }

  async faults({ duplicate, refuse }: NetworkFaults): Promise<void> {
    if (duplicate !== undefined) this.sandbox.faults({ dup: duplicate }, SHOP);
    if (refuse !== undefined) this.sandbox.faults({ nack: refuse ? '463' : null }, SHOP);
  }
}

type FileContent = Extract<PhoneContent, { bytes: Buffer }>;

class SandboxPhone implements ParityPhone {
  readonly number: string;
  private readonly sent = new Map<string, MessageRef>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly sandbox: WhatsAppSandbox,
    private readonly phone: CustomerPhone,
    readonly name: string,
  ) {
    this.number = phone.number;
  }

  async send(content: PhoneContent, where: { group?: string; quoted?: string } = {}): Promise<string> {
    const ref = await this.sendTo(where.group ?? SHOP, content, where.quoted);
    this.sent.set(ref.id, ref);
    return ref.id;
  }

  async shown(): Promise<ShownMessage[]> {
    const arrived = new Map(this.incoming().map((message) => [message.id, message]));
    return Promise.all([...arrived.values()].map((message) => this.shownMessage(message)));
  }

  async read(): Promise<void> {
    const unread = this.incoming().filter(({ id }) => !this.seen.has(id));
    for (const { id } of unread) this.seen.add(id);
    if (unread.length > 0) await this.phone.markRead(...unread);
  }

  async play(id: string): Promise<void> {
    const message = this.incoming().find((one) => one.id === id);
    if (!message) throw new Error('the phone has no such message');
    await this.phone.markPlayed(message);
  }

  async offline(on: boolean): Promise<void> {
    if (on) return this.phone.offline();
    const before = new Set(this.incoming().map(({ id }) => id));
    await this.phone.online();
    // A phone confirms what waited for it; the client that plays it is a second device and calls such receipts inactive
    const waited = this.incoming().filter(({ id }) => !before.has(id));
    for (const { id } of waited) await this.receipt(id, 'delivered');
  }

  async receipt(id: string, level: keyof typeof RECEIPTS): Promise<void> {
    const type = RECEIPTS[level];
    const t = String(Math.floor(Date.now() / 1000));
    this.sandbox.send(SHOP, { tag: 'receipt', attrs: { from: this.phone.jid, id, t, ...(type ? { type } : {}) } });
  }

  private incoming(): PhoneMessage[] {
    return this.phone.received.filter(({ fromMe, content }) => !fromMe && content !== undefined);
  }

  private async sendTo(to: string, content: PhoneContent, quotedId?: string): Promise<MessageRef> {
    const quoted = this.incoming().find(({ id }) => id === quotedId);
    switch (content.kind) {
      case 'text':
        return this.phone.sendText(to, content.text, { quoted });
      case 'location':
        return this.phone.sendLocation(to, content);
      case 'contact':
        return this.phone.sendContact(to, { name: content.name, number: content.phone });
      case 'poll':
        return this.phone.sendPoll(to, { ...content, selectable: 1 });
      case 'reaction':
        return this.phone.react({ id: content.target, chat: SHOP_JID, fromMe: false }, content.emoji);
      case 'edit':
        return this.phone.edit(this.own(content.target), content.text);
      case 'revoke':
        return this.phone.revoke(this.own(content.target));
      default:
        return this.phone.sendMedia(to, content satisfies FileContent);
    }
  }

  private own(id: string): MessageRef {
    const ref = this.sent.get(id);
    if (!ref) throw new Error('the phone sent no such message');
    return ref;
  }

  private async shownMessage(message: PhoneMessage): Promise<ShownMessage> {
    const { id, chat, content = {} } = message;
    const context = content.extendedTextMessage?.contextInfo;
    const mentions = context?.mentionedJid?.map(digits) ?? [];
    return {
      id,
      content: await this.shownContent(message),
      ...(context?.stanzaId ? { quoted: context.stanzaId } : {}),
      ...(mentions.length > 0 ? { mentions } : {}),
      ...(chat.endsWith('@g.us') ? { group: chat } : {}),
    };
  }

  private async shownContent(message: PhoneMessage): Promise<ShownContent> {
    const { content = {}, text } = message;
    const card = cardOf(content);
    if (card) return card;
    const kind = fileKind(message);
    if (!kind) return { kind: 'text', text };
    const fileName = content.documentMessage?.fileName;
    const words = { ...(text ? { caption: text } : {}), ...(fileName ? { fileName } : {}) };
    return { kind, bytes: await this.phone.download(message), ...words };
  }
}

type Content = NonNullable<PhoneMessage['content']>;

const placeOf = ({ locationMessage: place }: Content): ShownContent | undefined => {
  if (!place) return undefined;
  const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = place;
  const words = { ...(name ? { name } : {}), ...(address ? { address } : {}) };
  return { kind: 'location', latitude: latitude ?? 0, longitude: longitude ?? 0, ...words };
};

const contactOf = ({ contactMessage: card }: Content): ShownContent | undefined => {
  const [, phone = ''] = /waid=(\d+)/.exec(card?.vcard ?? '') ?? [];
  return card ? { kind: 'contact', name: card.displayName ?? '', phone } : undefined;
};

const reactionOf = ({ reactionMessage: reaction }: Content): ShownContent | undefined =>
  reaction ? { kind: 'reaction', target: reaction.key?.id ?? '', emoji: reaction.text ?? '' } : undefined;

const pollOf = ({ pollCreationMessage, pollCreationMessageV3 }: Content): ShownContent | undefined => {
  const poll = pollCreationMessage ?? pollCreationMessageV3;
  const options = poll?.options?.map(({ optionName }) => optionName ?? '') ?? [];
  return poll
    ? { kind: 'poll', name: poll.name ?? '', options, selectable: poll.selectableOptionsCount ?? 0 }
    : undefined;
};

const cardOf = (content: Content): ShownContent | undefined =>
  placeOf(content) ?? contactOf(content) ?? reactionOf(content) ?? pollOf(content);

const fileKind = ({ content = {} }: PhoneMessage): FileContent['kind'] | undefined => {
  if (content.audioMessage) return content.audioMessage.ptt ? 'voice' : 'audio';
  return (['image', 'video', 'document', 'sticker'] as const).find((kind) => content[`${kind}Message`]);
};
