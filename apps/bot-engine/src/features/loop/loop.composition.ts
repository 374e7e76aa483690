import { Unavailable } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { NotAvailable, type CommerceClient } from '../../clients/commerce.client';
import type { Config } from '../../config';
import type { Budget } from '../budget/public';
import type { KnowledgeSearch } from '../knowledge/public';
import type { AskModel } from '../model/public';
import type { ToolBox } from '../tools/public';
import { createLoop } from './loop';
import type { LoopDeps } from './loop.deps';
import { namesOne, type NamesProduct } from './price.guard';

const MOST = 5;

/** Asks the catalogue itself. While commerce cannot tell names, whatever the index finds counts as named. */
export const catalogueNames =
  (knowledge: Pick<KnowledgeSearch, 'products'>, commerce: Pick<CommerceClient, 'productsOf'>): NamesProduct =>
  async (storeId, sentence, loosely) => {
    const hits = await knowledge.products(storeId, { text: sentence, limit: MOST });
    if (hits.length === 0) return false;
    try {
      const skus = hits.map(({ sku }) => sku);
      return (await commerce.productsOf(storeId, skus)).some((row) => namesOne(sentence, row, loosely));
    } catch (error) {
      if (error instanceof Unavailable || error instanceof NotAvailable) return true;
      throw error;
    }
  };

export interface LoopParts {
  readonly ask: AskModel;
  readonly box: ToolBox;
  readonly knowledge: KnowledgeSearch;
  readonly commerce: CommerceClient;
  readonly budget: Pick<Budget, 'spent'>;
  readonly clock: Clock;
}

const MICROS = 1e6;

/** What turns, evaluations and replays share; these two replace `box` and `namesProduct` by recorded ones. */
export const loopDeps = (config: Config, parts: LoopParts): LoopDeps => {
  const { ask, box, knowledge, commerce, budget, clock } = parts;
  return {
    ask,
    box,
    policy: ({ store, agent }) => knowledge.wholePolicy(store.id, agent.id, agent.version),
    namesProduct: catalogueNames(knowledge, commerce),
    budget,
    clock,
    settings: {
      defaultModel: config.LLM_MODEL,
      maxSteps: config.BOT_MAX_STEPS,
      turnCostCapMicros: Math.round(config.BOT_TURN_COST_CAP_USD * MICROS),
    },
  };
};

export const composeLoop = (config: Config, parts: LoopParts) => createLoop(loopDeps(config, parts));
