import { deliveryStatuses, type DeliveryStatus } from '@platform/contracts';
import { Choice, Flag, Int, Json, Nested, Text, Texts } from '@platform/validation';

const INSTANCE = { example: 'toko-1', description: 'the device' } as const;
const NUMBER = { example: '628123456789@s.whatsapp.net', description: 'the chat' } as const;
const MESSAGE = { example: '3EB0A1', description: 'the message' } as const;
const PESAN = { nullable: true, description: 'the id that the sender of the request gave it' } as const;
const PARTICIPANT = { optional: true, description: 'who, in a group' } as const;

/** The three request fields of send-message [contract], and id and status when it was also sent to WhatsApp. */
export class MessageSent {
  @Text() pesan_id!: string;
  @Text({ example: 'agent' }) role!: string;
  @Json({ description: 'as the request brought it' }) data!: Record<string, unknown>;
  @Text({ optional: true, ...MESSAGE }) id?: string;
  @Choice(deliveryStatuses, { optional: true }) status?: DeliveryStatus;
}

export class MessageStatus {
  @Text(INSTANCE) instanceID!: string;
  @Text(NUMBER) number!: string;
  @Text(MESSAGE) id!: string;
  @Text(PESAN) pesan_id!: string | null;
  @Choice(deliveryStatuses) status!: DeliveryStatus;
  @Text(PARTICIPANT) participant?: string;
}

export class MessageFailed {
  @Text(INSTANCE) instanceID!: string;
  @Text(NUMBER) number!: string;
  @Text(MESSAGE) id!: string;
  @Text(PESAN) pesan_id!: string | null;
  @Text({ example: 'WA_463' }) code!: string;
  @Flag({ description: 'the same request may succeed later' }) retryable!: boolean;
}

export class ReactionTarget {
  @Text(MESSAGE) id!: string;
  @Text({ description: 'empty when it was taken back', example: '👍' }) emoji!: string;
}

export class MessageReaction {
  @Text(INSTANCE) instanceID!: string;
  @Text({ description: 'of the reaction itself' }) id!: string;
  @Text(NUMBER) number!: string;
  @Flag() fromMe!: boolean;
  @Nested(() => ReactionTarget) reaction!: ReactionTarget;
  @Int({ description: 'epoch seconds' }) timestamp!: number;
  @Text({ optional: true }) name?: string;
  @Text(PARTICIPANT) participant?: string;
}

export class MessageRevoked {
  @Text(INSTANCE) instanceID!: string;
  @Text(NUMBER) number!: string;
  @Text(MESSAGE) id!: string;
  @Flag() fromMe!: boolean;
  @Text(PARTICIPANT) participant?: string;
}

export class PollVote {
  @Text(INSTANCE) instanceID!: string;
  @Text({ description: 'the poll' }) id!: string;
  @Text(NUMBER) number!: string;
  @Flag() fromMe!: boolean;
  @Texts({ description: 'all that are chosen now' }) options!: string[];
  @Text(PARTICIPANT) participant?: string;
}

export class Presence {
  @Text(INSTANCE) instanceID!: string;
  @Text(NUMBER) number!: string;
  @Text({ example: 'composing' }) state!: string;
  @Text(PARTICIPANT) participant?: string;
}

export class IncomingCall {
  @Text(INSTANCE) instanceID!: string;
  @Text({ ...NUMBER, description: 'who calls' }) number!: string;
  @Text({ description: 'the call' }) id!: string;
  @Text({ example: 'offer' }) state!: string;
  @Flag() video!: boolean;
}

export class GroupUpdate {
  @Text(INSTANCE) instanceID!: string;
  @Text({ example: '120363000000000000@g.us' }) group_id!: string;
  @Text({ example: 'add', description: 'update: the group itself has changed' }) action!: string;
  @Texts({ optional: true, description: 'those it happened to' }) participants?: string[];
  @Text({ optional: true }) name?: string;
  @Text({ optional: true }) description?: string;
  @Flag({ optional: true, description: 'only admins may write' }) announce?: boolean;
}

export class IdentityMapped {
  @Text(INSTANCE) instanceID!: string;
  @Text({ description: 'the anonymous identity' }) lid!: string;
  @Text({ ...NUMBER, description: 'whose it is' }) number!: string;
}

export class DeviceStatusChanged {
  @Text(INSTANCE) instanceID!: string;
  @Text({ example: 'connected' }) status!: string;
  @Text({ optional: true }) cause?: string;
  @Text({ optional: true, format: 'instant' }) restricted_until?: string;
}

export class QrCode {
  @Text(INSTANCE) instanceID!: string;
  @Text({ description: 'the text of the code' }) qr!: string;
  @Text({ description: 'the code as a picture: a data URI' }) qrcode!: string;
  @Int({ description: 'from 1' }) attempt!: number;
  @Text({ format: 'instant' }) expired_at!: string;
}

export class BroadcastProgressed {
  @Text(INSTANCE) instanceID!: string;
  @Text() broadcast_id!: string;
  @Int({ description: 'sent, failed and skipped add up to it in the end' }) total!: number;
  @Int() sent!: number;
  @Int() failed!: number;
  @Int() skipped!: number;
  @Text({ example: 'running' }) state!: string;
  @Text({ optional: true, description: 'why WhatsApp or the device paused it' }) cause?: string;
  @Text({ nullable: true, format: 'instant', description: 'of the next send; null when none is coming' })
  next_at!: string | null;
}

export class JoinRequest {
  @Text({ optional: true, example: 'toko-1' }) instance?: string;
  @Text({ optional: true, example: '3' }) team?: string;
}

export class Joined {
  @Texts({ description: 'the rooms entered; a name that is none is passed over', example: ['instance:toko-1'] })
  joined!: string[];
}
