import { Choice, Flag, Int, List, Money, Nested, Text, Texts } from '@platform/validation';
import { MOST_ALLOWED } from '../../../limits';

export const families = ['legacy', 'new'] as const;
export type Family = (typeof families)[number];

const LIMIT = { min: 0, max: MOST_ALLOWED };

/** For a month or a year, in the settlement unit of the currency. */
export class Prices {
  @Money({ min: 1 }) monthly!: number;
  @Money({ min: 1 }) yearly!: number;
}

/** What a store on the plan may have. */
export class PlanLimits {
  @Int(LIMIT) devices!: number;
  @Int(LIMIT) agents!: number;
  @Int({ ...LIMIT, description: 'The owner is one of them' }) staff!: number;
  @Int(LIMIT) contacts!: number;
  @Int(LIMIT) stores!: number;
  @Int({ ...LIMIT, description: 'In kibibytes' }) storage!: number;
  @Int(LIMIT) files!: number;
  @Int({ ...LIMIT, description: 'In a month' }) broadcasts!: number;
}

/** And what the bot engine counts. */
export class LimitsOnFile extends PlanLimits {
  @Int({ ...LIMIT, optional: true, description: 'Answers of the bot in a month; any number unless given' })
  ai_replies?: number;
}

/** The design's Plan (2.2). */
export class Plan {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Text() name!: string;
  @Choice(families) family!: Family;
  @Nested(() => Prices, { nullable: true, description: 'Null for the trial, which costs nothing' })
  prices!: Prices | null;
  @Nested(() => PlanLimits) limits!: PlanLimits;
  @Texts({ description: 'For people, in the order of the price list' }) features!: string[];
}

const CODE = {
  trim: true,
  pattern: /^[a-z0-9-]{2,40}$/,
  mismatch: { tag: 'code', text: 'must be 2 to 40 of a-z, 0-9, -' },
};

/** Takes percents off the plan on the first invoice of a store. */
export class PlanVoucher {
  @Text({
    ...{ trim: true, pattern: /^[A-Z0-9-]{3,32}$/ },
    mismatch: { tag: 'code', text: 'must be 3 to 32 upper case letters, digits or hyphens' },
  })
  code!: string;
  @Int({ min: 1, max: 99 }) percent!: number;
  @Text({ format: 'instant', description: 'The first moment at which it counts no more, with an offset' })
  until!: string;
}

/** A plan as the operator writes it. */
export class PlanFile {
  @Text(CODE) code!: string;
  @Text({ max: 60, trim: true }) name!: string;
  @Choice(families) family!: Family;
  @Int({ min: 0, max: 1_000_000, description: 'Of two plans the larger one has the larger number' }) rank!: number;
  @Nested(() => Prices) prices!: Prices;
  @Nested(() => LimitsOnFile) limits!: LimitsOnFile;
  @Texts({ max: 30, maxLength: 120 }) features!: string[];
  @Flag({ optional: true, description: 'Unless said otherwise it is' }) on_sale?: boolean;
  @List(() => PlanVoucher, { optional: true, max: 20 }) vouchers?: PlanVoucher[];
}
