import type { Database, Sql } from '@platform/data';
import { Failure, Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import { moveOrder } from '../../sales/orders/public';

const PORTION = 50;
const ROUND = 500;
const ACTOR = 'order.autocomplete';

/** Paid orders of which everything arrived, in the store's days before $1; $2 those that failed already. */
export const ARRIVED = `
  SELECT due.store_id, due.id, due.status FROM store s
    LEFT JOIN setting g ON g.store_id = s.store_id AND g.name = 'order'
    CROSS JOIN LATERAL (
      SELECT o.store_id, o.id, o.status FROM sales_order o
      WHERE o.store_id = s.store_id AND o.status IN ('open', 'processing') AND o.fulfillment_status = 'delivered'
        AND o.payment_status IN ('paid', 'partially_refunded')
        AND o.id <> ALL ($2::uuid[])
        AND NOT EXISTS (SELECT FROM shipment p WHERE p.store_id = o.store_id AND p.order_id = o.id AND p.status = 'delivered'
          AND p.updated_at > $1::timestamptz - make_interval(days => coalesce((g.value->>'auto_complete_days')::int, 3)))
      ORDER BY o.id LIMIT ${PORTION}) due
  LIMIT ${ROUND}`;

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Arrived {
  readonly store_id: string;
  readonly id: string;
  readonly status: string;
}

/** Nobody has worked on an open one: it was sent without that. */
const stepsFrom = (status: string) =>
  status === 'open' ? (['processing', 'completed'] as const) : (['completed'] as const);

const complete = async ({ database, clock, logger }: Parts, arrived: Arrived): Promise<boolean> => {
  const { store_id: storeId, id, status } = arrived;
  const at = clock.now();
  const audit = { tenantId: storeId, actor: { id: ACTOR, name: ACTOR, kind: 'system' as const }, at };
  try {
    await database.tx(async (tx) => {
      for (const step of stepsFrom(status)) await moveOrder(tx, { by: { storeId, actor: ACTOR, at }, audit }, id, step);
    });
    return true;
  } catch (cause) {
    // Without a database none could be
    if (cause instanceof Unavailable) throw cause;
    const isForeseen = cause instanceof Failure && ['conflict', 'notFound'].includes(cause.kind);
    // Somebody was quicker, or the order is in a state that a person has to look at
    logger[isForeseen ? 'warn' : 'error']('an order that arrived could not be completed', {
      storeId,
      order: id,
      cause,
    });
    return false;
  }
};

/** Completes what arrived long enough ago, each in a transaction of its own. One that fails is logged and left for the next hour. */
export const completeArrived = async (parts: Parts, signal?: AbortSignal): Promise<number> => {
  const failed: string[] = [];
  for (let completed = 0; ;) {
    const due = await parts.database.query<Arrived>(ARRIVED, [parts.clock.now(), failed]);
    if (due.length === 0) return completed;
    for (const arrived of due) {
      if (signal?.aborted) return completed;
      if (await complete(parts, arrived)) completed += 1;
      else failed.push(arrived.id);
    }
  }
};
