import { Choice, Flag, Int, Nested, Text, clearing } from '@platform/validation';
import { Audience } from './audience.dto';

const NONE = { nullable: true } as const;
export const broadcastStates = ['draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled', 'failed'] as const;
export type BroadcastState = (typeof broadcastStates)[number];
export const recipientStates = ['pending', 'sent', 'delivered', 'viewed', 'failed', 'skipped'] as const;

/** `text` or `template_id`, and a picture where wanted. */
export class BroadcastMessage {
  @Text({
    requiredWithout: ['template_id'],
    max: 4096,
    description: 'May name {{name}}, {{phone}}, {{city}}, {{orders}}',
  })
  text?: string;
  @Text({ optional: true, max: 36, description: 'A template of the store, in place of `text`' }) template_id?: string;
  @Text({ optional: true, format: 'uuid', description: 'A public file of the store' }) media_id?: string;
}

const HOUR = {
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  mismatch: { tag: 'datetime', text: 'must be a time such as 21:00' },
};

/** Nothing goes out then, on the clocks of the store. */
export class QuietHours {
  @Text({ ...HOUR, example: '21:00' }) from!: string;
  @Text({ ...HOUR, example: '07:00' }) to!: string;
}

/** Messages a minute, of a broadcast that says nothing else. */
export const USUAL_RATE = 20;
const WHEN = 'In the future and within 90 days';

class Optional {
  @Text({ optional: true, format: 'instant', description: WHEN }) schedule_at?: string;
  @Int({ optional: true, min: 1, max: 60, description: `${USUAL_RATE} unless given` }) rate_per_minute?: number;
  @Nested(() => QuietHours, { optional: true }) quiet_hours?: QuietHours;
}

export class NewBroadcast extends Optional {
  @Text({ max: 80, trim: true }) name!: string;
  @Text({ format: 'uuid' }) device_id!: string;
  @Nested(() => Audience) audience!: Audience;
  @Nested(() => BroadcastMessage) message!: BroadcastMessage;
}

class BroadcastFields extends Optional {
  @Text({ optional: true, max: 80, trim: true }) name?: string;
  @Text({ optional: true, format: 'uuid' }) device_id?: string;
  @Nested(() => Audience, { optional: true }) audience?: Audience;
  @Nested(() => BroadcastMessage, { optional: true }) message?: BroadcastMessage;
}
/** What is absent stays. */
export class BroadcastChange extends clearing(BroadcastFields, {
  ...{ schedule_at: null, rate_per_minute: USUAL_RATE, quiet_hours: null },
}) {}

export class BroadcastSend {
  @Text({ optional: true, format: 'instant', description: `${WHEN}; else as it was scheduled, or at once` })
  at?: string;
}

export class BroadcastsQuery {
  @Choice(broadcastStates, { optional: true }) status?: BroadcastState;
  @Text({ optional: true, max: 300 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class RecipientsQuery {
  @Choice(recipientStates, { optional: true }) status?: (typeof recipientStates)[number];
  @Text({ optional: true, max: 300 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

class Counts {
  @Int() total!: number;
  @Int() pending!: number;
  @Int() sent!: number;
  @Int() delivered!: number;
  @Int() viewed!: number;
  @Int() failed!: number;
  @Int({ description: 'Left out: opted out, blocked, twice, or no number' }) skipped!: number;
}

export class Broadcast {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text({ ...NONE, format: 'uuid' }) device_id!: string | null;
  @Nested(() => Audience, NONE) audience!: Audience | null;
  @Nested(() => BroadcastMessage, NONE) message!: BroadcastMessage | null;
  @Text({ ...NONE, format: 'instant' }) schedule_at!: string | null;
  @Int() rate_per_minute!: number;
  @Nested(() => QuietHours, NONE) quiet_hours!: QuietHours | null;
  @Choice(broadcastStates) status!: BroadcastState;
  @Nested(() => Counts) counts!: Counts;
  @Flag({ description: 'It is on its way to those who send it' }) starting!: boolean;
}

export class BroadcastRecipient {
  @Text() phone!: string;
  @Text(NONE) name!: string | null;
  @Choice(recipientStates) status!: (typeof recipientStates)[number];
  @Text(NONE) error!: string | null;
}
