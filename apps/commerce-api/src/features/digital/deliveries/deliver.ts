import type { Database, Sql } from '@platform/data';
import { traced, type Clock } from '@platform/runtime';
import { jobQueue, type OrderPaid } from '../../../jobs';
import { notify } from '../../../notify';
import { isSold, lockOrder } from '../../sales/orders/public';
import { leavingFrom } from '../../sales/payments/public';
import { holdMissedKeys } from '../rights/public';
import { USUAL } from '../terms/public';
import { ASSIGN, HELD, WANTED } from './deliver.sql';
import { issueLinks, type IssueParts, type Wanted } from './issue';

interface DeliverParts extends IssueParts {
  readonly database: Pick<Database, 'tx'>;
  readonly clock: Clock;
}

/** Of what a locked order keeps, when some of it is on its way back, whether all is: $1 store, $2 order. */
const LEAVES = `SELECT o.paid_total - o.refunded_total <= l.amount AS "isAll" FROM sales_order o
    CROSS JOIN LATERAL (SELECT ${leavingFrom('o.store_id', 'o.id')} AS amount) l
  WHERE o.store_id = $1 AND o.id = $2 AND o.paid_total > o.refunded_total AND l.amount > 0`;

/** The same again, when the shop may have added keys, or the money stays after all: $1 what it is told, $2 key. */
const LATER = `SELECT (${jobQueue().expression('order.keys.digital', {
  ...{ payload: '$1::json', key: '$2', runAt: `now() + interval '10 minutes'` },
})}).id`;

const lookAgain = async (tx: Sql, paid: OrderPaid): Promise<void> => {
  await tx.query(LATER, [JSON.stringify(traced(paid)), `keys:${paid.orderId}`]);
};

/** The shop is told once, and what is lacking is handed over when it has added some. */
const waitForKeys = async (tx: Sql, paid: OrderPaid, number: string): Promise<void> => {
  const { storeId, orderId } = paid;
  const notice = { storeId, id: `keys:${orderId}`, params: { number }, url: `/orders/${orderId}` };
  await notify(tx, { ...notice, event: 'keys.lacking' });
  await lookAgain(tx, paid);
};

/**
 * The observer of a paid order: its keys are its buyer's, and each line gets a link to each file. However often it runs, nothing is handed
 * over twice; nothing is when the order is not paid any more, and not before its money stays while all of it is on its way back, nor a key of a piece whose money is. Keys that there are
 * too few of follow, with another link.
 */
export const deliverPaid = ({ database, clock, ...parts }: DeliverParts, paid: OrderPaid): Promise<void> =>
  database.tx(async (tx) => {
    const { storeId, orderId } = paid;
    const at = clock.now();
    const order = await lockOrder(tx, storeId, orderId);
    if (!isSold(order)) return;
    const [leaves] = await tx.query<{ isAll: boolean }>(LEAVES, [storeId, orderId]);
    if (leaves?.isAll) return lookAgain(tx, paid);
    if (!(await holdMissedKeys(tx, { storeId, at }, orderId))) await waitForKeys(tx, paid, order.number);
    const given = await tx.prepared<{ id: string }>('keys assign', ASSIGN, [storeId, orderId, at]);
    if (leaves && (await tx.query(HELD, [storeId, orderId])).length > 0) await lookAgain(tx, paid);
    const wanted = await wantedBy(tx, storeId, orderId, [...new Set(given.map(({ id }) => id))]);
    if (wanted.length > 0) await issueLinks(tx, { storeId, at }, parts, { orderId, wanted });
  });

/** `given`: lines that have new keys. */
const wantedBy = (tx: Sql, storeId: string, orderId: string, given: readonly string[]): Promise<Wanted[]> => {
  const values = [storeId, orderId, USUAL.max_downloads, USUAL.valid_days, given];
  return tx.prepared<Wanted>('deliveries wanted', WANTED, values);
};
