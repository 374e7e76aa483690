import { bigintNumber, type Database, type Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { By } from '../../../by';
import { post } from '../../ledger/postings/public';

/** How many of a store come before those of the next: one that sells much keeps nobody waiting. */
const PORTION = 10;
/** Of all stores, in one round. */
const ROUND = 1_000;
const ACTOR = 'settlement.release';

/** What is due and still waits: $1 now, $2 payments that failed already. */
export const DUE = `
  SELECT due.store_id, due.payment_id FROM store s CROSS JOIN LATERAL (
    SELECT w.store_id, w.payment_id FROM wallet_settlement w
    WHERE w.store_id = s.store_id AND w.released_at IS NULL AND w.due_at <= $1 AND w.payment_id <> ALL ($2::uuid[])
    ORDER BY w.due_at LIMIT ${PORTION}) due
  LIMIT ${ROUND}`;

/** Whoever gives money of it back comes first: the next round sees what is left. */
const RELEASE = `
  WITH held AS (
    SELECT payment_id FROM wallet_settlement
    WHERE store_id = $1 AND payment_id = $2 AND released_at IS NULL AND due_at <= $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE wallet_settlement w SET released_at = $3 FROM held WHERE w.store_id = $1 AND w.payment_id = held.payment_id
  RETURNING w.amount, w.currency`;

interface DueSettlement {
  readonly store_id: string;
  readonly payment_id: string;
}

const release = async (tx: Sql, by: By, paymentId: string): Promise<boolean> => {
  const [held] = await tx.query<{ amount: string; currency: string }>(RELEASE, [by.storeId, paymentId, by.at]);
  if (!held) return false;
  const amount = bigintNumber.from(held.amount);
  // All of it may have been given back meanwhile
  if (amount === 0) return true;
  return post(tx, by, {
    ...{ key: `settlement:${paymentId}`, kind: 'settlement', ref: paymentId, currency: held.currency },
    entries: [
      { account: 'wallet_pending', side: 'D', amount },
      { account: 'wallet_available', side: 'C', amount },
    ],
  });
};

/** Money of payments that a store can dispose of now. */
export class Settlements {
  constructor(
    private readonly parts: {
      readonly database: Pick<Database, 'tx'> & Sql;
      readonly clock: Clock;
      readonly logger: Logger;
    },
  ) {}

  /**
   * Releases what is due, each payment in a transaction of its own, a few of every store in turn; resolves to their number. Any number of
   * processes may do it at once. One that fails is logged and left for the next hour.
   */
  async release(signal?: AbortSignal): Promise<number> {
    const { database, clock } = this.parts;
    const failed: string[] = [];
    for (let released = 0; ;) {
      const before = failed.length;
      const due = await database.query<DueSettlement>(DUE, [clock.now(), failed]);
      let done = 0;
      for (const each of due) {
        if (signal?.aborted) return released + done;
        done += Number(await this.one(each, failed));
      }
      released += done;
      // Nothing is due, or the rest is in the hands of others. Behind those that failed there may be more
      if (done === 0 && failed.length === before) return released;
    }
  }

  private async one({ store_id: storeId, payment_id: id }: DueSettlement, failed: string[]): Promise<boolean> {
    const { database, clock, logger } = this.parts;
    try {
      return await database.tx((tx) => release(tx, { storeId, actor: ACTOR, at: clock.now() }, id));
    } catch (cause) {
      if (cause instanceof Unavailable) throw cause;
      logger.error('money of a payment could not be released', { storeId, payment: id, cause });
      failed.push(id);
      return false;
    }
  }
}
