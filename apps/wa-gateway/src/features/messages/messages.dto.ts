import { Anything, Choice, Decimal, Flag, Int, Nested, Text, Texts } from '@platform/validation';
import { replyOf } from '../../reply';
import { ADDRESS, DeviceReference } from '../registry/public';

export class SendMessage {
  @Text({ max: 128, trim: true, description: "the caller's id of this message", example: 'P-1' })
  pesan_id!: string;
  @Text({ max: 32, trim: true, example: 'agent' }) role!: string;
  @Anything({
    optional: false,
    description: 'object, or a JSON text of one; with `number` it is sent to WhatsApp, without only to sockets',
    example: { instanceID: 'toko-1', number: '08123456789', text: 'Halo kak' },
  })
  data!: unknown;
}

export class PollData {
  @Text({ trim: true, max: 255, example: 'Ukuran?' }) name!: string;
  @Texts({ min: 2, max: 12, maxLength: 100 }) options!: string[];
  @Int({ optional: true, min: 1, max: 12, description: 'how many may be chosen, 1 when left out' })
  selectable?: number;
}
export class ReactionData {
  @Text({ max: 128, description: 'the message reacted to' }) id!: string;
  @Text({ trim: true, max: 32, example: '👍' }) emoji!: string;
}

/** The send is one of a campaign: it leaves through the device's campaign lane (design 3.6). */
export class Bulk {
  @Decimal({ optional: true, min: 0, max: 600, description: 'shortest pause after it, in seconds; 3' })
  delay_min?: number;
  @Decimal({ optional: true, min: 0, max: 600, description: 'longest pause; 8' }) delay_max?: number;
}
const bulk = { description: 'object, or a JSON text of one: {delay_min, delay_max} of a campaign, in seconds' };

/** `data` of a send-message that goes to WhatsApp: exactly one of text, poll and reaction. */
export class SendData extends DeviceReference {
  @Text(ADDRESS) number!: string;
  @Text({ optional: true, trim: true, max: 65_536 }) text?: string;
  @Nested(() => PollData, { optional: true }) poll?: PollData;
  @Nested(() => ReactionData, { optional: true }) reaction?: ReactionData;
  @Text({ optional: true, max: 128, description: 'id of the message this one answers' })
  quoted_id?: string;
  @Texts({ optional: true, max: 256, maxLength: 64 }) mentions?: string[];
  @Flag({ optional: true, description: 'also deliver the message as a callback, fromMe=true' })
  echo?: boolean;
  @Anything(bulk) bulk?: unknown;
}

/** What the sends of design 2.2 have in common, apart from `data` of send-message. */
export class SendCommon extends DeviceReference {
  @Text({ ...ADDRESS, example: '08123456789' }) number!: string;
  @Text({ optional: true, max: 128, trim: true, description: "the caller's id: the same one again sends nothing" })
  pesan_id?: string;
  @Text({ optional: true, max: 32, trim: true, description: 'agent when left out' }) role?: string;
  @Anything({ description: 'object, or a JSON text of one: goes to sockets as it is' }) data?: unknown;
  @Flag({ optional: true, description: 'also deliver the message as a callback, fromMe=true' })
  echo?: boolean;
  @Anything(bulk) bulk?: unknown;
}

export const mediaUses = ['image', 'video', 'document', 'audio', 'voice', 'sticker'] as const;

export class SendMedia extends SendCommon {
  @Choice(mediaUses, { example: 'image' }) type!: (typeof mediaUses)[number];
  @Text({
    optional: true,
    max: 2_048,
    format: 'url',
    description: 'where to fetch the file; or the part `file` of a form',
  })
  url?: string;
  @Text({ optional: true, max: 200, description: 'name of a file under /files' }) file?: string;
  @Text({ optional: true, description: 'the file itself, at most 25 MB of it' }) base64?: string;
  @Text({ optional: true, max: 1_024 }) caption?: string;
  @Text({ optional: true, trim: true, max: 255, description: 'name that a document shows' }) filename?: string;
  @Text({ optional: true, max: 128, description: 'id of the message this one answers' }) quoted_id?: string;
}

export class SendLocation extends SendCommon {
  @Decimal({ words: true, min: -90, max: 90, example: -6.2 }) latitude!: number;
  @Decimal({ words: true, min: -180, max: 180, example: 106.8 }) longitude!: number;
  @Text({ optional: true, trim: true, max: 256 }) locationName?: string;
  @Text({ optional: true, trim: true, max: 256 }) locationAddress?: string;
}

export class SentData {
  @Text({ nullable: true }) pesan_id!: string | null;
  @Text() role!: string;
  @Text({ optional: true, description: 'the WhatsApp id, which statuses carry' }) id?: string;
  @Text({ optional: true }) instanceID?: string;
  @Text({ optional: true }) number?: string;
  @Text({ nullable: true, description: 'pending, or null when nothing was sent to WhatsApp' }) status!: string | null;
  @Int({ optional: true, description: 'epoch seconds' }) timestamp?: number;
  @Choice(['engine', 'realtime']) delivery!: 'engine' | 'realtime';
  @Int({ optional: true, description: 'sockets reached' }) clients?: number;
  @Flag({ optional: true, description: 'this pesan_id was accepted before' }) duplicate?: boolean;
  @Flag({ optional: true, description: 'false: the message to quote is not known, this one goes without it' })
  quoted?: boolean;
}
export class SentMediaData extends SentData {
  @Choice(mediaUses) type!: (typeof mediaUses)[number];
  @Text({ description: 'the name that the document shows, or that of the stored file' }) filename!: string;
  @Text({ description: 'by content' }) mimetype!: string;
  @Int({ description: 'bytes' }) size!: number;
  @Text({ example: '/files/0f3a….jpg' }) url!: string;
}
export const SendMediaReply = replyOf('SendMediaReply', SentMediaData);
export const SendMessageReply = replyOf('SendMessageReply', SentData);
