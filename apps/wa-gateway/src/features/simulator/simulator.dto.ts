import { Choice, Decimal, Flag, Int, Json, List, Nested, Text, Texts } from '@platform/validation';
import { replyOf } from '../../reply';

const NOHP = { trim: true, max: 64, example: '628123456789' };

export class SimPhone {
  @Text(NOHP) nohp!: string;
  @Text({ optional: true, trim: true, max: 64, example: 'Budi' }) name?: string;
}
export class SimScan {
  @Text({ optional: true, max: 64, description: 'the device whose code is scanned' }) instanceID?: string;
  @Text({ optional: true, max: 200, description: 'or what the picture says: sim:link/…' }) qr?: string;
  @Text(NOHP) nohp!: string;
}
export class SimLocation {
  @Decimal({ min: -90, max: 90 }) latitude!: number;
  @Decimal({ min: -180, max: 180 }) longitude!: number;
  @Text({ optional: true, max: 256 }) name?: string;
  @Text({ optional: true, max: 256 }) address?: string;
}
export class SimContact {
  @Text({ trim: true, max: 128 }) name!: string;
  @Text(NOHP) phone!: string;
}
export class SimPoll {
  @Text({ trim: true, max: 255 }) name!: string;
  @Texts({ min: 2, max: 12, maxLength: 100 }) options!: string[];
}
export class SimVote {
  @Text({ max: 128, description: 'the poll' }) id!: string;
  @Texts({ max: 12, maxLength: 100, description: 'what is chosen now' }) options!: string[];
}
export class SimReaction {
  @Text({ max: 128, description: 'the message reacted to' }) id!: string;
  @Text({ optional: true, max: 32, description: 'taken back when left out' }) emoji?: string;
}
export class SimMessage {
  @Text({ ...NOHP, description: 'the customer; an unknown phone is made on the fly' }) from!: string;
  @Text({ max: 64, trim: true, description: 'a device, or the number of one', example: 'dev1' }) to!: string;
  @Text({ optional: true, max: 65_536, example: 'ada stok?', description: 'or the caption of the part `file`' })
  text?: string;
  @Text({ optional: true, max: 128, description: 'the message that `text` answers' }) quoted_id?: string;
  @Text({ optional: true, max: 128, description: 'the message that `text` replaces' }) edit_id?: string;
  @Text({ optional: true, max: 128, description: 'the message that is deleted for everybody' }) revoke_id?: string;
  @Text({ optional: true, max: 255, description: 'name of the part `file`; documents show it' }) filename?: string;
  @Flag({ optional: true, description: 'the part `file` is a sticker' }) sticker?: boolean;
  @Nested(() => SimLocation, { optional: true }) location?: SimLocation;
  @Nested(() => SimContact, { optional: true }) contact?: SimContact;
  @Nested(() => SimPoll, { optional: true }) poll?: SimPoll;
  @Nested(() => SimVote, { optional: true }) vote?: SimVote;
  @Nested(() => SimReaction, { optional: true }) reaction?: SimReaction;
  @Text({ optional: true, trim: true, max: 64, description: 'written in this group, which is made on the fly' })
  group?: string;
}
const levels = ['sent', 'delivered', 'viewed', 'played'] as const;
export class SimReceipt {
  @Text({ max: 64, trim: true }) instanceID!: string;
  @Text({ max: 128 }) id!: string;
  @Text({ ...NOHP, description: 'whose phone' }) nohp!: string;
  @Choice(levels) status!: (typeof levels)[number];
}
export class SimRead {
  @Text(NOHP) nohp!: string;
  @Text({ optional: true, max: 64, description: 'only what this device sent' }) instanceID?: string;
}
export class SimPlay {
  @Text({ max: 128 }) id!: string;
}
export class SimOffline {
  @Text(NOHP) nohp!: string;
  @Flag() on!: boolean;
}
export class SimFaults {
  @Flag({ optional: true, description: 'what devices send gets lost' }) drop?: boolean;
  @Int({ optional: true, min: 0, max: 3_600_000, description: 'added before acknowledgements' })
  delay_ms?: number;
  @Flag({ optional: true, description: "customers' messages arrive twice" }) dup?: boolean;
  @Flag({ optional: true, description: 'sends are refused with ack error 463' }) nack463?: boolean;
  @Text({ optional: true, max: 64, description: 'bans this device at once' }) ban?: string;
  @Text({ optional: true, max: 64, description: 'another client takes this device over at once' }) replace?: string;
}
export class SimInboxQuery {
  @Text(NOHP) nohp!: string;
}

export class PhoneData {
  @Text() nohp!: string;
  @Text() name!: string;
  @Flag() offline!: boolean;
}
export const PhoneReply = replyOf('PhoneReply', PhoneData);
export class ScanData {
  @Text() instanceID!: string;
  @Text() number!: string;
}
export const ScanReply = replyOf('ScanReply', ScanData);
export class SimMessageData {
  @Text() id!: string;
  @Text() instanceID!: string;
  @Text({ description: 'the chat, as the callback names it' }) number!: string;
  @Text() name!: string;
  @Int() timestamp!: number;
}
export const SimMessageReply = replyOf('SimMessageReply', SimMessageData);
export class CountData {
  @Int() count!: number;
}
export const CountReply = replyOf('CountReply', CountData);
export class FaultsReply {
  @Text() message!: string;
  @Json() data!: object;
}
export class InboxMessage {
  @Text() id!: string;
  @Text() instanceID!: string;
  @Text({ nullable: true, description: 'the group it was written in' }) group!: string | null;
  @Text({ nullable: true }) text!: string | null;
  @Json({ description: 'what was sent, of whatever kind' }) content!: object;
  @Text({ description: 'delivered, viewed or played' }) status!: string;
  @Int() timestamp!: number;
}
export class InboxData {
  @Text() nohp!: string;
  @Text() name!: string;
  @List(() => InboxMessage) messages!: InboxMessage[];
}
export const InboxReply = replyOf('InboxReply', InboxData);

export class SimChatQuery {
  @Text(NOHP) nohp!: string;
  @Text({ max: 64, trim: true }) instanceID!: string;
}
export class ChatLine {
  @Text() id!: string;
  @Flag({ description: 'this phone wrote it' }) mine!: boolean;
  @Text({ nullable: true, description: 'the group it was written in' }) group!: string | null;
  @Text({ nullable: true, description: 'or the caption' }) text!: string | null;
  @Text({ description: 'text, image, location, …' }) kind!: string;
  @Text({ nullable: true, description: 'name of a file, under /files when the device sent it' }) file!: string | null;
  @Text({ description: 'how far it has got: sent, delivered, viewed or played' }) status!: string;
  @Int() timestamp!: number;
}
export class ChatData {
  @Text() nohp!: string;
  @Text() name!: string;
  @Flag() offline!: boolean;
  @Flag({ description: 'the device shows that somebody is typing' }) composing!: boolean;
  @List(() => ChatLine) messages!: ChatLine[];
}
export const ChatReply = replyOf('ChatReply', ChatData);
export class SimDevice {
  @Text() instanceID!: string;
  @Text() status!: string;
  @Text({ nullable: true }) number!: string | null;
}
export class SimDevices {
  @List(() => SimDevice) devices!: SimDevice[];
}
export const DevicesReply = replyOf('DevicesReply', SimDevices);
