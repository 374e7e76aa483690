import { ModelError, type ModelErrorFacts, type Usage } from './chat.model';
import type { Attempt, PricedAttempt } from './model.attempts';
import { modelErrorOf } from './openai-chat.errors';
import { pricedAttempt } from './priced.attempts';
import type { Prices } from './price.repository';

/** What a call that is no chat gave. */
export interface SideReply<Value> {
  readonly value: Value;
  readonly usage: Usage;
  readonly facts: ModelErrorFacts;
}

/** The value, or nothing when the call failed; and the call, for the request log. */
export interface SideOutcome<Value> {
  readonly value?: Value;
  readonly attempt: PricedAttempt;
}

const NO_TEXT = { text: null, toolCalls: [], finish: 'stop' } as const;

/** The call without its words, which have no place in a record of numbers. */
const attemptOf = <Value>(done: SideReply<Value> | ModelError, model: string, ms: number): Attempt => {
  const { httpStatus, requestId } = done.facts;
  const around = { provider: 'openai', model, ms, httpStatus, requestId } as const;
  if (done instanceof ModelError) return { ...around, status: done.kind, reply: null };
  return { ...around, status: 'ok', reply: { ...NO_TEXT, usage: done.usage } };
};

/** One call of a model that is no chat: no retry, never rejects. */
export const sideCall =
  (model: string, prices: Prices) =>
  async <Value>(call: () => Promise<SideReply<Value>>, signal: AbortSignal): Promise<SideOutcome<Value>> => {
    const begun = performance.now();
    const done = await call().catch((thrown: unknown) => modelErrorOf(thrown, signal));
    const attempt = attemptOf(done, model, Math.round(performance.now() - begun));
    // Without its price list the call counts as one of a model that has none
    const known = await prices.current().catch(() => new Map());
    return {
      value: done instanceof ModelError ? undefined : done.value,
      attempt: pricedAttempt(attempt, known),
    };
  };
