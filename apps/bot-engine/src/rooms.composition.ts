import type { Area } from './area';
import { composeChat } from './chat.composition';
import { composeChatbot } from './chatbot.composition';
import type { Config } from './config';
import { composeBudget } from './features/budget/budget.composition';
import { composeCatalogue } from './features/catalogue/public';
import { composeCheckout, writeNotice } from './features/checkout/public';
import { composeHearing } from './features/hearing/public';
import { composeDemo } from './features/demo/public';
import { composeKnowledge } from './features/knowledge/public';
import { createMeters } from './features/meters/public';
import { composeModel } from './features/model/model.composition';
import { priceRepository } from './features/model/price.repository';
import { composePayment } from './features/payment/public';
import { composePlayground } from './features/playground/playground.composition';
import { composeWelcome } from './features/welcome/welcome.composition';
import { createLoop, loopDeps } from './features/loop/public';
import { composeTools } from './features/tools/tools.composition';
import { composeRecords } from './records.composition';
import { composeLimits } from './limits.composition';
import { composeMailbox } from './mailbox.composition';
import type { ShopParts } from './shop.parts';

/** All rooms of the bot together. */
export const composeRooms = (config: Config, parts: ShopParts): Area[] => {
  const { commerce } = parts;
  const mailboxes = composeMailbox(config, parts);
  const limits = composeLimits(config, parts);
  const { meters, gauges } = createMeters();
  const model = composeModel(config, parts);
  const budget = composeBudget(config, { ...parts, prices: model.prices });
  const { chat, components: chatComponents } = composeChat(config, parts.tokens);
  const catalogue = composeCatalogue({ ...parts, commerce: config.COMMERCE_URL === undefined ? undefined : commerce });
  const checkout = composeCheckout({ ...parts, notices: writeNotice });
  const payment = composePayment({ ...parts, notices: writeNotice });
  const asking = { ...parts, model, limits: limits.limits };
  const writing = [composePlayground(config, asking), composeWelcome(config, { ...asking, budget })];
  const { agents } = parts.agents;
  const own = { agents, products: catalogue.search, embedder: model.embedder, secret: config.SERVICE_CLIENT_SECRET };
  const knowing = composeKnowledge({ ...parts, ...own });
  const { knowledge } = knowing;
  const box = composeTools({ ...parts, knowledge, more: checkout.tools });
  const loop = loopDeps(config, { ...parts, ask: model.ask, box, knowledge, budget });
  const records = composeRecords(config, parts, { prices: model.prices, budget, loop, copied: catalogue.copied });
  const { area: files, hearing } = composeHearing(config, { ...parts, transcribe: model.transcribe });
  const shared = { mailbox: mailboxes.mailbox, limits: limits.limits, meters, model, budget, chat, knowledge, hearing };
  const turns = composeChatbot(config, { ...parts, ...shared, loop: createLoop(loop) });
  const below = [mailboxes.area, limits.area, { gauges, components: chatComponents }, model.area, files];
  const shops = [parts.agents.area(knowing.docsOf), catalogue.area, knowing.area, checkout.area, payment];
  const demo = composeDemo({
    ...parts,
    agents,
    prices: priceRepository(parts.database, parts.clock),
    knowledge: knowing,
  });
  return [...below, ...shops, turns, ...writing, records, demo];
};
