import type { AnyMessageContent, MiscMessageGenerationOptions, proto, WAMessageKey } from 'baileys';
import { formatJid, LIDS, PHONES, toJid } from './jid';
import type { Library } from './library';
import { PhoneInbox } from './phone.inbox';
import { PhoneLine, type SandboxTrust } from './phone.line';
import { downloadFile, mediaContent } from './phone.media';
import type { CustomerPhone, MessageRef, PhoneMedia, PhoneMessage, PhoneReceipt, SendChoices } from './sandbox.types';

export interface PhoneOptions {
  readonly number: string;
  readonly lid: string;
  readonly trust: SandboxTrust;
  /** Links the client that shows this code to the phone's account. */
  scan(qr: string): Promise<unknown>;
  /** Resolves when the server has noticed that the phone is gone. */
  gone?(): Promise<void>;
}

const keyOf = ({ id, chat, participant, fromMe }: MessageRef): WAMessageKey => ({
  id,
  remoteJid: chat,
  fromMe,
  ...(participant ? { participant } : {}),
});

/** A customer with WhatsApp: the library's unmodified client, driven by a test or by a person. */
export class Phone implements CustomerPhone {
  private readonly inbox: PhoneInbox;
  private readonly line: PhoneLine;

  constructor(
    private readonly library: Library,
    private readonly options: PhoneOptions,
  ) {
    this.inbox = new PhoneInbox(library);
    this.line = new PhoneLine(library, options.trust, this.inbox, (qr) => options.scan(qr));
  }

  get number(): string {
    return this.options.number;
  }

  get jid(): string {
    return formatJid(this.number, PHONES);
  }

  get lid(): string {
    return formatJid(this.options.lid, LIDS);
  }

  get received(): readonly PhoneMessage[] {
    return this.inbox.messages.items;
  }

  get receipts(): readonly PhoneReceipt[] {
    return this.inbox.receipts.items;
  }

  sendText(to: string, text: string, choices: SendChoices = {}): Promise<MessageRef> {
    const mentions = choices.mentions?.map(toJid);
    return this.send(to, { text, linkPreview: null, ...(mentions ? { mentions } : {}) }, choices);
  }

  sendMedia(to: string, media: PhoneMedia, choices?: SendChoices): Promise<MessageRef> {
    return this.send(to, mediaContent(media), choices);
  }

  sendLocation(
    to: string,
    place: { latitude: number; longitude: number; name?: string; address?: string },
  ): Promise<MessageRef> {
    const { latitude, longitude, name, address } = place;
    return this.send(to, { location: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } });
  }

  sendContact(to: string, { name, number }: { name: string; number: string }): Promise<MessageRef> {
    const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`;
    return this.send(to, { contacts: { displayName: name, contacts: [{ displayName: name, vcard }] } });
  }

  sendPoll(
    to: string,
    { name, options, selectable = 1 }: { name: string; options: readonly string[]; selectable?: number },
  ): Promise<MessageRef> {
    return this.send(to, { poll: { name, values: [...options], selectableCount: selectable } });
  }

  async sendProto(to: string, message: proto.IMessage, { id }: SendChoices = {}): Promise<MessageRef> {
    const jid = toJid(to);
    const messageId = id ?? this.library.generateMessageIDV2(this.jid);
    this.line.remember(messageId, message);
    await this.line.online.relayMessage(jid, message, { messageId });
    return { id: messageId, chat: jid, fromMe: true };
  }

  react(message: MessageRef, emoji: string): Promise<MessageRef> {
    return this.send(message.chat, { react: { text: emoji, key: keyOf(message) } });
  }

  edit(message: MessageRef, text: string): Promise<MessageRef> {
    return this.send(message.chat, { text, edit: keyOf(message) });
  }

  revoke(message: MessageRef): Promise<MessageRef> {
    return this.send(message.chat, { delete: keyOf(message) });
  }

  async markRead(...messages: readonly MessageRef[]): Promise<void> {
    await this.line.online.readMessages(messages.map(keyOf));
  }

  async markPlayed({ id, chat, participant }: MessageRef): Promise<void> {
    await this.line.online.sendReceipt(chat, participant, [id], 'played');
  }

  async typing(to: string, on: boolean): Promise<void> {
    await this.line.online.sendPresenceUpdate(on ? 'composing' : 'paused', toJid(to));
  }

  download({ content }: PhoneMessage): Promise<Buffer> {
    return downloadFile(this.library, content ?? {}, this.options.trust);
  }

  async createGroup(name: string, participants: readonly string[]): Promise<string> {
    const { id } = await this.line.online.groupCreate(name, participants.map(toJid));
    return id;
  }

  async changeGroup(
    group: string,
    action: 'add' | 'remove' | 'promote' | 'demote',
    participants: readonly string[],
  ): Promise<void> {
    await this.line.online.groupParticipantsUpdate(group, participants.map(toJid), action);
  }

  /** Calls the listeners for everything received from now on. */
  on(listeners: { message: (message: PhoneMessage) => void; receipt: (receipt: PhoneReceipt) => void }): void {
    this.inbox.messages.each(listeners.message);
    this.inbox.receipts.each(listeners.receipt);
  }

  waitFor(fits: (message: PhoneMessage) => boolean): Promise<PhoneMessage> {
    return this.inbox.waitFor(fits);
  }

  waitForReceipt(fits: (receipt: PhoneReceipt) => boolean): Promise<PhoneReceipt> {
    return this.inbox.waitForReceipt(fits);
  }

  async offline(): Promise<void> {
    await this.line.disconnect();
    await this.options.gone?.();
  }

  online(): Promise<void> {
    return this.line.connect();
  }

  stop(): Promise<void> {
    return this.line.disconnect();
  }

  private async send(to: string, content: AnyMessageContent, choices: SendChoices = {}): Promise<MessageRef> {
    const jid = toJid(to);
    const quoted = choices.quoted && this.inbox.raw.get(choices.quoted.id);
    const options: MiscMessageGenerationOptions = {
      ...(choices.id ? { messageId: choices.id } : {}),
      ...(quoted ? { quoted } : {}),
    };
    const sent = await this.line.online.sendMessage(jid, content, options);
    const id = sent?.key.id;
    if (!id) throw new Error('The client did not say which id it sent the message with.');
    this.line.remember(id, sent.message);
    return { id, chat: jid, fromMe: true };
  }
}
