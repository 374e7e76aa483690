import type { Database, Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import { SUM_UP, TURN } from './product-days.sql';

/** How many days of a store come before those of the next: one of which years are to be summed up keeps nobody waiting. */
const PORTION = 10;
/** Of all stores, in one round. */
const ROUND = 500;
/** What is left after so long is the next job's; until then it is read from the orders. */
const MOST_MS = 30_000;

/** Days that are over and have changed since they were summed up, the last first: $1 now, $2 stores that failed already. */
export const CHANGED = `
  SELECT due.store_id, due.day::text AS day FROM store s CROSS JOIN LATERAL (
    SELECT DISTINCT c.store_id, c.day FROM product_daily_change c
    WHERE c.store_id = s.store_id AND c.day < ($1::timestamptz AT TIME ZONE 'UTC')::date ORDER BY c.day DESC LIMIT ${PORTION}) due
  WHERE s.store_id <> ALL ($2::text[]) LIMIT ${ROUND}`;

interface Changed {
  readonly store_id: string;
  readonly day: string;
}

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sums up what the products of all stores brought, day by day, a few days of every store in turn. Any number of processes may do it at once, and
 * whatever is not summed up yet is read from the orders: so nothing is ever wrong, only slower. The day that goes on is left out.
 */
export class ProductDays {
  constructor(private readonly parts: Parts) {}

  /** The job. A store that fails is logged and left for the next time. */
  async sumUp(signal?: AbortSignal): Promise<void> {
    const { database, clock } = this.parts;
    const end = performance.now() + MOST_MS;
    const failed: string[] = [];
    for (;;) {
      const changed = await database.query<Changed>(CHANGED, [clock.now(), failed]);
      if (changed.length === 0) return;
      for (const each of changed) {
        if (signal?.aborted || performance.now() > end) return;
        if (!failed.includes(each.store_id)) await this.one(each, failed);
      }
    }
  }

  private async one({ store_id: storeId, day }: Changed, failed: string[]): Promise<void> {
    const { database, logger } = this.parts;
    try {
      await database.tx(async (tx) => {
        await tx.query(TURN, [storeId]);
        await tx.query(SUM_UP, [storeId, day]);
      });
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause;
      logger.error('what products brought could not be summed up', { storeId, day, cause });
      failed.push(storeId);
    }
  }
}
