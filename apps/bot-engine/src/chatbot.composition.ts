import type { Cache, Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';
import type { Agents } from './features/agents/public';
import { ChatbotService } from './features/chatbot/chatbot.service';
import { conversationRepository } from './features/chatbot/conversation.repository';
import { createTurn } from './features/chatbot/turn';
import { turnLimits } from './features/chatbot/turn.limits';
import { modelAttempts } from './features/model/model.attempts';
import { configuredModels } from './features/model/model.config';
import { priceRepository } from './features/model/price.repository';
import { seedDemo } from './features/stores/seed';
import type { StoreDirectory } from './features/stores/public';
import { localStores } from './features/stores/store.directory';

export interface ChatbotParts {
  readonly database: Database;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly agents: Agents;
  readonly stores: StoreDirectory;
}

/** The answering of customers, and the command that seeds its tables for the demo. */
export const composeChatbot = (config: Config, { database, cache, clock, logger, agents, stores }: ChatbotParts) => {
  const conversations = conversationRepository(database);
  const prices = priceRepository(database, clock);
  const ask = modelAttempts({ models: configuredModels(config), stepTimeoutMs: config.BOT_STEP_TIMEOUT_MS });
  const runTurn = createTurn({ ask, prices, conversations, defaultModel: config.LLM_MODEL, clock, logger });
  const limits = turnLimits(cache);
  const times = { turnDeadlineMs: config.BOT_TURN_DEADLINE_MS, stopGraceMs: config.BOT_STOP_GRACE_MS };
  return {
    chatbot: new ChatbotService({ stores, agents, conversations, runTurn, limits, ...times }),
    seed: seedDemo({ database, stores: localStores(database), agents, prices }),
  };
};
