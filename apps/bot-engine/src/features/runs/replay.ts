import { Gone, NotFound, PaymentRequired, TooMany, type Failure } from '@platform/errors';
import { SharedPlaces, timeLimit, uuidv7 } from '@platform/runtime';
import type { Agent, Agents } from '../agents/public';
import type { Budget } from '../budget/public';
import { createLoop, type LoopDeps, type LoopInput, type LoopOutcome } from '../loop/public';
import type { Prices } from '../model/public';
import type { Store, StoreDirectory } from '../stores/public';
import { recordedTools } from './recorded.tools';
import type { Replay, ReplayView } from './run.dto';
import type { RunInput } from './run.input';
import { callsOf, type KeptRun, type RunRepository } from './run.repository';

/** Replays hold a model for seconds. */
const PLACES = { places: 32, most: 4 };

export const runRefusals = {
  runNotFound: (): Failure => new NotFound('run not found'),
  recordOver: (): Failure => new Gone('what this run was given is no longer kept', { code: 'record_over' }),
  tooManyReplays: (): Failure => new TooMany('too many replays of this store at once', { retryAfterSeconds: 5 }),
  budgetSpent: (): Failure =>
    new PaymentRequired('the store has used up what its bot may cost or answer', { code: 'ai_budget_spent' }),
} as const;

export interface ReplayParts {
  readonly runs: Pick<RunRepository, 'find' | 'replayed'>;
  readonly agents: Pick<Agents, 'get'>;
  readonly stores: Pick<StoreDirectory, 'get'>;
  readonly prices: Prices;
  /** As turns have it, but with `namesProduct` that asks nobody. */
  readonly loop: LoopDeps;
  readonly budget: Pick<Budget, 'exhausted'>;
  readonly deadlineMs: number;
}

const costsOf = ({ attempts }: LoopOutcome): Pick<ReplayView, 'cost_micros' | 'unpriced'> => ({
  cost_micros: attempts.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
  unpriced: attempts.filter(({ costMicros }) => costMicros === null).length,
});

const equal = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, n) => text === other[n]);

const lines = (texts: readonly string[]) => texts.map((content) => ({ content }));

/**
 * Plays a kept turn again, with another prompt or model when asked to, through the loop of real turns. Tools have the results that
 * they had: nothing is asked of commerce, sent, ordered or stored. What the models cost counts for the store's caps all the same, and is
 * written down for that: their counters are counted anew from what is written (ADR 187).
 */
export class Replays {
  private readonly places = new SharedPlaces(PLACES);

  constructor(private readonly parts: ReplayParts) {}

  async play(storeId: string, runId: string, wish: Replay, signal: AbortSignal): Promise<ReplayView> {
    const run = await this.parts.runs.find(storeId, runId);
    if (!run) throw runRefusals.runNotFound();
    if (!run.input) throw runRefusals.recordOver();
    const agent = await this.parts.agents.get(storeId, run.view.agent_id);
    const store = await this.parts.stores.get(storeId);
    if (await this.parts.budget.exhausted(store)) throw runRefusals.budgetSpent();
    const leave = this.places.take(storeId);
    if (!leave) throw runRefusals.tooManyReplays();
    try {
      const { prompt = agent.prompt, model = agent.model } = wish;
      return await this.again({ ...run, input: run.input }, { store, agent: { ...agent, prompt, model } }, signal);
    } finally {
      leave();
    }
  }

  private async again(
    run: KeptRun & { readonly input: RunInput },
    who: { readonly store: Store; readonly agent: Agent },
    signal: AbortSignal,
  ): Promise<ReplayView> {
    const { runs, loop, deadlineMs } = this.parts;
    const { view, steps } = run;
    const box = recordedTools(loop.box, { steps, handedOver: view.status === 'handover' });
    const at = new Date(view.created_at);
    const outcome = await createLoop({ ...loop, box, clock: { now: () => at } })({
      ...(await this.given(run, who, timeLimit(deadlineMs, signal))),
      deadline: Date.now() + deadlineMs,
    });
    await runs.replayed(who.store.id, who.agent.id, outcome.attempts);
    return {
      answer: [...outcome.bubbles],
      images: [...outcome.images],
      status: outcome.status,
      steps: callsOf(outcome.steps),
      ...costsOf(outcome),
      same: equal(outcome.bubbles, view.answer) && equal(outcome.images, view.images),
    };
  }

  private async given(
    { conversationId, input }: KeptRun & { readonly input: RunInput },
    who: { readonly store: Store; readonly agent: Agent },
    signal: AbortSignal,
  ): Promise<Omit<LoopInput, 'deadline'>> {
    const { customerName, history, burst, absorbed, facts } = input;
    return {
      context: { ...who, runId: uuidv7(), conversationId, customer: '', facts, rehearsal: true, signal },
      ...(customerName === undefined ? {} : { customerName }),
      history,
      burst: lines(burst),
      absorb: () => Promise.resolve(lines(absorbed)),
      journal: () => Promise.resolve(),
      prices: await this.parts.prices.current(),
    };
  }
}
