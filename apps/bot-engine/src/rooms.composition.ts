import type { ServiceTokens } from '@platform/auth';
import type { Cache, Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger, Sends } from '@platform/runtime';
import type { Area } from './area';
import type { CommerceClient } from './clients/commerce.client';
import type { Config } from './config';
import type { AgentsRoom } from './features/agents/agents.composition';
import { composeBudget } from './features/budget/budget.composition';
import { composeCatalogue } from './features/catalogue/public';
import { composeCheckout, writeNotice } from './features/checkout/public';
import { composeKnowledge } from './features/knowledge/public';
import { createMeters } from './features/meters/public';
import { composeModel } from './features/model/model.composition';
import type { BotEvents } from './features/notice/notice.events';
import { composePayment } from './features/payment/public';
import type { StoreDirectory } from './features/stores/public';
import { composePlayground } from './features/playground/playground.composition';
import { composeWelcome } from './features/welcome/welcome.composition';
import type { Queue } from './jobs';
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
  readonly commerce: CommerceClient;
  readonly stores: StoreDirectory;
  /** `agents.agents` is what turns use. */
  readonly agents: AgentsRoom;
}

/** All rooms of the bot together. */
export const composeRooms = (config: Config, parts: RoomParts): Area[] => {
  const { commerce } = parts;
  const mailboxes = composeMailbox(config, parts);
  const limits = composeLimits(config, parts);
  const { gauges } = createMeters();
  const catalogue = composeCatalogue({ ...parts, commerce: config.COMMERCE_URL === undefined ? undefined : commerce });
  const checkout = composeCheckout({ ...parts, notices: writeNotice });
  const payment = composePayment({ ...parts, notices: writeNotice });
  const model = composeModel(config, parts);
  const asking = { ...parts, model, limits: limits.limits };
  const budget = composeBudget(config, { ...parts, prices: model.prices });
  const writing = [composePlayground(config, asking), composeWelcome(config, { ...asking, budget })];
  const { agents } = parts.agents;
  const own = { agents, products: catalogue.search, embedder: model.embedder, secret: config.SERVICE_CLIENT_SECRET };
  const knowing = composeKnowledge({ ...parts, ...own });
  const { knowledge } = knowing;
  const box = composeTools({ ...parts, knowledge, more: checkout.tools });
  const loop = loopDeps(config, { ...parts, ask: model.ask, box, knowledge, budget });
  const records = composeRecords(config, parts, { prices: model.prices, budget, loop, copied: catalogue.copied });
  const turns = [mailboxes.area, limits.area, { gauges }];
  const shops = [parts.agents.area(knowing.docsOf), catalogue.area, knowing.area, checkout.area, payment];
  return [...turns, ...shops, model.area, ...writing, records];
};
