import type { Sql } from '@platform/data';
import { jobQueue } from './jobs';
import type { Notice } from './notice.types';

const queue = jobQueue();

/** Tells the members of a store, after the commit of this transaction, each by the ways that they chose. */
export const notify = (tx: Sql, notice: Notice): Promise<void> =>
  queue.enqueue(tx, 'notification.send', notice, { key: `notice:${notice.storeId}:${notice.id}` });
