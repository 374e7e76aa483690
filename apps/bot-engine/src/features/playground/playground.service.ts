import { Unavailable, UpstreamFailed, type Failure } from '@platform/errors';
import { timeLimit, type Logger } from '@platform/runtime';
import type { Agents } from '../agents/public';
import type { TurnLimits } from '../limits/public';
import { loggedAttempt, type AskModel, type ChatMessage } from '../model/public';
import type { StoreDirectory } from '../stores/public';

export interface PlaygroundDeps {
  readonly stores: StoreDirectory;
  readonly agents: Pick<Agents, 'get'>;
  readonly ask: AskModel;
  readonly limits: Pick<TurnLimits, 'testing'>;
  /** The same for all agents: the contract's fixed small model. */
  readonly model: string;
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

export interface SaidLine {
  readonly role: string;
  readonly content: string;
}

export interface Trial {
  readonly storeId: string;
  readonly agentId: string;
  readonly prompt: string;
  readonly question: string;
  readonly before: readonly SaidLine[];
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export const modelUnavailable = (): Failure => new UpstreamFailed('model unavailable');

/** Contract: the temperature is fixed. */
const TEMPERATURE = 0.1;
const MAX_TOKENS = 800;
const DEADLINE_MS = 30_000;

/** Contract: the role is any text. */
const roleOf = (role: string): 'system' | 'user' | 'assistant' => {
  const folded = role.trim().toLowerCase();
  if (folded === 'system') return 'system';
  return ['assistant', 'bot', 'ai'].includes(folded) ? 'assistant' : 'user';
};

const messagesOf = ({ prompt, before, question }: Trial): ChatMessage[] => [
  { role: 'system', content: prompt },
  ...before.map(({ role, content }) => ({ role: roleOf(role), content })),
  { role: 'user', content: question },
];

/**
 * Tries a prompt on the small model: no tools, no mailbox, nothing is written down (contract; design 2.3). Throws `NotFound`
 * for an unknown store or agent, `UpstreamFailed` when the model gave no text.
 */
export const createPlayground =
  ({ stores, agents, ask, limits, model, stopping, logger }: PlaygroundDeps) =>
  async (trial: Trial): Promise<string> => {
    const { storeId, agentId } = trial;
    await stores.get(storeId);
    await agents.get(storeId, agentId);
    await limits.testing(storeId);
    const attempts = await ask({
      models: [{ provider: 'openai', model }],
      messages: messagesOf(trial),
      temperature: TEMPERATURE,
      temperatureRequired: true,
      maxTokens: MAX_TOKENS,
      signal: timeLimit(DEADLINE_MS, trial.signal, stopping),
      deadline: Date.now() + DEADLINE_MS,
    });
    logger.info('an agent was tested', { idStore: storeId, idAgent: agentId, attempts: attempts.map(loggedAttempt) });
    const answer = attempts.at(-1)?.reply?.text?.trim();
    if (answer) return answer;
    if (stopping.aborted) throw new Unavailable('the service is stopping', { retryAfterSeconds: 2 });
    throw modelUnavailable();
  };

export type Playground = ReturnType<typeof createPlayground>;
