import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';
import { metrics, type Metric } from '../../../limits';
import { PageQuery } from '../../../paging';
import { ActiveAddon } from '../addons/public';
import { Invoice, InvoiceLine, invoiceStates, type InvoiceState } from '../invoices/public';
import { periods, Plan, type Period } from '../plans/public';

export const subscriptionStates = ['trialing', 'active', 'past_due', 'cancelled', 'expired'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** The design's Subscription (2.2). */
export class Subscription {
  @Text({ format: 'uuid', nullable: true, description: 'Null for a store that never had one' }) id!: string | null;
  @Nested(() => Plan, { description: 'Of a store without a subscription the trial' }) plan!: Plan;
  @Choice(subscriptionStates) status!: SubscriptionState;
  @Choice(periods, { nullable: true }) period!: Period | null;
  @Text({ format: 'instant', nullable: true }) period_start!: string | null;
  @Text({ format: 'instant', nullable: true }) period_end!: string | null;
  @Flag() cancel_at_period_end!: boolean;
  @Nested(() => Plan, { nullable: true, description: 'Begins when what is paid has ended' }) next_plan!: Plan | null;
  @Choice(periods, { nullable: true, description: 'Of `next_plan`' }) next_period!: Period | null;
  @List(() => ActiveAddon) addons!: ActiveAddon[];
  @Flag({ description: 'Whether the wallet pays the next period when it holds enough' }) auto_renew!: boolean;
}

/** What somebody wants to buy. */
export class PlanChoice {
  @Text({ format: 'uuid' }) plan_id!: string;
  @Choice(periods) period!: Period;
  @Texts({ optional: true, max: 20, maxLength: 36, description: 'One of each' }) addon_ids?: string[];
  @Text({ optional: true, max: 32, trim: true, description: 'Takes percents off the plan on the first bill' })
  voucher?: string;
}

/** What it costs, before it is bought. */
export class PlanQuote {
  @List(() => InvoiceLine) lines!: InvoiceLine[];
  @Int() amount!: number;
  @Text() currency!: string;
}

export class PlanChangeAsked {
  @Text({ format: 'uuid' }) plan_id!: string;
  @Choice(periods, { optional: true, description: 'The same as now unless given' }) period?: Period;
}

/** What a change costs, and when it happens. */
export class ChangePreview {
  @Int({ description: 'Of what is paid and not used yet' }) credit!: number;
  @Int({ description: 'Of the first period after the change, with its add-ons' }) charge!: number;
  @Int({ description: 'What is to be paid now' }) due_now!: number;
  @Text({ format: 'instant' }) effective_at!: string;
}

export class PlanChange extends ChangePreview {
  @Nested(() => Invoice, {
    nullable: true,
    description: 'To be paid for the change to happen; null: nothing is to be paid yet',
  })
  invoice!: Invoice | null;
}

export class PlanCancellation {
  @Text({ optional: true, max: 500, trim: true }) reason?: string;
}

/** What a store has of what its plan allows. */
export class PlanUse {
  @Choice([...metrics, 'ai_replies'], { description: '`ai_replies`: as the bot engine counts them' })
  metric!: Metric | 'ai_replies';
  @Int({ nullable: true, description: 'Null when the bot engine does not tell now' }) used!: number | null;
  @Int({ nullable: true, description: 'Null: any number' }) limit!: number | null;
  @Text({ format: 'instant', nullable: true }) period_end!: string | null;
}

export class BillsQuery extends PageQuery {
  @Choice(invoiceStates, { optional: true }) status?: InvoiceState;
}

export class BillPayment {
  @Choice(['wallet', 'b']) method!: 'wallet' | 'b';
}
