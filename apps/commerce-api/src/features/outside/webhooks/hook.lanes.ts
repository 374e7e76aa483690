import type { Sql } from '@platform/data';
import type { CommerceJobs, Queue } from '../../../jobs';

/** Minutes until the next try, by how many there were; after the last there is none. */
export const PAUSES: readonly number[] = [1, 2, 5, 10, 30, 60, 120, 240, 360];

/** SQL: whether the last send of a hook `h` has failed or took long. */
export const LAGS = '(h.failures > 0 OR h.slow)';

/** A hook that has something to send. */
export interface WaitingHook extends Readonly<CommerceJobs['webhook.deliver']> {
  /** See `LAGS`. */
  readonly lags: boolean;
}

/** Has the next news of a hook sent. One that lags waits among such: those that hang or answer late keep nobody else waiting. */
export const haveSent = async (queue: Queue, sql: Sql, { storeId, id, lags }: WaitingHook): Promise<void> => {
  const task = lags ? 'webhook.again' : 'webhook.deliver';
  await queue.enqueue(sql, task, { storeId, id }, { key: `hook:${id}` });
};
