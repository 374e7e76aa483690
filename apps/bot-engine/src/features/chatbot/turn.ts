import { createHash } from 'node:crypto';
import { Unavailable } from '@platform/errors';
import { type Clock, type Logger, timeLimit, uuidv7 } from '@platform/runtime';
import type { Agent } from '../agents/public';
import {
  loggedAttempt,
  modelsOf,
  priced,
  reportTrouble,
  type AskModel,
  type Attempt,
  type Prices,
} from '../model/public';
import type { Store } from '../stores/public';
import { bubblesOf, presentable } from './answer.bubbles';
import type { Conversations, FinishedRun, Opened, StoredReply } from './conversation.repository';
import type { CustomerMessage } from './customer.message';
import { POLICY, systemPrompt, turnMessages } from './system.prompt';

export interface TurnDeps {
  readonly ask: AskModel;
  readonly prices: Prices;
  readonly conversations: Conversations;
  /** For agents without a model of their own. */
  readonly defaultModel: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TurnInput {
  readonly message: CustomerMessage;
  readonly agent: Agent;
  readonly store: Store;
  readonly opened: Opened;
  /** Epoch milliseconds. */
  readonly arrivedAt: number;
  readonly deadline: number;
  /** Aborts when the process stops: no answer, the caller repeats. */
  readonly stopping: AbortSignal;
}

const MAX_TOKENS = 600;

const sum = (numbers: readonly (number | null | undefined)[]): number =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

/** What the customer reads; undefined when the model gave no usable text. */
const bubblesFrom = (attempt: Attempt | undefined): string[] => {
  const reply = attempt?.reply;
  if (!reply?.text || reply.finish === 'filter') return [];
  return bubblesOf(presentable(reply.text, { instructions: POLICY, brokeOff: reply.finish === 'length' }));
};

const replyOf = (runId: string, answer: readonly string[]): StoredReply => ({
  answer,
  images: [],
  messageIds: answer.map((_, n) => `bot-${runId}-${n}`),
});

/** Numbers about a turn; never its words, and the customer only as a digest. */
const report = ({ message, arrivedAt }: TurnInput, run: FinishedRun, { logger }: TurnDeps): void => {
  reportTrouble(logger, run.attempts);
  logger.info('turn', {
    turnId: run.id,
    idStore: message.storeId,
    idAgent: message.agentId,
    customer: createHash('sha256').update(message.customer).digest('hex').slice(0, 12),
    status: run.status,
    tokens: { in: run.tokensIn, out: run.tokensOut },
    cost_micros: run.costMicros,
    ms: { ...run.ms, committed: Date.now() - arrivedAt },
    attempts: run.attempts.map(loggedAttempt),
  });
};

/** One turn: asks the model, splits its text into bubbles, stores everything at once. */
export const createTurn =
  (deps: TurnDeps) =>
  /** The stored run; undefined when another process answered this message first. Throws `Unavailable` when the process stops. */
  async (input: TurnInput): Promise<FinishedRun | undefined> => {
    const { message, agent, store, opened, arrivedAt, deadline, stopping } = input;
    const begun = Date.now();
    const seed = opened.isNew ? message.history : [];
    const before = opened.isNew ? seed : opened.lines;
    const system = systemPrompt(agent, store, deps.clock.now(), message.customerName);
    const signal = timeLimit(Math.max(1, deadline - begun), stopping);
    const [attempts, prices] = await Promise.all([
      deps.ask({
        models: modelsOf(agent, deps.defaultModel),
        temperature: agent.temperature,
        maxTokens: MAX_TOKENS,
        messages: turnMessages(system, before, message),
        signal,
        deadline,
      }),
      deps.prices.current(),
    ]);
    const bubbles = bubblesFrom(attempts.at(-1));
    if (bubbles.length === 0 && stopping.aborted)
      throw new Unavailable('the service is stopping', { retryAfterSeconds: 2 });
    const id = uuidv7();
    const costed = priced(attempts, prices);
    const run: FinishedRun = {
      id,
      status: bubbles.length > 0 ? 'done' : 'fallback',
      reply: replyOf(id, bubbles.length > 0 ? bubbles : bubblesOf(agent.fallbackText)),
      tokensIn: sum(attempts.map(({ reply }) => reply?.usage?.in)),
      tokensOut: sum(attempts.map(({ reply }) => reply?.usage?.out)),
      costMicros: sum(costed.map(({ costMicros: cost }) => cost)),
      ms: { queue: begun - arrivedAt, model: sum(attempts.map(({ ms }) => ms)), total: Date.now() - arrivedAt },
      agentVersion: agent.version,
      seed,
      attempts: costed,
    };
    if (!(await deps.conversations.commit(message, run))) return undefined;
    report(input, run, deps);
    return run;
  };

export type RunTurn = ReturnType<typeof createTurn>;
