import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { BotDesk } from '../../clients/bot.desk';
import { agentAbilities } from './agents.abilities';
import { agentsEndpoints, AgentsService, type AnsweredDevices } from './agents/public';
import { knowledgeEndpoints, KnowledgeService } from './knowledge/public';
import { agentsPages } from './pages/public';
import { testingEndpoints, TestingService } from './testing/public';

interface AgentsNeeds extends AreaParts {
  readonly bot: BotDesk;
  readonly devices: AnsweredDevices;
}

/** AI agents, what they know and trials of them: a face over bot-engine, which owns all of it. */
export const composeAgents = ({ database, clock, logger, queue, bot, devices }: AgentsNeeds): Area => {
  const agents = new AgentsService({ database, clock, queue, bot, devices });
  const [knowledge, testing] = [new KnowledgeService(database, bot), new TestingService(bot, logger)];
  const by = byOf(clock);
  return {
    endpoints: [
      ...agentsEndpoints({ agents, by, clock }),
      ...knowledgeEndpoints(knowledge, by),
      ...testingEndpoints(testing),
    ],
    pages: [agentsPages({ database, agents, knowledge, testing, by, clock })],
    components: [],
    abilities: agentAbilities,
    jobs: { 'agent.reconcile': { effect: 'outside', run: (claimed) => agents.reconcile(claimed) } },
  };
};
