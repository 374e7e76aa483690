import { Anything, Choice, Flag, Int, Nested, Text, Texts } from '@platform/validation';
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

export class SentData {
  @Text() pesan_id!: string;
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
export class SendMessageReply {
  @Text() message!: string;
  @Nested(() => SentData) data!: SentData;
}
