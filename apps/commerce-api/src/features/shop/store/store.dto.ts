import { Choice, Int, List, Nested, Phone, Text, clearing } from '@platform/validation';
import { StoreAddress } from '../../../address.dto';
import { OpenHours } from '../hours/public';

export const storeStates = ['open', 'closed', 'suspended'] as const;
/** What the plan lets the bot answer. */
export class StoreAi {
  @Int({ nullable: true, description: 'Replies from `period_start` to `period_end`; null: any number' })
  reply_limit!: number | null;
  @Text({ format: 'instant' }) period_start!: string;
  @Text({ format: 'instant' }) period_end!: string;
}

/** The design's Store (2.2). */
export class StoreView {
  @Text() id!: string;
  @Text() name!: string;
  @Text() slug!: string;
  @Text({ nullable: true, description: 'Page of the shop' }) url!: string | null;
  @Text() currency!: string;
  @Text() timezone!: string;
  @Choice(storeStates) status!: (typeof storeStates)[number];
  @Text({ nullable: true }) logo_url!: string | null;
  @Text({ keepEmpty: true }) description!: string;
  @Text({ nullable: true }) phone!: string | null;
  @Nested(() => StoreAddress, { nullable: true }) address!: StoreAddress | null;
  @List(() => OpenHours) hours!: OpenHours[];
  @Text({ nullable: true }) kyc_status!: string | null;
  @Nested(() => StoreAi, { optional: true, description: 'For the bot engine alone, which keeps to it' }) ai?: StoreAi;
}

export class NewStoreBody {
  @Text({ min: 2, max: 80, trim: true }) name!: string;
}

class StoreFields {
  @Text({ optional: true, max: 2000, trim: true, keepEmpty: true }) description?: string;
  @Phone({ optional: true }) phone?: string;
  @Nested(() => StoreAddress, { optional: true }) address?: StoreAddress;
  @List(() => OpenHours, { optional: true, max: 14 }) hours?: OpenHours[];
}

export class StoreChange extends clearing(StoreFields, { description: '', phone: null, address: null, hours: [] }) {
  @Text({ optional: true, min: 2, max: 80, trim: true }) name?: string;
}

export class StoreStatusChange {
  @Choice(['open', 'closed']) status!: 'open' | 'closed';
  @Text({ optional: true, max: 200, trim: true, description: 'For customers, while it is closed' }) message?: string;
}

/** The design's PublicStore (2.2). */
export class PublicStore {
  @Text() name!: string;
  @Text() slug!: string;
  @Text({ nullable: true }) logo_url!: string | null;
  @Text({ keepEmpty: true }) description!: string;
  @Text({ nullable: true }) city!: string | null;
  @List(() => OpenHours) hours!: OpenHours[];
  @Choice(['open', 'closed']) status!: 'open' | 'closed';
}
