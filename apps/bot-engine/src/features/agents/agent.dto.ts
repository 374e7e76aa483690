import { AgentKnowledge, agentProviders, AgentRow, type AgentProvider } from '@platform/contracts';
import { clearing, Choice, Decimal, Flag, Int, List, Text, Texts } from '@platform/validation';
import { toolNames } from './tool.names';

const MOST_MINUTES = 60 * 24 * 30;
const TEXT = { optional: true, max: 1000 };
const MODEL = { max: 120, pattern: /^[^\p{Cc}\s]+$/u };

/** Everything of an agent that has a usual value. */
class AgentSettings {
  @Choice(agentProviders, { optional: true }) provider?: AgentProvider;
  @Text({ optional: true, ...MODEL, description: 'null: the model of the service' }) model?: string;
  @Choice(agentProviders, { optional: true }) fallback_provider?: AgentProvider;
  @Text({ optional: true, ...MODEL }) fallback_model?: string;
  @Decimal({ optional: true, min: 0, max: 1 }) temperature?: number;
  @Texts({ optional: true, max: toolNames.length, description: `Of ${toolNames.join(', ')}` }) tools?: string[];
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

/** `POST /internal/agents` (design 2.10). */
export class NewAgent extends AgentSettings {
  @Text({ format: 'uuid', description: "The caller's: the same id and body again are the same agent" }) id!: string;
  @Text({ max: 60, trim: true }) name!: string;
  @Text({ max: 8000 }) prompt!: string;
}

class Changeable extends AgentSettings {
  @Text({ optional: true, max: 60, trim: true }) name?: string;
  @Text({ optional: true, max: 8000 }) prompt?: string;
  @Int({ optional: true, min: 1, description: 'The version that was changed; older than the stored one: 409' })
  version?: number;
}

/** `PUT /internal/agents/{id}`: what is absent stays, null is the usual value. */
export const AgentChange = clearing(Changeable, {
  ...{ provider: null, model: null, fallback_provider: null, fallback_model: null, temperature: null, tools: null },
  ...{ window_ms: null, max_wait_ms: null, max_steps: null, turn_cost_cap_micros: null, vision: null },
  ...{ fallback_text: null, handover_text: null, welcome_text: null, resume_after_min: null, failure_resume_min: null },
});
export type AgentChange = InstanceType<typeof AgentChange>;

/** A document of its knowledge, without its text. */
export class DocView extends AgentKnowledge {
  @Text() agent_id!: string;
}

/** One agent with its knowledge. */
export class AgentView extends AgentRow {
  @List(() => DocView) knowledge!: DocView[];
}

export class AgentsQuery {
  @Int({ optional: true, min: 1, max: 1_000_000 }) page?: number;
  @Int({ optional: true, min: 1, max: 100 }) per_page?: number;
  @Flag({ optional: true }) enabled?: boolean;
}
