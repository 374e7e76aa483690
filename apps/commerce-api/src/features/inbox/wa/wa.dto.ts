import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Flag, Int, Phone, Text } from '@platform/validation';
import { FileFields, fileTypes, PlaceFields } from '../messages/public';

const TO = {
  max: LONGEST_ADDRESS,
  description: 'A phone number, or the id of a group or of whoever hides the number',
} as const;
const none = { nullable: true } as const;

export class TextToSend {
  @Text({ format: 'uuid' }) device_id!: string;
  @Text(TO) to!: string;
  @Text({ max: 4096, visible: true, trim: true }) text!: string;
}

export class FileToSend extends FileFields {
  @Text({ format: 'uuid' }) device_id!: string;
  @Text(TO) to!: string;
  @Choice(fileTypes) type!: (typeof fileTypes)[number];
}

export class PlaceToSend extends PlaceFields {
  @Text({ format: 'uuid' }) device_id!: string;
  @Text(TO) to!: string;
}

export class MessageTaken {
  @Text({ description: 'As the conversation shows it' }) message_id!: string;
  @Choice(['pending']) status!: 'pending';
}

export class NumberToCheck {
  @Phone() phone!: string;
}

const sources = ['inbound', 'delivered', 'refused'] as const;

export class CheckedNumber {
  @Flag({ ...none, description: 'null: nothing is known' }) registered!: boolean | null;
  @Choice(sources, { ...none, description: 'By a message from there, one that arrived there, or one that could not' })
  source!: (typeof sources)[number] | null;
}

export class LinkWish {
  @Text({ optional: true, format: 'uuid', description: 'Or `phone`' }) device_id?: string;
  @Phone({ optional: true }) phone?: string;
  @Text({ optional: true, max: 500, visible: true, trim: true, description: 'What the customer is to write' })
  text?: string;
  @Text({ optional: true, format: 'uuid', description: 'Short link to which the chat is counted' }) tracker_id?: string;
}

export class ClickToChat {
  @Text() url!: string;
  @Text({ description: 'A picture of it as SVG' }) qr_svg!: string;
}

export class GroupsQuery {
  @Text({ format: 'uuid' }) device_id!: string;
  @Text({ optional: true, max: 400 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class WaGroup {
  @Text({ description: 'To send to' }) id!: string;
  @Text() conversation_id!: string;
  @Text(none) name!: string | null;
  @Text({ ...none, description: 'null also while the gateway does not tell' }) description!: string | null;
  @Int({ ...none, description: 'How many people are in it; null while the gateway does not tell' })
  size!: number | null;
}
