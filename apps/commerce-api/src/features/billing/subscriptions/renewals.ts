import type { Database } from '@platform/data';
import { Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { Queue } from '../../../jobs';
import { EXPIRE } from './purchases.sql';
import { advance } from './renewal';

const ACTOR = 'subscription.renew';
/** Of all stores, in one round. */
const ROUND = 200;
/** Of one store at once: a job that nobody ran for months catches up with one period after the other. */
const MOST_STEPS = 100;
/** What is left after so long comes with the next job. */
const MOST_MS = 40_000;

/** Stores with a subscription with which something is to be done: $1 now, $2 those that failed. */
export const DUE = `SELECT store_id AS "storeId" FROM subscription WHERE act_at <= $1 AND store_id <> ALL ($2::text[])
  ORDER BY act_at LIMIT ${ROUND}`;

export interface RenewalParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: Queue;
}

/** Subscriptions whose time has come. */
export class Renewals {
  constructor(private readonly parts: RenewalParts) {}

  /**
   * Does what is due, each store in transactions of its own; resolves to the number of steps. Any number of processes may do it at once.
   * A store that fails is logged and left for the next time, and so are bills that nobody has paid in time.
   */
  async run(signal?: AbortSignal): Promise<number> {
    const { database, clock } = this.parts;
    const end = performance.now() + MOST_MS;
    await database
      .query(EXPIRE, [clock.now()])
      .catch((cause: unknown) => this.passOver('bills could not be given up', { cause }));
    const failed: string[] = [];
    for (let steps = 0; ;) {
      const before = failed.length;
      const due = await database.query<{ storeId: string }>(DUE, [clock.now(), failed]);
      let done = 0;
      for (const { storeId } of due) {
        if (signal?.aborted || performance.now() > end) return steps + done;
        done += await this.one(storeId, failed);
      }
      steps += done;
      // Behind those that failed there may be more
      if (done === 0 && failed.length === before) return steps;
    }
  }

  private async one(storeId: string, failed: string[]): Promise<number> {
    const { database, clock, queue } = this.parts;
    const by = { storeId, actor: ACTOR, at: clock.now() };
    try {
      for (let steps = 0; steps < MOST_STEPS; steps++)
        if (!(await database.tx((tx) => advance(tx, { by, queue })))) return steps;
      return MOST_STEPS;
    } catch (cause) {
      this.passOver('a subscription could not be renewed', { storeId, cause });
      failed.push(storeId);
      return 0;
    }
  }

  /** Without a database nothing could be done. */
  private passOver(told: string, failure: { readonly storeId?: string; readonly cause: unknown }): void {
    if (failure.cause instanceof Unavailable) throw failure.cause;
    this.parts.logger.error(told, failure);
  }
}
