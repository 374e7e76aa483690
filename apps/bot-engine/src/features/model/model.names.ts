import type { ModelName, Provider } from './chat.model';

/** The columns of an agent that name its models. */
export interface AgentModels {
  readonly provider: Provider;
  readonly model: string | null;
  readonly fallbackProvider: Provider | null;
  readonly fallbackModel: string | null;
}

/**
 * Whom to ask for this agent: its own model, else the default of the settings, which `LLM_BASE_URL` serves; then the one
 * that stands in for it, of the same provider unless another one is named.
 */
export const modelsOf = (agent: AgentModels, defaultModel: string): readonly [ModelName, ModelName?] => {
  const first: ModelName =
    agent.model === null
      ? { provider: 'openai', model: defaultModel }
      : { provider: agent.provider, model: agent.model };
  if (agent.fallbackModel === null) return [first];
  return [first, { provider: agent.fallbackProvider ?? first.provider, model: agent.fallbackModel }];
};
