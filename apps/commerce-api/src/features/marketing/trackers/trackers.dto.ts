import { sortsOf } from '@platform/data';
import { Choice, Int, List, Nested, Text, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { Utm } from '../attribution/public';

const sorts = sortsOf(['created_at', 'code']);
const CODE = { tag: 'code', text: 'must be 4 to 16 small letters and digits' };
const URL = { max: 2048, trim: true, description: 'http or https' } as const;

export class TrackersQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in code or target' }) q?: string;
}

export class NewTracker {
  @Text(URL) target!: string;
  @Nested(() => Utm, { optional: true }) utm?: Utm;
  @Text({ optional: true, pattern: /^[a-z0-9]{4,16}$/, mismatch: CODE, description: 'Made up unless given' })
  code?: string;
}

class TrackerFields {
  @Text({ ...URL, optional: true }) target?: string;
  @Nested(() => Utm, { optional: true, description: 'Whole' }) utm?: Utm;
}
export class TrackerChange extends clearing(TrackerFields, { utm: {} }) {}

/** The design's Tracker (2.2). */
export class Tracker {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Text({ nullable: true, description: 'What is given out; null where the shop has no pages' }) url!: string | null;
  @Text() target!: string;
  @Nested(() => Utm) utm!: Utm;
  @Int({ description: 'Of people' }) clicks!: number;
  @Int({ description: 'Messages that it began' }) chats!: number;
  @Int({ description: 'That followed within a week and were not cancelled' }) orders!: number;
  @Int({ description: 'What was paid for them, less what was given back' }) revenue!: number;
}

export class TrackerDay {
  @Text({ format: 'date', description: 'Where the store is' }) day!: string;
  @Int() clicks!: number;
  @Int() chats!: number;
  @Int({ description: 'That were placed on this day' }) orders!: number;
  @Int() revenue!: number;
}

export class TrackerClicks {
  @List(() => TrackerDay, { description: 'Every day, the first first' }) days!: TrackerDay[];
  @Int() clicks!: number;
  @Int() chats!: number;
  @Int() orders!: number;
  @Int() revenue!: number;
}
