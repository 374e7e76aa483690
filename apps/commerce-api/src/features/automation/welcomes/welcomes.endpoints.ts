import type { Database } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import { area, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import type { BotWelcomes } from '../../../clients/bot.welcomes';
import { OWNER_AWAY } from '../../../clients/face';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { ChosenAgent, KnownAgent } from '../../agents/agents/public';
import type { ChatCopies } from '../../chat/copies/public';
import { MadeWelcome, Welcome, WelcomeChange, WelcomeWish } from './welcomes.dto';
import { changeWelcome, welcomeOf } from './welcomes.sql';

export interface WelcomeParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  /** Undefined: there is no bot engine. */
  readonly bot: BotWelcomes | undefined;
  readonly demandAgent: KnownAgent;
  readonly chosenAgent: ChosenAgent;
}

export const welcomesEndpoints = (
  database: Database,
  { copies, bot, demandAgent, chosenAgent }: WelcomeParts,
  by: ReturnType<typeof byOf>,
): Endpoint[] =>
  area({ prefix: '/api/botwelcome', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Welcome message settings',
      guard: 'member',
      reply: dataOf(Welcome),
      refuses: [],
      handle: ({ caller }) => welcomeOf(database, caller.storeId),
    }),
    endpoint({
      put: '',
      summary: 'Update or switch welcome message',
      guard: 'agent.write',
      body: WelcomeChange,
      reply: dataOf(Welcome, 'Welcome message updated'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: async (input) => {
        const { agent_id: agent } = input.body;
        if (agent) await demandAgent(by(input), agent, 'agent_id');
        return database.tx(async (tx) => {
          const welcome = await changeWelcome(tx, copies, by(input), input.body);
          if (agent) await chosenAgent(tx, input.caller.storeId, agent);
          return welcome;
        });
      },
    }),
    endpoint({
      post: '/generate',
      summary: 'Generate welcome text by AI',
      description: 'It is not saved.',
      guard: 'agent.write',
      body: WelcomeWish,
      reply: dataOf(MadeWelcome),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: ({ caller, body }) => {
        if (!bot) throw new UpstreamFailed('there is no bot engine', { outcome: 'undone' });
        return bot.write(caller.storeId, body);
      },
    }),
  ]);
