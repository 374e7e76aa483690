import type { Area } from './area';
import type { ChatClient } from './clients/chat.client';
import type { Config } from './config';
import type { Budget } from './features/budget/public';
import { chatbotEndpoints } from './features/chatbot/chatbot.endpoints';
import { ChatbotService, botOfLine } from './features/chatbot/chatbot.service';
import type { LeadDeps } from './features/chatbot/lead.types';
import { Sweeper } from './features/chatbot/sweeper';
import { createTurn, type TurnDeps } from './features/chatbot/turn';
import { TurnLife } from './features/chatbot/turn.life';
import { conversationRepository } from './features/conversations/public';
import type { Hearing } from './features/hearing/public';
import type { KnowledgeSearch } from './features/knowledge/public';
import type { TurnLimits } from './features/limits/public';
import type { RunLoop } from './features/loop/public';
import type { Mailbox } from './features/mailbox/public';
import type { Meters } from './features/meters/public';
import type { ModelRoom } from './features/model/model.composition';
import { composePush, writePushes } from './features/push/public';
import type { ShopParts } from './shop.parts';

export interface ChatbotParts extends ShopParts {
  readonly mailbox: Mailbox;
  readonly limits: TurnLimits;
  readonly meters: Meters;
  readonly model: ModelRoom;
  readonly knowledge: KnowledgeSearch;
  readonly hearing: Hearing;
  readonly loop: RunLoop;
  readonly budget: Budget;
  readonly chat: ChatClient;
}

const turnOf = (parts: ChatbotParts): TurnDeps => {
  const { clock, logger, meters, model, budget, database, knowledge, hearing, loop } = parts;
  return {
    loop,
    hearing,
    conversations: conversationRepository(database),
    prices: model.prices,
    budget,
    knowledge,
    tell: { clock, logger, meters },
  };
};

/** The answering of customers. */
export const composeChatbot = (config: Config, parts: ChatbotParts): Area => {
  const { database, clock, logger, mailbox, limits, meters, budget, chat, sends } = parts;
  const { stores } = parts;
  const { agents } = parts.agents;
  const turn = turnOf(parts);
  const life = new TurnLife(config.BOT_STOP_GRACE_MS);
  const lead: LeadDeps = {
    mailbox,
    conversations: turn.conversations,
    runTurn: createTurn(turn),
    asked: { limits, budget },
    botOf: botOfLine(stores, agents),
    push: (conversationId, rows) => database.tx((tx) => writePushes(tx, conversationId, rows)),
    around: {
      ...{ life, meters, logger },
      settings: {
        windowMs: config.BOT_WINDOW_MS,
        maxWaitMs: config.BOT_MAX_WAIT_MS,
        maxRounds: config.BOT_MAX_ROUNDS,
        turnDeadlineMs: config.BOT_TURN_DEADLINE_MS,
      },
    },
  };
  return {
    endpoints: chatbotEndpoints(new ChatbotService({ stores, agents, lead }), clock),
    components: [composePush({ database, logger, sends, chat }), life, new Sweeper(lead)],
  };
};
