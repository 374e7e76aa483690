import { Choice, Decimal, Flag, Int, Json, List, Text, Texts } from '@platform/validation';
import { replyOf } from '../../reply';
import { ADDRESS, DeviceReference } from '../registry/public';
import { mediaUses } from '../messages/public';

const MAX_RECIPIENTS = 10_000;
const SECONDS = { optional: true, min: 1, max: 600 };

export class Recipient {
  @Text({ ...ADDRESS, description: 'in any usual form', example: '08123456789' })
  number!: string;
  @Json({ optional: true, description: 'values of the {{fields}} of the text', example: { name: 'Budi' } })
  data?: Record<string, unknown>;
}

export class SendBroadcast extends DeviceReference {
  @Texts({ optional: true, min: 1, max: MAX_RECIPIENTS, maxLength: 64, description: 'or recipients' })
  numbers?: string[];
  @List(() => Recipient, { optional: true, min: 1, max: MAX_RECIPIENTS, description: 'or numbers' })
  recipients?: Recipient[];
  @Text({ optional: true, trim: true, max: 65_536, description: 'required without a file', example: 'Halo {{name}}' })
  text?: string;
  @Choice(mediaUses, { optional: true, description: 'of the file; text becomes its caption' })
  type?: (typeof mediaUses)[number];
  @Text({ optional: true, max: 2_048, format: 'url', description: 'where to fetch the file, once' }) url?: string;
  @Decimal({ ...SECONDS, description: 'shortest pause between two sends, in seconds; 3 when left out' })
  delay_min?: number;
  @Decimal({ ...SECONDS, description: 'longest pause; 8 when left out' }) delay_max?: number;
  @Int({ optional: true, min: 1, max: MAX_RECIPIENTS, description: '20 when left out' })
  batch_size?: number;
  @Int({ optional: true, min: 0, max: 86_400, description: 'seconds after a batch; 60 when left out' })
  batch_pause?: number;
  @Int({
    optional: true,
    min: 1,
    max: 1_000_000,
    description: "lowers the device's own limit while this one is sent",
  })
  daily_limit?: number;
  @Flag({ optional: true, description: 'skip numbers that WhatsApp does not know; true when left out' })
  check_number?: boolean;
  @Text({
    optional: true,
    trim: true,
    format: 'instant',
    pattern: /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/,
    description: 'at most 30 days ahead',
    example: '2026-11-21T09:00:00+07:00',
  })
  scheduled_at?: string;
  @Text({
    optional: true,
    trim: true,
    pattern: /^[A-Za-z0-9._-]{1,128}$/,
    description: 'the same one again sends nothing',
  })
  broadcast_id?: string;
  @Flag({ optional: true, description: 'also deliver the messages as callbacks, fromMe=true' })
  echo?: boolean;
}

export class RejectedRecipient {
  @Text({ description: 'as it was given' }) number!: string;
  @Text({ example: 'number format not valid' }) message!: string;
}
export class BroadcastAnswer {
  @Text() broadcast_id!: string;
  @Int({ description: 'recipients given' }) total!: number;
  @Int({ description: 'recipients that will be written to' }) queued!: number;
  @List(() => RejectedRecipient) rejected!: RejectedRecipient[];
  @Text({ nullable: true, format: 'instant', description: 'null when nobody is left to write to' })
  estimated_finish!: string | null;
  @Flag({ optional: true, description: 'this broadcast_id was accepted before' }) duplicate?: boolean;
}
export const SendBroadcastReply = replyOf('SendBroadcastReply', BroadcastAnswer);

export const broadcastStates = ['scheduled', 'running', 'paused', 'done', 'cancelled'] as const;

export class BroadcastProgress {
  @Int({ description: 'sent, failed and skipped add up to it in the end' }) total!: number;
  @Int() sent!: number;
  @Int() failed!: number;
  @Int({ description: 'rejected, opted out, or unknown to WhatsApp' }) skipped!: number;
  @Choice(broadcastStates) state!: (typeof broadcastStates)[number];
  @Text({ optional: true, description: 'why WhatsApp or the device paused it' }) cause?: string;
  @Text({ nullable: true, format: 'instant', description: 'of the next send; null when none is coming' })
  next_at!: string | null;
}
export const BroadcastProgressReply = replyOf('BroadcastProgressReply', BroadcastProgress);

export class BroadcastCommand {
  @Choice(['pause', 'resume', 'cancel'], { example: 'pause' }) action!: 'pause' | 'resume' | 'cancel';
}
