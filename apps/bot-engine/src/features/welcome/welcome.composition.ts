import type { Area } from '../../area';
import type { Config } from '../../config';
import type { ShopParts } from '../../shop.parts';
import type { Budget } from '../budget/public';
import type { ModelRoom } from '../model/public';
import type { StoreDirectory } from '../stores/public';
import { welcomeEndpoints } from './welcome.endpoints';
import { welcomeLimit } from './welcome.limit';
import { createWelcome } from './welcome.service';

export interface WelcomeParts extends Pick<ShopParts, 'database' | 'cache' | 'logger' | 'agents'> {
  readonly model: ModelRoom;
  readonly budget: Budget;
  readonly stores: StoreDirectory;
}

/** The greetings. */
export const composeWelcome = (
  { LLM_SMALL_MODEL }: Pick<Config, 'LLM_SMALL_MODEL'>,
  { database, cache, logger, agents, model, budget, stores }: WelcomeParts,
): Area => {
  const { ask, prices, stopping } = model;
  const models = { ask, prices, stopping, model: LLM_SMALL_MODEL };
  const parts = { stores, agents: agents.agents, budget, database, logger, limit: welcomeLimit(cache) };
  return { endpoints: welcomeEndpoints(createWelcome({ ...parts, models })) };
};
