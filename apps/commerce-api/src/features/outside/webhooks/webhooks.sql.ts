import type { Sql } from '@platform/data';
import type { Webhook } from './webhooks.dto';

interface Row extends Pick<Webhook, 'id' | 'url' | 'events' | 'status' | 'failures' | 'waiting'> {
  readonly created_at: Date;
  readonly last_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

/** $1 store. */
export const WEBHOOKS = `
  SELECT h.id, h.url, h.events, h.status, h.failures, h.last_at, h.last_status, h.last_error, h.created_at,
    (SELECT count(*)::int FROM webhook_delivery d
      WHERE d.store_id = h.store_id AND d.hook_id = h.id AND d.state = 'waiting') AS waiting
  FROM webhook_endpoint h WHERE h.store_id = $1 ORDER BY h.created_at, h.id`;

const viewOf = ({ last_at, last_status: status, last_error: error, created_at, ...row }: Row): Webhook => ({
  ...row,
  last: last_at && { at: last_at.toISOString(), status, error },
  created_at: created_at.toISOString(),
});

/** All webhooks of a store, the first first. */
export const webhooksOf = async (sql: Sql, storeId: string): Promise<Webhook[]> =>
  (await sql.query<Row>(WEBHOOKS, [storeId])).map(viewOf);
