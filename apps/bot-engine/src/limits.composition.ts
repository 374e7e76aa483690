import type { Area } from './area';
import type { Config } from './config';
import { Limits, type TurnLimits } from './features/limits/public';
import type { RoomParts } from './room.parts';

/** How many turns stores and customers may have. */
export const composeLimits = (
  { BOT_LEASE_MS, BOT_PLACES }: Pick<Config, 'BOT_LEASE_MS' | 'BOT_PLACES'>,
  { cache, clock, logger }: Pick<RoomParts, 'cache' | 'clock' | 'logger'>,
): { area: Area; limits: TurnLimits } => {
  const limits = new Limits({ cache, clock, logger, places: BOT_PLACES, heldMs: BOT_LEASE_MS });
  const running = { name: 'bot_turns_running', help: 'Turns that this process is in', read: () => limits.running() };
  return { limits, area: { components: [limits], gauges: [running] } };
};
