import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '@platform/runtime';
import {
  ModelError,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ModelErrorKind,
  type ModelName,
  type Provider,
} from './chat.model';
import { halved } from './history.cut';
import { estimatedUsage } from './usage.estimate';

/** One call of the model, for the request log: numbers and names, never message text. */
export interface Attempt {
  readonly provider: Provider;
  readonly model: string;
  readonly status: 'ok' | ModelErrorKind;
  readonly reply: ChatReply | null;
  readonly ms: number;
  readonly httpStatus?: number;
  readonly requestId?: string;
}

/** A call of the model with its price; null when the model has none. */
export interface PricedAttempt extends Attempt {
  readonly costMicros: number | null;
}

interface Outcome {
  readonly attempt: Attempt;
  readonly error?: ModelError;
}

export interface Question extends Omit<ChatRequest, 'model'> {
  /** `models[0]` answers; a second one is asked when it cannot. */
  readonly models: readonly [ModelName, ModelName?];
  /** System first, then the history, then the turn: what the customer says and what the tools told. */
  readonly messages: readonly ChatMessage[];
  /** Ends everything: at the turn's deadline, or when the process stops. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds of the turn's deadline. */
  readonly deadline: number;
}

export interface AttemptsOptions {
  /** Everyone who may be asked. */
  readonly models: Readonly<Record<Provider, ChatModel>>;
  readonly stepTimeoutMs: number;
  /** Waits before a second try; ends early with the signal. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const REPEATABLE: readonly ModelErrorKind[] = ['rate', 'server', 'network', 'shape', 'timeout'];
const LONGEST_PAUSE_MS = 3_000;
/** Time reserved for the commit. */
const RESERVE_MS = 2_000;

const sleep = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  delay(milliseconds, undefined, { signal }).catch(() => undefined);

const pauseOf = (error: ModelError): number =>
  Math.min(error.facts.retryAfterMs ?? 200 + Math.random() * 600, LONGEST_PAUSE_MS);

/** One call within the time that is left. Never rejects: the error is part of the outcome. */
const attemptOnce = async (
  { models, stepTimeoutMs }: AttemptsOptions,
  { provider, model }: ModelName,
  { models: _, signal, deadline, ...asked }: Question,
): Promise<Outcome> => {
  const begun = performance.now();
  const spent = () => Math.round(performance.now() - begun);
  const limit = Math.min(stepTimeoutMs, Math.max(1, deadline - Date.now() - RESERVE_MS));
  try {
    const told = await withTimeLimit(limit, [signal], (inTime) =>
      models[provider].complete({ ...asked, model }, inTime),
    );
    const { requestId } = told;
    // A cap that is fed by nothing would never be reached
    const reply = { ...told, usage: told.usage ?? estimatedUsage(asked, told) };
    return { attempt: { provider, model, status: 'ok', reply, ms: spent(), httpStatus: 200, requestId } };
  } catch (thrown) {
    const error = thrown instanceof ModelError ? thrown : new ModelError('network');
    const { httpStatus, requestId } = error.facts;
    return { attempt: { provider, model, status: error.kind, reply: null, ms: spent(), httpStatus, requestId }, error };
  }
};

/** The next thing to try after the `tries`-th call ended with `error`, or nothing. */
const nextStep = (
  error: ModelError,
  tries: number,
  [first, fallback]: Question['models'],
): 'same' | 'shorter' | 'fallback' | undefined => {
  // The same key would be refused again; another provider has its own
  if (error.kind === 'auth') return fallback && fallback.provider !== first.provider ? 'fallback' : undefined;
  if (tries === 1 && error.kind === 'context') return 'shorter';
  const another = error.kind === 'timeout' && fallback !== undefined;
  if (tries === 1 && REPEATABLE.includes(error.kind) && !another) return 'same';
  return fallback && 'fallback';
};

/**
 * Asks until there is a reply or nothing is left to try (design 3.7): one more try after a temporary failure, not after a
 * time-out when there is a fallback model, half the history when it was too long, then once the fallback model. Never
 * rejects; the last attempt holds the outcome.
 */
export const modelAttempts =
  (options: AttemptsOptions) =>
  async (question: Question): Promise<Attempt[]> => {
    const { pause = sleep } = options;
    const [first, fallback] = question.models;
    const attempts: Attempt[] = [];
    let asked = question;
    for (let name = first; ;) {
      const { attempt, error } = await attemptOnce(options, name, asked);
      attempts.push(attempt);
      const over =
        !error || name === fallback || question.signal.aborted || question.deadline - Date.now() <= RESERVE_MS;
      const step = over ? undefined : nextStep(error, attempts.length, question.models);
      if (!error || !step) return attempts;
      if (step === 'shorter') asked = { ...question, messages: halved(question.messages) };
      if (step === 'same') await pause(pauseOf(error), question.signal);
      if (step === 'fallback') name = fallback ?? first;
    }
  };

export type AskModel = ReturnType<typeof modelAttempts>;
