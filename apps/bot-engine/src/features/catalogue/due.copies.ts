import type { Database } from '@platform/data';
import type { Queue } from '../../jobs';
import { COPY_ATTEMPTS } from './first.use';

/** A job of each store in use; the index by time of use serves the outer query. The cron of the next time replaces what still waits. */
const copies = (queue: Queue, full: boolean): string => {
  const payload = full
    ? `json_build_object('storeId', store_id, 'full', true)`
    : `json_build_object('storeId', store_id)`;
  const key = full ? `'catalogue full ' || store_id` : `'catalogue ' || store_id`;
  return `
    WITH used AS (SELECT store_id FROM bot_catalogue_copies WHERE used_at > now() - interval '24 hours' ORDER BY store_id)
    SELECT (${queue.expression('catalogue.copy', { payload, key, maxAttempts: COPY_ATTEMPTS })}).id FROM used`;
};

/** Enqueues a copy of every store that was searched in the last 24 hours (design 3.9), in one statement for all of them. */
export const dueCopies =
  (database: Database, queue: Queue) =>
  async ({ full = false }: { readonly full?: boolean }): Promise<void> =>
    void (await database.query(copies(queue, full)));
