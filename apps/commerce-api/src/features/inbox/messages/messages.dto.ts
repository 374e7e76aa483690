import { Choice, Decimal, Flag, Nested, Text } from '@platform/validation';

export const fileTypes = ['image', 'document', 'audio', 'video'] as const;
export const contentTypes = ['text', ...fileTypes, 'location', 'link'] as const;
export type ContentType = (typeof contentTypes)[number];
export const messageStates = ['pending', 'sent', 'delivered', 'viewed', 'played'] as const;

const none = { nullable: true } as const;

export class FileFields {
  @Text({ optional: true, format: 'uuid', description: 'A file that was uploaded as `message`, or `url`' })
  media_id?: string;
  @Text({ optional: true, format: 'url', max: 2048 }) url?: string;
  @Text({ optional: true, max: 1024, visible: true, trim: true }) caption?: string;
}

export class PlaceFields {
  @Decimal({ min: -90, max: 90 }) latitude!: number;
  @Decimal({ min: -180, max: 180 }) longitude!: number;
  @Text({ optional: true, max: 256, visible: true, trim: true }) name?: string;
  @Text({ optional: true, max: 256, visible: true, trim: true }) address?: string;
}

/** Which fields go with which type: `message.contents.ts`. */
export class NewConversationMessage extends FileFields {
  @Choice(contentTypes) type!: ContentType;
  @Text({ optional: true, max: 4096, visible: true, trim: true, description: 'Of a text, or above a link' })
  text?: string;
  @Decimal({ optional: true, min: -90, max: 90 }) latitude?: number;
  @Decimal({ optional: true, min: -180, max: 180 }) longitude?: number;
  @Text({ optional: true, max: 256, visible: true, trim: true, description: 'Of a location' }) name?: string;
  @Text({ optional: true, max: 256, visible: true, trim: true, description: 'Of a location' }) address?: string;
}

class MessagePlace {
  @Text() latitude!: string;
  @Text() longitude!: string;
  @Text(none) name!: string | null;
  @Text(none) address!: string | null;
}

export class ConversationMessage {
  @Text() id!: string;
  @Text({ description: `${contentTypes.map((type) => `\`${type}\``).join(', ')}, and others that customers send` })
  type!: string;
  @Text(none) text!: string | null;
  @Text({ ...none, description: 'Where its file is, for a while' }) media_url!: string | null;
  @Text(none) caption!: string | null;
  @Nested(() => MessagePlace, none) location!: MessagePlace | null;
  @Flag() from_me!: boolean;
  @Text({ description: 'Who wrote it: a name, a user id, or `customer`, `agent`, `bot`, `system`' }) author!: string;
  @Choice(messageStates) status!: (typeof messageStates)[number];
  @Text({ ...none, description: 'Why it was not sent' }) error!: string | null;
  @Text({ format: 'instant' }) at!: string;
}
