import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';

const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };
const PIECES = { optional: true, max: 10, maxLength: 500 };

/** What an answer has to be; what is absent is not asked for. */
export class Expectations {
  @Texts({ ...PIECES, description: 'Tools that must have been used' }) tools?: string[];
  @Texts({ ...PIECES, description: 'Words that the answer must hold, in any case' }) must?: string[];
  @Texts({ ...PIECES, description: 'Words that it must not hold' }) must_not?: string[];
  @Texts({ ...PIECES, description: 'Documents of the knowledge, or parts of one, that must have been quoted' })
  sources?: string[];
  @Flag({ optional: true, description: 'Whether the bot hands over to a person' }) handover?: boolean;
  @Int({ optional: true, min: 0, max: 1_000_000_000 }) max_cost_micros?: number;
}

/** `POST /internal/evals`: written out, or a turn as it went. */
export class NewCase {
  @Text({ format: 'uuid', description: "The caller's: the same id and body again are the same case" }) id!: string;
  @Text({ requiredWithout: ['from_run'], ...ID }) agent_id?: string;
  @Text({ requiredWithout: ['from_run'], max: 120 }) name?: string;
  @Texts({
    ...{ requiredWithout: ['from_run'], min: 1, max: 10, maxLength: 4000 },
    description: 'What the customer says, one after the other',
  })
  lines?: string[];
  @Nested(() => Expectations, { requiredWithout: ['from_run'] }) expect?: Expectations;
  @Text({ optional: true, format: 'uuid', description: 'Begins as this run did, and expects what it did' })
  from_run?: string;
}

export class CasesQuery {
  @Text({ optional: true, ...ID }) agent_id?: string;
  @Text({ optional: true, max: 1000 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100 }) limit?: number;
}

export class CaseView {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Text() name!: string;
  @Texts() lines!: string[];
  @Nested(() => Expectations) expect!: Expectations;
  @Text({ format: 'instant' }) created_at!: string;
}

/** `POST /internal/evals/run`. */
export class EvalWish {
  @Text(ID) agent_id!: string;
  @Text({ optional: true, max: 8000, description: "In place of the agent's" }) prompt?: string;
  @Text({ optional: true, max: 120, pattern: /^[^\p{Cc}\s]+$/u }) model?: string;
  @Int({ optional: true, min: 1, max: 5, description: 'A case passes when every repetition does' }) repeat?: number;
}

export const evalStatuses = ['waiting', 'running', 'done', 'failed'] as const;
export type EvalStatus = (typeof evalStatuses)[number];

export class CaseResult {
  @Text() id!: string;
  @Text() name!: string;
  @Flag() passes!: boolean;
  @Texts({ description: 'Why it does not' }) why!: string[];
  @Texts({ description: 'Bubbles, of the repetition that failed first' }) answer!: string[];
  @Texts() tools!: string[];
  @Int({ description: 'Of all repetitions' }) cost_micros!: number;
  @Int() ms!: number;
}

export class EvalRunView {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Choice(evalStatuses) status!: EvalStatus;
  @Int({ description: 'Of the agent' }) version!: number;
  @Text() model!: string;
  @Int() passed!: number;
  @Int() total!: number;
  @List(() => CaseResult, { description: 'Those that were played so far' }) cases!: CaseResult[];
  @Text({ nullable: true, description: 'Why it failed: ai_budget_spent, agent_not_found, interrupted' })
  error!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}
