import { Choice, Int, Text } from '@platform/validation';

export const gapStates = ['open', 'answered', 'dismissed'] as const;
export type GapState = (typeof gapStates)[number];

export class GapsQuery {
  @Text({ optional: true, max: 64 }) agent_id?: string;
  @Choice(gapStates, { optional: true }) status?: GapState;
  @Text({ optional: true, max: 200 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100 }) limit?: number;
}

export class GapChange {
  @Choice(gapStates) status!: GapState;
}

/** A question that the knowledge did not answer. */
export class GapView {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Text({ description: 'As it was asked the first time' }) question!: string;
  @Int({ description: 'How often, in whatever case and punctuation' }) count!: number;
  @Text({ format: 'instant' }) last_at!: string;
  @Text({ nullable: true, description: 'The turn that asked it last' }) run_id!: string | null;
  @Choice(gapStates) status!: GapState;
}
