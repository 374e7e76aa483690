import { writeAudit, type Database, type Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { uuidv7, type Clock, type Logger } from '@platform/runtime';
import type { By } from '../../../by';
import { releaseRights } from '../../digital/rights/public';
import { release } from '../../stock/levels/public';
import { giveBack } from '../coupons/public';
import { orderChanged } from '../news/public';
import { LIVE } from '../payments/public';

/** How many of a store come before those of the next: one with many keeps nobody waiting. */
const PORTION = 10;
/** Of all stores, in one round. */
const ROUND = 1_000;
/** What is left after so long comes with the next minute's job, so that two never pile up. */
const MOST_MS = 40_000;
const ACTOR = 'order.cancel-unpaid';

/** What a provider may be paid for yet is left to its watch, which asks it first. */
const NOT_ASKED_FOR = (order: string): string => `NOT EXISTS (
  SELECT FROM payment p WHERE p.store_id = ${order}.store_id AND p.order_id = ${order}.id AND ${LIVE})`;

/** Orders whose time is over: $1 now, $2 those that failed already. A column of its own says until when an order waits. */
export const DUE = `
  SELECT due.store_id, due.id FROM store s CROSS JOIN LATERAL (
    SELECT o.store_id, o.id FROM sales_order o
    WHERE o.store_id = s.store_id AND o.pay_expires_at <= $1 AND o.id <> ALL ($2::uuid[])
      AND ${NOT_ASKED_FOR('o')}
    ORDER BY o.pay_expires_at LIMIT ${PORTION}) due
  LIMIT ${ROUND}`;

/** Whoever holds the order, to pay it or to change it, comes first: the next round sees what became of it. */
const LOCK = `SELECT 1 FROM sales_order o WHERE o.store_id = $1 AND o.id = $2 AND o.pay_expires_at <= $3 AND ${NOT_ASKED_FOR('o')}
  FOR UPDATE SKIP LOCKED`;

/** $1 store, $2 order, $3 now, $4 event's id, $5 actor. */
const EXPIRE = `
  WITH told AS (
    INSERT INTO order_event (store_id, order_id, id, at, type, text, actor)
    VALUES ($1, $2, $4, $3, 'cancelled', 'Nobody has paid in time', $5)
  )
  UPDATE sales_order SET status = 'cancelled', payment_status = 'expired', pay_expires_at = NULL, cancelled_at = $3,
    version = version + 1, updated_at = $3
  WHERE store_id = $1 AND id = $2`;

interface DueOrder {
  readonly store_id: string;
  readonly id: string;
}

const expire = async (tx: Sql, by: By, id: string): Promise<boolean> => {
  const { storeId, at, actor } = by;
  if ((await tx.query(LOCK, [storeId, id, at])).length === 0) return false;
  await release(tx, by, { type: 'order', id });
  await releaseRights(tx, by, id);
  await giveBack(tx, by, id);
  const audit = { tenantId: storeId, actor: { id: actor, name: actor, kind: 'system' as const }, at };
  const diff = { status: { from: 'open', to: 'cancelled' } };
  await writeAudit(tx, audit, { action: 'order.write', subject: { type: 'order', id }, diff });
  await tx.query(EXPIRE, [storeId, id, at, uuidv7(), actor]);
  await orderChanged(tx, storeId, id);
  return true;
};

/** Orders that nobody pays: they are cancelled when their time is over, and what they hold is free again. */
export class UnpaidOrders {
  constructor(
    private readonly parts: {
      readonly database: Pick<Database, 'tx'> & Sql;
      readonly clock: Clock;
      readonly logger: Logger;
    },
  ) {}

  /**
   * Cancels what is due, each in a transaction of its own, a few of every store in turn; resolves to their number. Any number of
   * processes may do it at once. An order that fails is logged and left for the next time.
   */
  async cancel(signal?: AbortSignal): Promise<number> {
    const { database, clock } = this.parts;
    const end = performance.now() + MOST_MS;
    const failed: string[] = [];
    for (let cancelled = 0; ;) {
      const before = failed.length;
      const due = await database.query<DueOrder>(DUE, [clock.now(), failed]);
      let done = 0;
      for (const order of due) {
        if (signal?.aborted || performance.now() > end) return cancelled + done;
        done += Number(await this.one(order, failed));
      }
      cancelled += done;
      // Nothing is due, or the rest is in the hands of others. Behind those that failed there may be more
      if (done === 0 && failed.length === before) return cancelled;
    }
  }

  private async one({ store_id: storeId, id }: DueOrder, failed: string[]): Promise<boolean> {
    const { database, clock, logger } = this.parts;
    try {
      return await database.tx((tx) => expire(tx, { storeId, actor: ACTOR, at: clock.now() }, id));
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause;
      logger.error('an unpaid order could not be cancelled', { storeId, order: id, cause });
      failed.push(id);
      return false;
    }
  }
}
