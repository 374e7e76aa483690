import type { Sql } from '@platform/data';
import { jobQueue } from '../../../jobs';
import type { ChatCopies } from '../../chat/copies/public';

export { announceOrder, KEPT_MS } from './order.announcements';

/** Where chat-backend's copies of orders are told. */
export type OrderCopies = Pick<ChatCopies, 'touched'>;

const queue = jobQueue();

/**
 * To be called by every write to an order, in its transaction. What follows from it is done by the job `order.changed` as the order stands
 * then: what its contact has bought is counted, and of the contact that it had before, and chat-backend hears of it; what of its timeline is
 * news to others is announced. One job an order,
 * however many of its changes wait.
 */
export const orderChanged = async (tx: Sql, storeId: string, id: string, former?: string | null): Promise<void> => {
  const [payload, key] = former
    ? [{ storeId, id, former }, `order:${storeId}:${id}:${former}`]
    : [{ storeId, id }, `order:${storeId}:${id}`];
  await queue.enqueue(tx, 'order.changed', payload, { key });
};

/** The same within a statement that writes the order: SQL of the job of a row `order`. */
export const changedOrder = (order: string): string =>
  queue.expression('order.changed', { payload: `json_build_object('storeId', ${order}.store_id, 'id', ${order}.id)` });
