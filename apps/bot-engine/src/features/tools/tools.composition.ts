import type { Logger } from '@platform/runtime';
import type { CommerceClient } from '../../clients/commerce.client';
import type { KnowledgeSearch } from '../knowledge/public';
import { checkStock } from './check-stock.tool';
import { createDispatcher } from './dispatcher';
import { handover } from './handover.tool';
import { searchProducts } from './search-products.tool';
import { shippingCost } from './shipping-cost.tool';
import { storePolicy } from './store-policy.tool';
import type { Tool } from './tool.types';
import { trackWaybill } from './track-waybill.tool';
import type { ToolBox } from './turn.tools';

export interface ToolParts {
  readonly commerce: CommerceClient;
  readonly knowledge: KnowledgeSearch;
  /** Tools of other rooms: orders and payments. */
  readonly more: readonly Tool[];
  readonly logger: Logger;
}

/** All tools of the bot. An agent has those that its `tools` name. */
export const composeTools = ({ commerce, knowledge, more, logger }: ToolParts): ToolBox => {
  const own = [
    searchProducts(knowledge, commerce),
    checkStock(commerce),
    shippingCost(commerce),
    trackWaybill(commerce),
    storePolicy(knowledge),
    handover(),
  ];
  return createDispatcher([...(own as unknown as Tool[]), ...more], logger);
};
