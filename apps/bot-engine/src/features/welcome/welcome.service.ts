import type { Database } from '@platform/data';
import { timeLimit, type Logger } from '@platform/runtime';
import type { Agent, Agents } from '../agents/public';
import type { Budget } from '../budget/public';
import { answerOf } from '../loop/public';
import {
  addRequests,
  loggedAttempt,
  priced,
  reportTrouble,
  type AskModel,
  type PricedAttempt,
  type Prices,
} from '../model/public';
import type { Store, StoreDirectory } from '../stores/public';
import { NO_FACTS } from '../tools/public';
import { cutAtSentence } from './sentence.cut';
import { welcomeMessages, type Wanted } from './welcome.prompt';

/** Counts a greeting of a store. Throws `TooMany` when it has had too many, `Unavailable` while they cannot be counted. */
export type WelcomeLimit = (storeId: string) => Promise<void>;

export interface WelcomeModels {
  readonly ask: AskModel;
  readonly prices: Prices;
  readonly model: string;
  readonly stopping: AbortSignal;
}

export interface WelcomeDeps {
  readonly stores: StoreDirectory;
  readonly agents: Pick<Agents, 'get'>;
  readonly models: WelcomeModels;
  readonly budget: Pick<Budget, 'exhausted' | 'spent'>;
  readonly limit: WelcomeLimit;
  readonly database: Pick<Database, 'query'>;
  readonly logger: Logger;
}

export interface Welcome {
  readonly text: string;
  readonly costMicros: number;
}

export interface WelcomeWish extends Wanted {
  readonly storeId: string;
  readonly agentId: string;
  /** Ends when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

const MAX_TOKENS = 500;
const DEADLINE_MS = 30_000;

/** What of the model's text a customer may read: as every answer, but nobody has told it any amount or address here. */
const readable = async (attempt: PricedAttempt | undefined, agent: Agent, store: Store): Promise<string> => {
  const { text = null, finish } = attempt?.reply ?? {};
  if (text === null || finish === 'filter') return '';
  const known = { facts: NO_FACTS, prompt: agent.prompt, policy: [], said: [], told: [], store };
  const { bubbles } = await answerOf(text, { ...known, brokeOff: finish === 'length' }, async () => false);
  return bubbles.join('\n\n');
};

/** A greeting by the small model (design 2.4); the agent's stored one where no model may or can write it. */
export const createWelcome = ({ stores, agents, models, budget, limit, database, logger }: WelcomeDeps) => {
  const ask = async (agent: Agent, store: Store, wish: WelcomeWish): Promise<PricedAttempt[]> => {
    const attempts = await models.ask({
      models: [{ provider: 'openai', model: models.model }],
      messages: welcomeMessages(agent, store, wish),
      temperature: agent.temperature,
      maxTokens: MAX_TOKENS,
      signal: timeLimit(DEADLINE_MS, wish.signal, models.stopping),
      deadline: Date.now() + DEADLINE_MS,
    });
    return priced(attempts, await models.prices.current());
  };
  const keep = async (attempts: readonly PricedAttempt[], agent: Agent, store: Store): Promise<void> => {
    for (const { costMicros, reply } of attempts) if (reply?.usage) budget.spent(store, costMicros, reply.usage);
    await addRequests(database, { storeId: store.id, agentId: agent.id, purpose: 'welcome' }, attempts);
    reportTrouble(logger, attempts);
    logger.info('a greeting was written', {
      ...{ idStore: store.id, idAgent: agent.id },
      attempts: attempts.map(loggedAttempt),
    });
  };
  return async (wish: WelcomeWish): Promise<Welcome> => {
    const store = await stores.get(wish.storeId);
    const agent = await agents.get(wish.storeId, wish.agentId);
    await limit(store.id);
    const stored: Welcome = { text: cutAtSentence(agent.welcomeText, wish.maxCharacters), costMicros: 0 };
    if (store.status === 'suspended' || (await budget.exhausted(store))) return stored;
    const attempts = await ask(agent, store, wish);
    await keep(attempts, agent, store);
    const text = cutAtSentence(await readable(attempts.at(-1), agent, store), wish.maxCharacters);
    if (text === '') return stored;
    return { text, costMicros: attempts.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0) };
  };
};

export type GenerateWelcome = ReturnType<typeof createWelcome>;
