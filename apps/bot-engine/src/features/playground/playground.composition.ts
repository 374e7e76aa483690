import type { Area } from '../../area';
import type { Config } from '../../config';
import type { ShopParts } from '../../shop.parts';
import type { TurnLimits } from '../limits/public';
import type { ModelRoom } from '../model/public';
import type { StoreDirectory } from '../stores/public';
import { playgroundEndpoints } from './playground.endpoints';
import { createPlayground } from './playground.service';

export interface PlaygroundParts extends Pick<ShopParts, 'logger' | 'agents'> {
  readonly limits: Pick<TurnLimits, 'testing'>;
  readonly model: ModelRoom;
  readonly stores: StoreDirectory;
}

/** The trying of prompts. */
export const composePlayground = (
  { TESTING_MODEL }: Pick<Config, 'TESTING_MODEL'>,
  { logger, agents, limits, model, stores }: PlaygroundParts,
): Area => {
  const { ask, stopping } = model;
  const parts = { stores, agents: agents.agents, ask, limits, stopping, logger };
  return { endpoints: playgroundEndpoints(createPlayground({ ...parts, model: TESTING_MODEL })) };
};
