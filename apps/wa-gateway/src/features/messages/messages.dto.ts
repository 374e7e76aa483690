import { Anything, Choice, Decimal, Flag, Int, Nested, Text, Texts } from '@platform/validation';
import { DeviceReference } from '../devices/devices.dto';

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

/** `data` of a send-message that goes to WhatsApp. */
export class SendData extends DeviceReference {
  @Text({ trim: true, max: 64, description: 'person or group, in any usual form' }) number!: string;
  @Text({ trim: true, max: 65_536 }) text!: string;
  @Text({ optional: true, max: 128, description: 'id of the message this one answers' })
  quoted_id?: string;
  @Texts({ optional: true, max: 256, maxLength: 64 }) mentions?: string[];
  @Flag({ optional: true, words: true, description: 'also deliver the message as a callback, fromMe=true' })
  echo?: boolean;
}

/** What the sends of design 2.2 have in common besides `data` of send-message. */
export class SendCommon extends DeviceReference {
  @Text({ trim: true, max: 64, description: 'person or group, in any usual form', example: '08123456789' })
  number!: string;
  @Text({ optional: true, max: 128, trim: true, description: "the caller's id: the same one again sends nothing" })
  pesan_id?: string;
  @Text({ optional: true, max: 32, trim: true, description: 'agent when left out' }) role?: string;
  @Anything({ description: 'object, or a JSON text of one: goes to sockets as it is' }) data?: unknown;
  @Flag({ optional: true, words: true, description: 'also deliver the message as a callback, fromMe=true' })
  echo?: boolean;
}

export const mediaUses = ['image', 'video', 'document', 'audio', 'voice', 'sticker'] as const;

export class SendMedia extends SendCommon {
  @Choice(mediaUses, { example: 'image' }) type!: string;
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
}
export class SentMediaData extends SentData {
  @Choice(mediaUses) type!: string;
  @Text({ description: 'the name that the document shows, or that of the stored file' }) filename!: string;
  @Text({ description: 'by content' }) mimetype!: string;
  @Int({ description: 'bytes' }) size!: number;
  @Text({ example: '/files/0f3a….jpg' }) url!: string;
}
export class SendMediaReply {
  @Text() message!: string;
  @Nested(() => SentMediaData) data!: SentMediaData;
}
export class SendMessageReply {
  @Text() message!: string;
  @Nested(() => SentData) data!: SentData;
}
