import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { BotWelcomes } from '../../clients/bot.welcomes';
import type { ChosenAgent, KnownAgent } from '../agents/agents/public';
import { repliesEndpoints, type ReplyParts } from './replies/public';
import { rulesEndpoints } from './rules/public';
import { welcomesEndpoints } from './welcomes/public';

interface Parts extends Pick<AreaParts, 'database' | 'clock'>, ReplyParts {
  readonly bot: BotWelcomes | undefined;
  readonly demandAgent: KnownAgent;
  readonly chosenAgent: ChosenAgent;
}

/** What is answered by itself, and what is typed by a shortcut. */
export const composeAutomation = ({ database, clock, copies, files, bot, ...agents }: Parts): Area => {
  const by = byOf(clock);
  return {
    endpoints: [
      ...rulesEndpoints(database, { copies, files }, by),
      ...welcomesEndpoints(database, { copies, bot, ...agents }, by),
      ...repliesEndpoints(database, { copies, files }, by),
    ],
    components: [],
    // Who sets up agents sets up answers, and who writes templates writes quick replies
    abilities: [],
  };
};
