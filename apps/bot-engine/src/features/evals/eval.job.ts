import { NotFound, PaymentRequired } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import type { RowOfStore } from '../../jobs';
import type { Agents } from '../agents/public';
import type { Budget } from '../budget/public';
import type { LoopOutcome } from '../loop/public';
import type { Prices } from '../model/public';
import { runRefusals } from '../runs/public';
import type { StoreDirectory } from '../stores/public';
import type { CasePlayer } from './case.player';
import type { CaseRepository } from './case.repository';
import type { EvalRepository, EvalRun } from './eval.repository';

export interface EvalJobParts {
  readonly runs: EvalRepository;
  readonly cases: Pick<CaseRepository, 'ofAgent'>;
  readonly agents: Pick<Agents, 'get'>;
  readonly stores: Pick<StoreDirectory, 'get'>;
  readonly prices: Prices;
  readonly player: CasePlayer;
  readonly budget: Pick<Budget, 'exhausted'>;
}

/** Why a run can never go on; anything else is tried again. */
const endOf = (failure: unknown): string | undefined => {
  if (failure instanceof PaymentRequired) return failure.code ?? 'ai_budget_spent';
  return failure instanceof NotFound ? 'agent_not_found' : undefined;
};

type JobSigns = Pick<JobContext, 'signal' | 'attempt' | 'maxAttempts'>;

/** Plays the cases of a run that were not played yet: a killed process loses the case that it was at, no other. */
export const evalJob =
  (parts: EvalJobParts) =>
  async ({ storeId, id }: RowOfStore, { signal, attempt, maxAttempts }: JobSigns): Promise<void> => {
    const { runs } = parts;
    const run = await runs.find(storeId, id);
    if (!run || run.view.status === 'done' || run.view.status === 'failed') return;
    await runs.begin(storeId, id);
    try {
      await playAll(parts, storeId, run, signal);
      await runs.end(storeId, id);
    } catch (failure) {
      const error = endOf(failure) ?? (attempt < maxAttempts ? undefined : 'interrupted');
      if (error === undefined) throw failure;
      await runs.end(storeId, id, error);
    }
  };

const playAll = async (
  { runs, cases, agents, stores, prices, player, budget }: EvalJobParts,
  storeId: string,
  { view, wish }: EvalRun,
  signal: AbortSignal,
): Promise<void> => {
  const store = await stores.get(storeId);
  const agent = await agents.get(storeId, view.agent_id);
  const { prompt = agent.prompt, model = agent.model, repeat = 1 } = wish;
  const played = new Set(view.cases.map(({ id }) => id));
  const left = (await cases.ofAgent(storeId, view.agent_id)).filter(({ id }) => !played.has(id));
  const begin = async () => {
    if (await budget.exhausted(store)) throw runRefusals.budgetSpent();
    await runs.touch(storeId, view.id);
  };
  for (const one of left.slice(0, view.total - played.size)) {
    signal.throwIfAborted();
    const turns: LoopOutcome[] = [];
    const ended = (turn: LoopOutcome): void => void turns.push(turn);
    const scene = { store, agent: { ...agent, prompt, model }, prices: await prices.current(), signal, begin, ended };
    const result = await player.play(one, scene, repeat).catch(async (failure: unknown) => {
      // It is played anew, if at all: what it has cost so far it has cost
      await runs.spent(storeId, view, turns);
      throw failure;
    });
    await runs.keep(storeId, view, { result, turns });
  }
};
