import type { ServiceTokens } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger, Sends } from '@platform/runtime';
import type { Area } from './area';
import type { Config } from './config';
import { composeCommerce } from './commerce.composition';
import type { AgentsRoom } from './features/agents/agents.composition';
import { composeBudget } from './features/budget/budget.composition';
import { composeCatalogue } from './features/catalogue/public';
import { composeCheckout, writeNotice } from './features/checkout/public';
import { createMeters } from './features/meters/public';
import { composeModel } from './features/model/model.composition';
import type { BotEvents } from './features/notice/notice.events';
import { composePlayground } from './features/playground/playground.composition';
import { localStores } from './features/stores/store.directory';
import { composeWelcome } from './features/welcome/welcome.composition';
import type { Queue } from './jobs';
import type { KnowledgeSearch } from './features/knowledge/public';
import { loopDeps } from './features/loop/public';
import { composeTools } from './features/tools/tools.composition';
import { composeRecords } from './records.composition';
import { composeLimits } from './limits.composition';
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
  const limits = composeLimits(config, parts);
  const { gauges } = createMeters();
  const catalogue = composeCatalogue({ ...parts, commerce: config.COMMERCE_URL === undefined ? undefined : commerce });
  const checkout = composeCheckout({ ...parts, commerce, notices: writeNotice });
  const model = composeModel(config, parts);
  const asking = { ...parts, model, limits: limits.limits, stores: localStores(parts.database) };
  const budget = composeBudget(config, { ...parts, prices: model.prices });
  const writing = [composePlayground(config, asking), composeWelcome(config, { ...asking, budget })];
  const { search: products, copied } = catalogue;
  const nothing = { policy: async () => [], wholePolicy: async () => undefined, gap: async () => undefined };
  const knowledge: KnowledgeSearch = { products, ...nothing };
  const box = composeTools({ ...parts, commerce, knowledge, more: checkout.tools });
  const loop = loopDeps(config, { ...parts, ask: model.ask, box, knowledge, commerce, budget });
  const records = composeRecords(config, parts, { stores: asking.stores, prices: model.prices, budget, loop, copied });
  // Their documents are the knowledge room's
  const agents = parts.agents.area(async () => []);
  const turns = [mailboxes.area, limits.area, { gauges }];
  return [{ components }, ...turns, agents, catalogue.area, checkout.area, model.area, ...writing, records];
};
