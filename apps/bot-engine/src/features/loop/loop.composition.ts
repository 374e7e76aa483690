import { timeLimit, type Clock } from '@platform/runtime';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Config } from '../../config';
import type { Budget } from '../budget/public';
import type { KnowledgeSearch } from '../knowledge/public';
import type { AskModel } from '../model/public';
import type { ToolBox } from '../tools/public';
import { createLoop } from './loop';
import type { LoopDeps } from './loop.deps';
import { namesOne, type NamesProduct } from './price.guard';

const MOST = 5;
const LONGEST_MS = 2_000;

/** Commerce, or who knows its products' names without asking. */
export interface NamesOfProducts {
  productsOf(
    storeId: string,
    skus: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly { readonly sku: string; readonly name: string }[]>;
}

/** Asks the catalogue itself. While it or commerce cannot tell, what the index finds counts as named. */
export const catalogueNames =
  (knowledge: Pick<KnowledgeSearch, 'products'>, commerce: NamesOfProducts): NamesProduct =>
  async (storeId, sentence, loosely) => {
    try {
      const skus = (await knowledge.products(storeId, { text: sentence, limit: MOST })).map(({ sku }) => sku);
      if (skus.length === 0) return false;
      const rows = await commerce.productsOf(storeId, skus, timeLimit(LONGEST_MS));
      return rows.some((row) => namesOne(sentence, row, loosely));
    } catch {
      return true;
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
