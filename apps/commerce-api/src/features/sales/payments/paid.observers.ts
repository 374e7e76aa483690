import type { Sql } from '@platform/data';
import { traced, uuidv7 } from '@platform/runtime';
import { jobQueue, type CommerceJobs, type OrderPaid } from '../../../jobs';
import { sellsDigital } from '../../digital/rights/public';

/** The jobs that follow when an order is paid: whoever has one more adds its name here, in `CommerceJobs` and its run to an area. */
export const paidObservers = [
  'order.paid.history',
  'order.paid.message',
  'order.paid.digital',
] as const satisfies readonly (keyof CommerceJobs)[];

type Observer = (typeof paidObservers)[number];
/** SQL of which orders an observer has something to do with, of a row `order`; of all unless it is here. */
const ONLY: Partial<Readonly<Record<Observer, (order: string) => string>>> = { 'order.paid.digital': sellsDigital };

const queue = jobQueue();

/** SQL of the observers' jobs, within the statement that makes a row `order` paid; `payload` is json, null where it is not. */
export const announcedPaid = (order: string, payload: string): string =>
  paidObservers
    .map((task, at) => {
      const when = [`${payload} IS NOT NULL`, ...[ONLY[task]?.(order) ?? []].flat()].join(' AND ');
      return `CASE WHEN ${when} THEN (${queue.expression(task, { payload })}).id END AS job_${at}`;
    })
    .join(', ');

/** What the observers are told, all of them the same. */
export const paidNews = (order: Omit<OrderPaid, 'eventId'>): string =>
  JSON.stringify(traced({ ...order, eventId: uuidv7() }));

const HISTORY = `
  INSERT INTO order_event (store_id, order_id, id, at, type, text, actor)
  SELECT store_id, id, $3, $4, 'paid', 'Paid, receipt ' || receipt_no, $5 FROM sales_order WHERE store_id = $1 AND id = $2
  ON CONFLICT DO NOTHING`;

/** The merchant's timeline; the observer who writes it also does what follows from a changed order, and tells what is news there. */
export const writePaid = async (sql: Sql, { storeId, orderId, eventId, at, actor }: OrderPaid): Promise<void> => {
  await sql.later('paid history', HISTORY, [storeId, orderId, eventId, at, actor]);
};
