import { Choice, Int, List, Nested, Text, Texts } from '@platform/validation';

/** What a program can hear of. */
export const hookEvents = [
  'order.created',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'stock.low',
  'withdrawal.paid',
] as const;
export type HookEvent = (typeof hookEvents)[number];

export class NewWebhook {
  @Text({ max: 2048, trim: true, format: 'url', description: 'https, and of a host that everybody can reach' })
  url!: string;
  @Texts({ min: 1, max: hookEvents.length, maxLength: 40, description: hookEvents.join(', ') }) events!: string[];
}

export class WebhookResult {
  @Text({ format: 'instant' }) at!: string;
  @Int({ nullable: true, description: 'Of its answer; null: there was none' }) status!: number | null;
  @Text({ nullable: true, description: 'Why it was not delivered; null: it was' }) error!: string | null;
}

export class Webhook {
  @Text({ format: 'uuid' }) id!: string;
  @Text() url!: string;
  @Texts() events!: string[];
  @Choice(['active', 'stopped'], { description: 'Stopped by 50 failures in a row; a test on its page makes it go on' })
  status!: 'active' | 'stopped';
  @Int({ description: 'In a row' }) failures!: number;
  @Int({ description: 'News that wait for it' }) waiting!: number;
  @Nested(() => WebhookResult, { nullable: true }) last!: WebhookResult | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class MadeWebhook extends Webhook {
  @Text({ description: 'Signs what is sent; shown this once' }) secret!: string;
}

export class WebhooksAnswer {
  @List(() => Webhook) data!: Webhook[];
}
