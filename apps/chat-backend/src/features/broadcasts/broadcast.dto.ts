import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Flag, Int, Json, List, Nested, Text, Texts } from '@platform/validation';
import { expressTypes, type ExpressType } from '../outbound/public';
import { recipientStatuses } from './broadcast.sql';

const none = { nullable: true } as const;
const MOST_RECIPIENTS = 10_000;

export const broadcastStatuses = ['draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled', 'failed'] as const;
export type BroadcastStatus = (typeof broadcastStatuses)[number];

/** A campaign and how far it has come. */
export class BroadcastStruct {
  @Text({ example: 'S1.0192f3a0-0000-7000-8000-000000000000' }) broadcastId!: string;
  @Text() nama!: string;
  @Text() instance!: string;
  @Text() team!: string;
  @Choice(broadcastStatuses) status!: (typeof broadcastStatuses)[number];
  @Int({ description: 'recipients as they were given: valid + duplikat + tidak_valid + opt_out' }) total!: number;
  @Int({ description: 'recipients that get a message' }) valid!: number;
  @Int() duplikat!: number;
  @Int() tidak_valid!: number;
  @Int({ description: 'opted out or blocked' }) opt_out!: number;
  @Int({ description: 'taken by the gateway, and not failed since' }) terkirim!: number;
  @Int() delivered!: number;
  @Int() viewed!: number;
  @Int() gagal!: number;
  @Text(none) jadwal!: string | null;
  @Json(none) meta!: Record<string, unknown> | null;
  @Text({ example: '2026-11-20 13:45' }) waktu!: string;
}

export class BroadcastRecipientStruct {
  @Text({ description: 'as it was given when it is no number' }) nohp!: string;
  @Text(none) nama!: string | null;
  @Choice(recipientStatuses) status!: (typeof recipientStatuses)[number];
  @Text(none) error!: string | null;
  @Text(none) chatInboxId!: string | null;
  @Text() waktu!: string;
}

export class Recipient {
  @Text({ max: LONGEST_ADDRESS, example: '6281234567890' }) nohp!: string;
  @Text({ optional: true, max: 200 }) nama?: string;
  @Json({ optional: true, description: 'fills {{key}} in the text' }) params?: Record<string, unknown>;
}

/** PostgreSQL knows no year 0. */
const DAY = {
  format: 'date',
  pattern: /^(?!0000)/,
  mismatch: { tag: 'datetime', text: 'does not match the 2006-01-02 format' },
} as const;

/** Customers by what is known of them; all conditions together. */
export class AudienceFilter {
  @Texts({ optional: true, max: 100, maxLength: 200, description: 'has one of these tags' }) tag?: string[];
  @Texts({ optional: true, max: 100, maxLength: 200, description: 'lives in one of these cities' }) kota?: string[];
  @Text({ ...DAY, optional: true }) last_order_from?: string;
  @Text({ ...DAY, optional: true }) last_order_to?: string;
  @Int({ optional: true, min: 0, max: 2_147_483_647 }) total_order_min?: number;
  @Text({ ...DAY, optional: true, description: 'wrote or was written to on this device since' })
  last_chat_from?: string;
}

const HOUR = {
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  mismatch: { tag: 'datetime', text: 'does not match the 15:04 format' },
};

export class QuietHours {
  @Text({ ...HOUR, example: '21:00' }) from!: string;
  @Text({ ...HOUR, example: '07:00' }) to!: string;
}

/** What a campaign says and how fast: the fields of `send_express` and the pace. */
export class BroadcastContent {
  @Text({ max: 64, example: 'dev1' }) instance!: string;
  @Text({ max: 36, example: '3', description: 'team of chats that the campaign creates' }) team!: string;
  @Text({ max: 100, example: 'Promo akhir bulan' }) nama!: string;
  @Text({ requiredWithout: ['template_id', 'type'], max: 4096, description: '{{nama}} and {{key}} are filled in' })
  pesan?: string;
  @Text({ optional: true, max: 64, description: 'a template of the store' }) template_id?: string;
  @Choice(expressTypes, { optional: true, description: 'chat when left out' }) type?: ExpressType;
  @Text({ optional: true, max: 2048 }) url?: string;
  @Text({ optional: true }) file?: string;
  @Text({ optional: true, max: 1024, visible: true }) caption?: string;
  @Text({ optional: true, max: 255 }) filename?: string;
  @Flag({ optional: true }) ptt?: boolean;
  @Text({ optional: true, max: 255 }) title?: string;
  @Text({ optional: true, max: 1024 }) description?: string;
  @Text({ optional: true, max: 32 }) latitude?: string;
  @Text({ optional: true, max: 32 }) longitude?: string;
  @Text({ optional: true, max: 256 }) locationName?: string;
  @Text({ optional: true, max: 256 }) locationAddress?: string;
  @Int({ optional: true, min: 1, description: '20 unless given, at most BROADCAST_MAX_PER_MINUTE' })
  limit_per_minute?: number;
  @Int({
    optional: true,
    min: 0,
    max: 600,
    description: 'seconds between two messages at least, 2 unless given',
  })
  jeda_min?: number;
  @Int({ optional: true, min: 0, max: 600, description: 'seconds at most, 5 unless given' })
  jeda_max?: number;
  @Nested(() => QuietHours, { optional: true, description: 'nothing is released then; the wall clock of the store' })
  jam_tenang?: QuietHours;
  @Text({ optional: true, max: 64, description: 'who sends, for callers without a token' }) user_id?: string;
}

export class SendBroadcast extends BroadcastContent {
  @List(() => Recipient, { requiredWithout: ['filter'], min: 1, max: MOST_RECIPIENTS }) penerima?: Recipient[];
  @Nested(() => AudienceFilter, { optional: true }) filter?: AudienceFilter;
  @Text({
    optional: true,
    format: 'uuid',
    description: 'chosen by the caller: the same id again answers the stored campaign and sends nothing',
  })
  broadcastId?: string;
}

export class ScheduleBroadcast extends SendBroadcast {
  @Text({ format: 'minute', example: '2026-11-27 09:00', description: 'future, the wall clock of the store' })
  jadwal!: string;
}

export class SteerBroadcast {
  @Text({ max: 80, example: 'S1.0192f3a0-0000-7000-8000-000000000000' }) broadcastId!: string;
  @Choice(['pause', 'resume', 'cancel']) aksi!: 'pause' | 'resume' | 'cancel';
}

/** Documents the three calls that share a path: a schedule, a step of a campaign, or nothing at all. */
export class SchedulerRequest extends SendBroadcast {
  @Text({ optional: true, max: 64 }) override instance!: string;
  @Text({ optional: true, max: 36 }) override team!: string;
  @Text({ optional: true, max: 100 }) override nama!: string;
  @Text({ optional: true, max: 4096 }) override pesan?: string;
  @List(() => Recipient, { optional: true, min: 1, max: MOST_RECIPIENTS }) override penerima?: Recipient[];
  @Text({ optional: true, format: 'minute', description: 'of a new campaign, with the fields of send_broadcast' })
  jadwal?: string;
  @Choice(['pause', 'resume', 'cancel'], { optional: true, description: 'with broadcastId' }) aksi?:
    'pause' | 'resume' | 'cancel';
}

export class BroadcastReply {
  @Text({ example: 'success send broadcast' }) message!: string;
  @Nested(() => BroadcastStruct) data!: BroadcastStruct;
}

class Claimed {
  @Int({ description: 'campaigns whose time had come' }) claimed!: number;
}

/** `data`: the campaign, or after an empty body how many were started. */
export class SchedulerReply {
  @Text({ example: 'broadcast dijadwalkan' }) message!: string;
  @Json() data!: BroadcastStruct | Claimed;
}

// What commerce-api uses (design 2.9)

export class BroadcastStore {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
}

/** In the path of a campaign that the caller makes. */
export class BroadcastId {
  @Text({ format: 'uuid' }) id!: string;
}

/** As the caller has last read it. */
export class SeenBroadcast {
  @Text({ max: 100 }) nama!: string;
  @Choice(broadcastStatuses) status!: BroadcastStatus;
  @Json({ clearable: true }) meta?: Record<string, unknown> | null;
}

export class SaveBroadcast extends BroadcastContent {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
  @Nested(() => AudienceFilter, { optional: true, description: 'its customers are added at the start' })
  filter?: AudienceFilter;
  @Json({ optional: true, description: 'kept as it is' }) meta?: Record<string, unknown>;
  @Flag({ optional: true, description: 'only makes one: another with this id is answered as it is' })
  if_absent?: boolean;
  @Nested(() => SeenBroadcast, { optional: true, description: 'only changes one that is still so' })
  if_same?: SeenBroadcast;
  @Flag({ optional: true, description: 'its recipients go, and it is a draft until they are put in anew' })
  refill?: boolean;
}

export class FillBroadcast extends BroadcastStore {
  @Text({ format: 'uuid', description: 'chosen by the caller; whoever began before adds and starts nothing any more' })
  filling!: string;
}

const FILLING = { optional: true, format: 'uuid', description: 'only while no other has begun' } as const;

export class AddRecipients extends BroadcastStore {
  @Text(FILLING) filling?: string;
  @List(() => Recipient, { min: 1, max: MOST_RECIPIENTS }) penerima!: Recipient[];
}

export const broadcastActions = ['start', 'schedule', 'pause', 'resume', 'cancel'] as const;
export type BroadcastAction = (typeof broadcastActions)[number];

export class ActOnBroadcast extends BroadcastStore {
  @Choice(broadcastActions) aksi!: BroadcastAction;
  @Text({ optional: true, format: 'minute', description: 'required by schedule, unless it says at' }) jadwal?: string;
  @Text({ optional: true, format: 'instant', description: 'when, whatever the clocks of the store; before jadwal' })
  at?: string;
  @Text(FILLING) filling?: string;
  @Json({ optional: true, description: 'with schedule: put into the kept meta' }) meta?: Record<string, unknown>;
}

const page = { optional: true, min: 1, max: 200, description: '50 unless given' } as const;

export class BroadcastQuery extends BroadcastStore {
  @Choice(broadcastStatuses, { optional: true }) status?: (typeof broadcastStatuses)[number];
  @Text({ optional: true, max: 300, description: 'next_cursor of the page before' }) cursor?: string;
  @Int(page) limit?: number;
}

export class RecipientQuery extends BroadcastStore {
  @Choice(recipientStatuses, { optional: true }) status?: (typeof recipientStatuses)[number];
  @Text({
    optional: true,
    pattern: /^\d{1,18}$/,
    mismatch: { tag: 'numeric', text: 'must be a valid numeric value' },
    description: 'next_cursor of the page before',
  })
  cursor?: string;
  @Int(page) limit?: number;
}

export class BroadcastList {
  @Text({ example: 'success' }) message!: string;
  @List(() => BroadcastStruct) data!: BroadcastStruct[];
  @Text(none) next_cursor!: string | null;
}

export class RecipientList {
  @Text({ example: 'success' }) message!: string;
  @List(() => BroadcastRecipientStruct) data!: BroadcastRecipientStruct[];
  @Text(none) next_cursor!: string | null;
}

export class BroadcastDeleted {
  @Text({ example: 'success delete broadcast' }) message!: string;
}
