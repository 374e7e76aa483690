import type { Database, PageCursor } from '@platform/data';
import type { Area } from '../../area';
import type { Queue } from '../../jobs';
import type { Agents } from '../agents/public';
import type { Budget } from '../budget/public';
import { createLoop, type LoopDeps } from '../loop/public';
import type { Prices } from '../model/public';
import type { KeptRuns } from '../runs/public';
import type { StoreDirectory } from '../stores/public';
import { CasePlayer } from './case.player';
import { CaseRepository } from './case.repository';
import { evalJob } from './eval.job';
import { EvalRepository } from './eval.repository';
import { evalsEndpoints } from './evals.endpoints';
import { EvalsService } from './evals.service';

export interface EvalsRoomParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly agents: Agents;
  readonly cursors: PageCursor;
  readonly runs: KeptRuns;
  readonly turn: {
    readonly stores: StoreDirectory;
    readonly prices: Prices;
    readonly budget: Budget;
    readonly loop: LoopDeps;
  };
  readonly deadlineMs: number;
}

/** Places for evaluations; of one store there is one at a time. */
const PLACES = 4;

/** Cases and their runs, each of which is a job. */
export const composeEvals = ({ database, queue, cursors, ...parts }: EvalsRoomParts): Area => {
  const { agents, turn, deadlineMs } = parts;
  const cases = new CaseRepository(database, cursors);
  const runs = new EvalRepository(database, queue);
  const player = new CasePlayer(createLoop(turn.loop), deadlineMs);
  const { defaultModel } = turn.loop.settings;
  const played = (storeId: string, id: string) => parts.runs.find(storeId, id);
  const evals = new EvalsService({ cases, runs, agents, turn: played, defaultModel });
  const run = evalJob({ ...turn, runs, cases, agents, player });
  return {
    endpoints: evalsEndpoints(evals, cases),
    // Paid for at the provider's
    jobs: { 'eval.run': { effect: 'outside', run } },
    runners: [{ name: 'evals', tasks: ['eval.run'], concurrency: PLACES, share: { by: 'storeId', most: 1 } }],
  };
};
