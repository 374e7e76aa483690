import type { Database } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import type { Writer } from '../../../by';
import type { BotWelcomes } from '../../../clients/bot.welcomes';
import type { ChosenAgent, KnownAgent } from '../../agents/agents/public';
import type { ChatCopies } from '../../chat/copies/public';
import type { MadeWelcome, Welcome, WelcomeChange, WelcomeWish } from './welcomes.dto';
import { changeWelcome } from './welcomes.sql';

export interface WelcomeParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  /** Undefined: there is no bot engine. */
  readonly bot: BotWelcomes | undefined;
  readonly demandAgent: KnownAgent;
  readonly chosenAgent: ChosenAgent;
}

/** bot-engine is asked for its agent before there is a transaction. Throws `version_conflict` when it is not any more what was `seen` of it. */
export const saveWelcome = async (
  database: Database,
  { copies, demandAgent, chosenAgent }: WelcomeParts,
  by: Writer,
  change: WelcomeChange,
  seen?: string,
): Promise<Welcome> => {
  const { agent_id: agent } = change;
  if (agent) await demandAgent(by, agent, 'agent_id');
  return database.tx(async (tx) => {
    const welcome = await changeWelcome(tx, copies, by, change, seen);
    if (agent) await chosenAgent(tx, by.storeId, agent);
    return welcome;
  });
};

/** A text by a model, which nobody has saved yet. */
export const writeWelcome = async (
  { bot }: Pick<WelcomeParts, 'bot'>,
  storeId: string,
  wish: WelcomeWish,
): Promise<MadeWelcome> => {
  if (!bot) throw new UpstreamFailed('there is no bot engine', { outcome: 'undone' });
  return bot.write(storeId, wish);
};
