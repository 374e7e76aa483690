import type { Database, Sql } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { OrderPaid } from '../../../jobs';
import { lockOrder, type LockedOrder } from '../../sales/orders/public';
import { holdMissedKeys } from '../rights/public';
import { USUAL } from '../terms/public';
import { ASSIGN, WANTED } from './deliver.sql';
import { issueLinks, type IssueParts, type Wanted } from './issue';

interface DeliverParts extends IssueParts {
  readonly database: Pick<Database, 'tx'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/** Too much money is looked at by somebody; the goods are sold. */
const isSold = ({ status, payment_status, review_reason }: LockedOrder): boolean =>
  status !== 'cancelled' &&
  (['paid', 'partially_refunded'].includes(payment_status) ||
    (payment_status === 'review' && review_reason === 'overpaid'));

/**
 * The observer of a paid order: its keys are its buyer's, and each line gets a link to each file. However often it runs, nothing is handed
 * over twice; nothing is when the order is not paid any more.
 */
export const deliverPaid = (
  { database, clock, logger, ...parts }: DeliverParts,
  { storeId, orderId }: OrderPaid,
): Promise<void> =>
  database.tx(async (tx) => {
    const at = clock.now();
    if (!isSold(await lockOrder(tx, storeId, orderId))) return;
    if (!(await holdMissedKeys(tx, { storeId, at }, orderId)))
      logger.error('a paid order lacks licence keys', { store: storeId, order: orderId });
    await tx.prepared('keys assign', ASSIGN, [storeId, orderId, at]);
    const wanted = await wantedBy(tx, storeId, orderId);
    if (wanted.length > 0) await issueLinks(tx, { storeId, at }, parts, { orderId, wanted });
  });

const wantedBy = (tx: Sql, storeId: string, orderId: string): Promise<Wanted[]> =>
  tx.prepared<Wanted>('deliveries wanted', WANTED, [storeId, orderId, USUAL.max_downloads, USUAL.valid_days]);
