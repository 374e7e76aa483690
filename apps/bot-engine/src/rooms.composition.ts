import type { Area } from './area';
import type { Config } from './config';
import { composeBudget } from './features/budget/budget.composition';
import { composeCatalogue } from './features/catalogue/public';
import { composeCheckout, writeNotice } from './features/checkout/public';
import { composeKnowledge } from './features/knowledge/public';
import { createMeters } from './features/meters/public';
import { composeModel } from './features/model/model.composition';
import { composePayment } from './features/payment/public';
import { composePlayground } from './features/playground/playground.composition';
import { composeWelcome } from './features/welcome/welcome.composition';
import { composeLimits } from './limits.composition';
import { composeMailbox } from './mailbox.composition';
import type { ShopParts } from './shop.parts';

/** All rooms of the bot together. */
export const composeRooms = (config: Config, parts: ShopParts): Area[] => {
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
  const { area: knowledge, docsOf } = composeKnowledge({ ...parts, ...own });
  const turns = [mailboxes.area, limits.area, { gauges }];
  const shops = [parts.agents.area(docsOf), catalogue.area, knowledge, checkout.area, payment];
  return [...turns, ...shops, model.area, ...writing];
};
