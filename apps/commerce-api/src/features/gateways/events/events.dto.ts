import { Choice, Flag, Int, Text } from '@platform/validation';

const providers = ['a', 'b', 'c'] as const;
/** `asking`: the provider is asked first; `error`: it is to be done again; the others are what became of the payment, or why nothing did. */
export const eventOutcomes = [
  ...(['received', 'asking', 'paid', 'partially_paid', 'already', 'review', 'failed', 'expired', 'pending'] as const),
  ...(['signature_failed', 'unknown_order', 'error', 'payout'] as const),
] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

export class EventsQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Choice(providers, { optional: true }) provider?: (typeof providers)[number];
  @Choice(eventOutcomes, { optional: true }) outcome?: EventOutcome;
  @Flag({ optional: true }) signature_ok?: boolean;
}

/** What a provider told, or somebody in its name (design 2.3). */
export class ProviderEvent {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'instant' }) at!: string;
  @Choice(providers) provider!: (typeof providers)[number];
  @Text({ description: 'What makes it one: the same told again is no other event' }) dedupe_key!: string;
  @Flag({ description: 'false: nothing of it was believed' }) signature_ok!: boolean;
  @Choice(eventOutcomes) outcome!: EventOutcome;
  @Int({ nullable: true, description: 'Until its payment was taken up' }) duration_ms!: number | null;
  @Int() attempts!: number;
  @Text({ nullable: true }) error!: string | null;
}
