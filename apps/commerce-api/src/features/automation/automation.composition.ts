import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { BotWelcomes } from '../../clients/bot.welcomes';
import type { ChosenAgent, KnownAgent } from '../agents/agents/public';
import type { Named } from '../agents/agents/public';
import type { Asking } from '../../clients/bot.desk';
import { automationPages } from './pages/public';
import { repliesEndpoints, type ReplyParts } from './replies/public';
import { rulesEndpoints } from './rules/public';
import { welcomesEndpoints } from './welcomes/public';

interface Parts extends Pick<AreaParts, 'database' | 'clock'>, ReplyParts {
  readonly bot: BotWelcomes | undefined;
  readonly demandAgent: KnownAgent;
  readonly chosenAgent: ChosenAgent;
  /** To choose one of; throws while bot-engine is away. */
  readonly agents: (who: Asking) => Promise<readonly Named[]>;
}

/** What is answered by itself, and what is typed by a shortcut. */
export const composeAutomation = ({ database, clock, copies, files, bot, agents: names, ...agents }: Parts): Area => {
  const by = byOf(clock);
  const welcomes = { copies, bot, ...agents };
  return {
    endpoints: [
      ...rulesEndpoints(database, { copies, files }, by),
      ...welcomesEndpoints(database, welcomes, by),
      ...repliesEndpoints(database, { copies, files }, by),
    ],
    pages: automationPages({ database, by, rules: { copies, files }, welcomes, agents: names }),
    components: [],
    // Who sets up agents sets up answers, and who writes templates writes quick replies
    abilities: [],
  };
};
