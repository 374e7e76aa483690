import type { Database } from '@platform/data';
import type { Store } from './store.entity';

/** Prepared: turns ask for it. */
const FIND = `
  SELECT store_id AS id, name, timezone, currency, status, facts, reply_limit AS "replyLimit", period_start AS "periodStart",
         period_end AS "periodEnd", day_cap_micros::float8 AS "dayCapMicros", month_cap_micros::float8 AS "monthCapMicros"
  FROM bot_stores WHERE store_id = $1`;

/** The copy of a store in our own table. */
export const storeOfRow = async (database: Database, id: string): Promise<Store | undefined> =>
  (await database.prepared<Store>('bot store', FIND, [id]))[0];
