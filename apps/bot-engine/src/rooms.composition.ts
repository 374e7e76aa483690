import type { ServiceTokens } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger, Sends } from '@platform/runtime';
import type { Area } from './area';
import type { Config } from './config';
import { composeCommerce } from './commerce.composition';
import type { AgentsRoom } from './features/agents/agents.composition';
import { composeCatalogue } from './features/catalogue/public';
import { composeCheckout, writeNotice } from './features/checkout/public';
import type { BotEvents } from './features/notice/notice.events';
import type { Queue } from './jobs';
import { composeMailbox } from './mailbox.composition';

/** What every room is built on. */
export interface RoomParts {
  readonly database: Database;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Enqueues in the caller's transaction. */
  readonly queue: Queue;
  /** Whether outside effects may happen now. */
  readonly sends: Sends;
  /** Our own tokens for calls to the other services. */
  readonly tokens: ServiceTokens;
  readonly realtime: Emitter<BotEvents>;
  /** `agents.agents` is what turns use. */
  readonly agents: AgentsRoom;
}

/** All rooms of the bot together. */
export const composeRooms = (config: Config, parts: RoomParts): Area[] => {
  const { commerce, components } = composeCommerce(config, parts);
  const mailboxes = composeMailbox(config, parts);
  const catalogue = composeCatalogue({ ...parts, commerce: config.COMMERCE_URL === undefined ? undefined : commerce });
  const checkout = composeCheckout({ ...parts, commerce, notices: writeNotice });
  // Their documents are the knowledge room's
  const agents = parts.agents.area(async () => []);
  return [{ components }, mailboxes.area, agents, catalogue.area, checkout.area];
};
