import type { Sql } from '@platform/data';
import type { Queue } from '../../../jobs';
import type { ChatCopies } from '../../chat/copies/public';

/** Where chat-backend's copies of orders are told. */
export type OrderCopies = Pick<ChatCopies, 'touched'>;

/**
 * To be called by every write to an order, in its transaction. What follows from it is done by the job `order.changed` as the order stands
 * then: what its contact has bought is counted, and chat-backend hears of it.
 */
export type OrderChanged = (tx: Sql, storeId: string, id: string) => Promise<void>;

/** One job an order, however many of its changes wait. */
export const orderChanged =
  (queue: Queue): OrderChanged =>
  async (tx, storeId, id) => {
    await queue.enqueue(tx, 'order.changed', { storeId, id }, { key: `order:${storeId}:${id}` });
  };
