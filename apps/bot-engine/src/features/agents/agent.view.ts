import type { AgentRow } from '@platform/contracts';
import type { Agent } from './agent.entity';

/** An agent as its owner sees it. */
export const rowOf = (agent: Agent): AgentRow => ({
  id: agent.id,
  store_id: agent.storeId,
  name: agent.name,
  prompt: agent.prompt,
  provider: agent.provider,
  model: agent.model,
  fallback_provider: agent.fallbackProvider,
  fallback_model: agent.fallbackModel,
  temperature: agent.temperature,
  tools: agent.tools,
  window_ms: agent.windowMs,
  max_wait_ms: agent.maxWaitMs,
  max_steps: agent.maxSteps,
  turn_cost_cap_micros: agent.turnCostCapMicros,
  fallback_text: agent.fallbackText,
  handover_text: agent.handoverText,
  welcome_text: agent.welcomeText,
  resume_after_min: agent.resumeAfterMin,
  failure_resume_min: agent.failureResumeMin,
  vision: agent.vision,
  enabled: agent.enabled,
  version: agent.version,
  created_at: agent.createdAt.toISOString(),
  updated_at: agent.updatedAt.toISOString(),
});
