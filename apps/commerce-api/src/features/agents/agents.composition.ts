import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { BotDesk } from '../../clients/bot.desk';
import { agentAbilities } from './agents.abilities';
import { agentsEndpoints, AgentsService, type AnsweredDevices } from './agents/public';
import { knowledgeEndpoints } from './knowledge/knowledge.endpoints';
import { KnowledgeService } from './knowledge/knowledge.service';
import { testingEndpoints } from './testing/testing.endpoints';
import { TestingService } from './testing/testing.service';

interface AgentsNeeds extends AreaParts {
  readonly bot: BotDesk;
  readonly devices: AnsweredDevices;
}

/** AI agents, what they know and trials of them: a face over bot-engine, which owns all of it. */
export const composeAgents = ({ database, clock, logger, queue, bot, devices }: AgentsNeeds): Area => {
  const agents = new AgentsService({ database, clock, queue, bot, devices });
  const by = byOf(clock);
  return {
    endpoints: [
      ...agentsEndpoints({ agents, by, clock }),
      ...knowledgeEndpoints(new KnowledgeService(database, bot), by),
      ...testingEndpoints(new TestingService(bot, logger)),
    ],
    components: [],
    abilities: agentAbilities,
    jobs: { 'agent.reconcile': { effect: 'outside', run: (claimed) => agents.reconcile(claimed) } },
  };
};
