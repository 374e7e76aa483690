import { Housekeeping, PageCursor } from '@platform/data';
import type { Area } from './area';
import type { Config } from './config';
import type { Budget } from './features/budget/public';
import type { CopiedCatalogue } from './features/catalogue/public';
import { composeEvals } from './features/evals/evals.composition';
import { catalogueNames, type LoopDeps } from './features/loop/public';
import type { Prices } from './features/model/public';
import { expiries, RunTexts } from './features/retention/public';
import { Replays } from './features/runs/replay';
import { RunRepository } from './features/runs/run.repository';
import { runsEndpoints } from './features/runs/runs.endpoints';
import { SessionRepository } from './features/sessions/session.repository';
import { sessionsEndpoints } from './features/sessions/sessions.endpoints';
import { usageEndpoints } from './features/usage/usage.endpoints';
import { UsageService } from './features/usage/usage.service';
import type { ShopParts } from './shop.parts';

/** What turns are made of; evaluations and replays are played with the same. */
export interface TurnParts {
  readonly prices: Prices;
  readonly budget: Budget;
  readonly loop: LoopDeps;
  readonly copied: CopiedCatalogue;
}

/** What owners read of their agents, and try with them (design 2.10), and how long it is kept. */
export const composeRecords = (config: Config, parts: ShopParts, turn: TurnParts): Area => {
  const { database, clock, logger, stores } = parts;
  const { prices, budget, loop, copied } = turn;
  const { agents } = parts.agents;
  const deadlineMs = config.BOT_TURN_DEADLINE_MS;
  const cursors = new PageCursor(`cursors of ${config.SERVICE_CLIENT_SECRET}`);
  const runs = new RunRepository(database, cursors);
  const quiet = { ...loop, namesProduct: catalogueNames(copied, copied) };
  const replays = new Replays({ runs, agents, stores, prices, loop: quiet, budget, deadlineMs });
  const evals = composeEvals({ ...parts, agents, cursors, runs, turn: { ...turn, stores }, deadlineMs });
  const texts = { inputDays: config.KEEP_STEPS_DAYS, answerDays: config.KEEP_MESSAGES_DAYS };
  return {
    ...evals,
    endpoints: [
      ...usageEndpoints(new UsageService(database, stores)),
      ...sessionsEndpoints(new SessionRepository(database, cursors), agents),
      ...runsEndpoints(runs, replays),
      ...(evals.endpoints ?? []),
    ],
    components: [
      new Housekeeping(database, { clock, logger, expired: expiries(config) }),
      new RunTexts(database, { clock, logger, ...texts }),
    ],
  };
};
