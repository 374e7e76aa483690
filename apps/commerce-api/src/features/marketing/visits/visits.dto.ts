import { Choice, Flag, Int, Json, List, Nested, Slug, Text } from '@platform/validation';
import { Utm } from '../attribution/public';

export const events = ['page_view', 'view_content', 'add_to_cart', 'checkout', 'purchase'] as const;
export type VisitorEventKind = (typeof events)[number];

export class VisitorEvent {
  @Choice(events) event!: VisitorEventKind;
  @Text({
    min: 1,
    max: 64,
    trim: true,
    description: 'Of its own: once it has counted, it counts nothing when it is told again',
  })
  event_id!: string;
  @Text({ min: 1, max: 64, trim: true }) visitor_id!: string;
  @Text({
    format: 'url',
    max: 2048,
    trim: true,
    description: 'Only what it says of the source is read, and nothing of it is kept',
  })
  url!: string;
  @Slug() store_slug!: string;
  @Flag({ description: 'Without it a counter rises, and nothing is kept of the visitor' }) consent!: boolean;
  @Nested(() => Utm, { optional: true, description: 'In place of what `url` says' }) utm?: Utm;
  @Json({ optional: true, description: 'At most 2 KB; nothing of it is kept' }) data?: object;
}

export class VisitorHeaders {
  @Text({ optional: true }) 'user-agent'?: string;
}

export class Accepted {
  @Flag() accepted!: boolean;
}

/** What came from one source. */
export class SourceRow {
  @Text({ description: '`direct`: by themselves, as far as anybody knows' }) source!: string;
  @Int({ description: 'Of visitors who agreed' }) visits!: number;
  @Int({ description: 'Events of visitors who did not agree' }) anonymous!: number;
  @Int({ description: 'Chats that short links began' }) chats!: number;
  @Int({ description: 'Placed in these days and not cancelled' }) orders!: number;
  @Int({ description: 'What was paid for them, less what was given back' }) revenue!: number;
}

export const funnelSteps = ['visit', 'view_content', 'add_to_cart', 'checkout', 'order', 'paid'] as const;

export class FunnelStep {
  @Choice(funnelSteps) step!: (typeof funnelSteps)[number];
  @Int({ description: 'Visits that came so far, and orders of visitors who agreed' }) count!: number;
}

export class Funnel {
  @List(() => FunnelStep) steps!: FunnelStep[];
  @Int({ description: 'Paid orders of 10,000 visits; 0 without visits' }) conversion_bp!: number;
}
