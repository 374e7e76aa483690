import { Choice, Flag, Int, List, Text, Texts } from '@platform/validation';

const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };
export const runStatuses = ['running', 'done', 'fallback', 'handover', 'abandoned'] as const;
export type RunStatus = (typeof runStatuses)[number];

export class RunsQuery {
  @Text({ optional: true, ...ID }) agent_id?: string;
  @Text({ optional: true, max: 128, pattern: /^[^\p{Cc}\p{Cs}]+$/u }) chat_id?: string;
  @Choice(runStatuses, { optional: true }) status?: RunStatus;
  @Text({ optional: true, max: 1000 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100 }) limit?: number;
}

class RunHead {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Text({ nullable: true }) chat_id!: string | null;
  @Choice(runStatuses) status!: RunStatus;
  @Int({ description: 'Millionths of a dollar' }) cost_micros!: number;
  @Int({ description: 'From the first message to the answer' }) ms!: number;
  @Int() agent_version!: number;
  @Text({ format: 'instant' }) created_at!: string;
}

/** A row of `GET /internal/runs`. */
export class RunRow extends RunHead {}

export class ToolCallView {
  @Text() tool!: string;
  @Text({ description: 'As the model wrote them' }) args!: string;
  @Text({ description: 'As the model was given it' }) result!: string;
  @Int() ms!: number;
}

class AttemptView {
  @Text() provider!: string;
  @Text() model!: string;
  @Text({ description: 'ok, or why there was no reply' }) status!: string;
  @Int() tokens_in!: number;
  @Int() tokens_cached!: number;
  @Int() tokens_out!: number;
  @Int({ nullable: true, description: 'null: the model has no price' }) cost_micros!: number | null;
  @Int() ms!: number;
  @Int({ nullable: true }) http_status!: number | null;
}

/** One turn as it went. Lines and steps are kept for 30 days. */
export class RunView extends RunHead {
  @Texts({ description: 'What the customer said' }) lines!: string[];
  @List(() => ToolCallView, { description: 'Every call of a tool, in order' }) steps!: ToolCallView[];
  @Texts({ description: 'Parts of the knowledge that were quoted' }) sources!: string[];
  @List(() => AttemptView) attempts!: AttemptView[];
  @Texts({ description: 'Bubbles' }) answer!: string[];
  @Texts() images!: string[];
}

/** `POST /internal/runs/{id}/replay`. */
export class Replay {
  @Text({ optional: true, max: 8000, description: "In place of the agent's" }) prompt?: string;
  @Text({ optional: true, max: 120, pattern: /^[^\p{Cc}\s]+$/u }) model?: string;
}

export class ReplayView {
  @Texts() answer!: string[];
  @Texts() images!: string[];
  @Choice(['done', 'fallback', 'handover']) status!: 'done' | 'fallback' | 'handover';
  @List(() => ToolCallView) steps!: ToolCallView[];
  @Int() cost_micros!: number;
  @Int({ description: 'Calls of models without a price' }) unpriced!: number;
  @Flag({ description: 'The customer was told exactly this' }) same!: boolean;
}
