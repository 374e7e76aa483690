import { setTimeout as delay } from 'node:timers/promises';
import { timeLimit } from '@platform/runtime';
import { ModelError, type ChatMessage, type ChatModel, type ChatReply, type ModelErrorKind } from './chat.model';

/** One call of the model, for the request log: numbers and names, never message text. */
export interface Attempt {
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

export interface Question {
  /** `models[0]` answers; a second one is asked when it cannot. */
  readonly models: readonly [string, string?];
  readonly temperature: number;
  readonly maxTokens: number;
  /** System first, then the history, the question last. */
  readonly messages: readonly ChatMessage[];
  /** Ends everything: at the turn's deadline, or when the process stops. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds of the turn's deadline. */
  readonly deadline: number;
}

export interface AttemptsOptions {
  readonly model: ChatModel;
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

/** Keeps the newer half of the history, so that the question fits. */
const halved = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const before = messages.slice(1, -1);
  return [...messages.slice(0, 1), ...before.slice(Math.ceil(before.length / 2)), ...messages.slice(-1)];
};

const pauseOf = (error: ModelError): number =>
  Math.min(error.facts.retryAfterMs ?? 200 + Math.random() * 600, LONGEST_PAUSE_MS);

/** One call within the time that is left. Never rejects: the error is part of the outcome. */
const attemptOnce = async (
  { model, stepTimeoutMs }: AttemptsOptions,
  name: string,
  { temperature, maxTokens, messages, signal, deadline }: Question,
): Promise<Outcome> => {
  const begun = performance.now();
  const spent = () => Math.round(performance.now() - begun);
  const limit = Math.min(stepTimeoutMs, Math.max(1, deadline - Date.now() - RESERVE_MS));
  try {
    const request = { model: name, messages, temperature, maxTokens };
    const reply = await model.complete(request, timeLimit(limit, signal));
    return { attempt: { model: name, status: 'ok', reply, ms: spent(), httpStatus: 200, requestId: reply.requestId } };
  } catch (thrown) {
    const error = thrown instanceof ModelError ? thrown : new ModelError('network');
    const { httpStatus, requestId } = error.facts;
    return { attempt: { model: name, status: error.kind, reply: null, ms: spent(), httpStatus, requestId }, error };
  }
};

/** The next thing to try after the `tries`-th call ended with `error`, or nothing. */
const nextStep = (
  error: ModelError,
  tries: number,
  fallback: string | undefined,
): 'same' | 'shorter' | 'fallback' | undefined => {
  // The same key would be refused again
  if (error.kind === 'auth') return undefined;
  if (tries === 1 && error.kind === 'context') return 'shorter';
  const another = error.kind === 'timeout' && fallback !== undefined;
  if (tries === 1 && REPEATABLE.includes(error.kind) && !another) return 'same';
  return fallback === undefined ? undefined : 'fallback';
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
      const step = over ? undefined : nextStep(error, attempts.length, fallback);
      if (!error || !step) return attempts;
      if (step === 'shorter') asked = { ...question, messages: halved(question.messages) };
      if (step === 'same') await pause(pauseOf(error), question.signal);
      if (step === 'fallback') name = fallback ?? first;
    }
  };

export type AskModel = ReturnType<typeof modelAttempts>;
