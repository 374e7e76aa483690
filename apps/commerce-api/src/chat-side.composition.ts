import type { Area } from './area';
import type { Beside } from './beside.types';
import { agentNames, chosenAgent, knownAgent } from './features/agents/agents/public';
import { composeAutomation } from './features/automation/automation.composition';
import { forgetDevice } from './features/automation/rules/public';
import { composeDevices } from './features/devices/devices.composition';
import { firstTeam, knownTeams, teamNames } from './features/team/chat-teams/public';
import type { Everything } from './money.composition';

/** The numbers of a shop, and what answers on them by itself. */
export const composeChatSide = (parts: Everything, { media, copies, pushes }: Beside): readonly Area[] => {
  const { gateway, states, welcomes: bot, botDesk } = parts.siblings;
  const demandAgent = knownAgent(botDesk);
  const agents = agentNames(botDesk);
  const files = media.library;
  const chosen = chosenAgent(parts.queue);
  return [
    composeDevices({
      ...{ ...parts, copies, gateway, states, forget: forgetDevice({ copies }) },
      agents,
      teams: (storeId) => teamNames(parts.database, storeId),
      demand: {
        agent: demandAgent,
        chosen,
        firstTeam: firstTeam({ copies, pushes }),
        team: (tx, storeId, id) => knownTeams(tx, storeId, [id], () => 'chat_team_id'),
      },
    }),
    composeAutomation({ ...parts, copies, files, bot, demandAgent, chosenAgent: chosen, agents }),
  ];
};
