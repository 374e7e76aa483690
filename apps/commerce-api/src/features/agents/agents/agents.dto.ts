import { AgentKnowledge, agentProviders, AgentRow, type AgentProvider } from '@platform/contracts';
import { clearing, Choice, Decimal, Flag, Int, List, Text, Texts } from '@platform/validation';
import { PageQuery } from '../../../paging';

const MOST_MINUTES = 60 * 24 * 30;
const TEXT = { optional: true, max: 1000, trim: true } as const;
const MODEL = { optional: true, max: 120, pattern: /^[^\p{Cc}\s]+$/u } as const;

/** Everything of an agent that has a usual value. */
class AgentSettings {
  @Choice(agentProviders, { optional: true }) provider?: AgentProvider;
  @Text({ ...MODEL, description: "null: the engine's own" }) model?: string;
  @Choice(agentProviders, { optional: true }) fallback_provider?: AgentProvider;
  @Text(MODEL) fallback_model?: string;
  @Decimal({ optional: true, min: 0, max: 1 }) temperature?: number;
  @Texts({ optional: true, max: 30, maxLength: 60, description: 'Names of tools that it may use' }) tools?: string[];
  @Int({ optional: true, min: 0, max: 30_000, description: 'How long it waits for more of a burst' })
  window_ms?: number;
  @Int({ optional: true, min: 0, max: 30_000 }) max_wait_ms?: number;
  @Int({ optional: true, min: 1, max: 6, description: 'Calls of the model for one answer' }) max_steps?: number;
  @Int({ optional: true, min: 0, max: 100_000_000 }) turn_cost_cap_micros?: number;
  @Text(TEXT) fallback_text?: string;
  @Text(TEXT) handover_text?: string;
  @Text(TEXT) welcome_text?: string;
  @Int({ optional: true, min: 1, max: MOST_MINUTES }) resume_after_min?: number;
  @Int({ optional: true, min: 1, max: MOST_MINUTES }) failure_resume_min?: number;
  @Flag({ optional: true, description: 'Its model reads pictures' }) vision?: boolean;
  @Flag({ optional: true }) enabled?: boolean;
}

export class NewAgent extends AgentSettings {
  @Text({ max: 60, trim: true }) name!: string;
  @Text({ max: 8000, trim: true }) prompt!: string;
}

class Changeable extends AgentSettings {
  @Text({ optional: true, max: 60, trim: true }) name?: string;
  @Text({ optional: true, max: 8000, trim: true }) prompt?: string;
  @Int({ optional: true, min: 1, description: 'The version that was changed; older than the stored one: 409' })
  version?: number;
}

/** What is absent stays, null is the usual value. */
export class AgentChange extends clearing(Changeable, {
  ...{ provider: null, model: null, fallback_provider: null, fallback_model: null, temperature: null, tools: null },
  ...{ window_ms: null, max_wait_ms: null, max_steps: null, turn_cost_cap_micros: null, vision: null },
  ...{ fallback_text: null, handover_text: null, welcome_text: null, resume_after_min: null, failure_resume_min: null },
}) {}

export class AgentSwitch {
  @Flag() enabled!: boolean;
}

export class AgentsQuery extends PageQuery {
  @Flag({ optional: true }) enabled?: boolean;
}

export class Agent extends AgentRow {
  @List(() => AgentKnowledge) knowledge!: AgentKnowledge[];
}

export class UsageQuery {
  @Text({ optional: true, format: 'date', description: '30 days ago unless given' }) from?: string;
  @Text({ optional: true, format: 'date', description: 'Today unless given; at most 366 days in all' }) to?: string;
}

class Used {
  @Int({ description: 'Turns in which it said something' }) replies!: number;
  @Int() tokens_in!: number;
  @Int() tokens_out!: number;
  @Int({ description: 'Millionths of a dollar' }) cost_micros!: number;
}

class UsedOnDay extends Used {
  @Text({ format: 'date' }) date!: string;
}

export class AgentUsage extends Used {
  @Int({ description: 'Calls of models that have no price, which are not in the cost' }) unpriced!: number;
  @List(() => UsedOnDay, { description: 'Every day from the first to the last, where the store is' })
  days!: UsedOnDay[];
}
