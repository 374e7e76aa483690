import { Choice, Decimal, Flag, Int, Text, Texts } from '@platform/validation';

/** Whose models an agent of bot-engine may use. */
export const agentProviders = ['openai', 'anthropic'] as const;
export type AgentProvider = (typeof agentProviders)[number];

/** A document that an agent knows, without its text. */
export class AgentKnowledge {
  @Text() id!: string;
  @Choice(['faq', 'policy']) kind!: 'faq' | 'policy';
  @Text() title!: string;
  @Choice(['text', 'file', 'url']) source!: 'text' | 'file' | 'url';
  @Choice(['processing', 'ready', 'failed']) status!: 'processing' | 'ready' | 'failed';
  @Text({ nullable: true }) error!: string | null;
  @Text({ format: 'instant' }) updated_at!: string;
}

/** An agent as lists of bot-engine show it, and those of commerce-api, which passes it on unchanged. */
export class AgentRow {
  @Text() id!: string;
  @Text() store_id!: string;
  @Text() name!: string;
  @Text() prompt!: string;
  @Choice(agentProviders) provider!: AgentProvider;
  @Text({ nullable: true }) model!: string | null;
  @Choice(agentProviders, { nullable: true }) fallback_provider!: AgentProvider | null;
  @Text({ nullable: true }) fallback_model!: string | null;
  @Decimal() temperature!: number;
  @Texts() tools!: string[];
  @Int({ nullable: true }) window_ms!: number | null;
  @Int({ nullable: true }) max_wait_ms!: number | null;
  @Int({ nullable: true }) max_steps!: number | null;
  @Int({ nullable: true }) turn_cost_cap_micros!: number | null;
  @Text() fallback_text!: string;
  @Text() handover_text!: string;
  @Text() welcome_text!: string;
  @Int() resume_after_min!: number;
  @Int() failure_resume_min!: number;
  @Flag() vision!: boolean;
  @Flag() enabled!: boolean;
  @Int({ description: 'Grows with every change of the agent or its knowledge' }) version!: number;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant' }) updated_at!: string;
}
