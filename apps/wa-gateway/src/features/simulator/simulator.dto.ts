import { Decimal, Flag, Int, Json, List, Nested, Text } from '@platform/validation';

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
  @Decimal({ words: true, min: -90, max: 90 }) latitude!: number;
  @Decimal({ words: true, min: -180, max: 180 }) longitude!: number;
  @Text({ optional: true, max: 256 }) name?: string;
  @Text({ optional: true, max: 256 }) address?: string;
}
export class SimMessage {
  @Text({ ...NOHP, description: 'the customer; an unknown phone is made on the fly' }) from!: string;
  @Text({ max: 64, trim: true, description: 'a device, or the number of one', example: 'dev1' }) to!: string;
  @Text({ optional: true, max: 65_536, example: 'ada stok?', description: 'or the caption of the part `file`' })
  text?: string;
  @Nested(() => SimLocation, { optional: true }) location?: SimLocation;
  @Text({ optional: true, trim: true, max: 64, description: 'written in this group' }) group?: string;
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
  @Flag({ words: true }) on!: boolean;
}
export class SimFaults {
  @Flag({ optional: true, words: true, description: 'what devices send gets lost' }) drop?: boolean;
  @Int({ optional: true, words: true, min: 0, max: 3_600_000, description: 'added before acknowledgements' })
  delay_ms?: number;
  @Flag({ optional: true, words: true, description: "customers' messages arrive twice" }) dup?: boolean;
  @Flag({ optional: true, words: true, description: 'sends are refused with ack error 463' }) nack463?: boolean;
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
export class PhoneReply {
  @Text() message!: string;
  @Nested(() => PhoneData) data!: PhoneData;
}
export class ScanData {
  @Text() instanceID!: string;
  @Text() number!: string;
}
export class ScanReply {
  @Text() message!: string;
  @Nested(() => ScanData) data!: ScanData;
}
export class SimMessageData {
  @Text() id!: string;
  @Text() instanceID!: string;
  @Text({ description: 'the chat, as the callback names it' }) number!: string;
  @Text() name!: string;
  @Int() timestamp!: number;
}
export class SimMessageReply {
  @Text() message!: string;
  @Nested(() => SimMessageData) data!: SimMessageData;
}
export class CountData {
  @Int() count!: number;
}
export class CountReply {
  @Text() message!: string;
  @Nested(() => CountData) data!: CountData;
}
export class FaultsReply {
  @Text() message!: string;
  @Json() data!: object;
}
export class InboxMessage {
  @Text() id!: string;
  @Text() instanceID!: string;
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
export class InboxReply {
  @Text() message!: string;
  @Nested(() => InboxData) data!: InboxData;
}
