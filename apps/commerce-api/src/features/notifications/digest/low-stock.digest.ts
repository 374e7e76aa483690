import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { notify } from '../../../notify';
import { LOW_STOCK_OF } from '../../stock/levels/public';

/** From this hour of a store's day on its members are told, if they were not yet today. */
const HOUR = 8;
const NAMED = 5;
const PORTION = 200;

/** Stores whose day has come far enough and who have something that runs low, and are not told today: $1 now, $2 behind which store. */
export const DUE = `
  SELECT s.store_id AS "storeId", d.day, l.count, l.names
  FROM store s
    CROSS JOIN LATERAL (SELECT to_char($1::timestamptz AT TIME ZONE s.timezone, 'YYYY-MM-DD') AS day,
      extract(hour FROM $1::timestamptz AT TIME ZONE s.timezone) AS hour) d
    CROSS JOIN LATERAL (${LOW_STOCK_OF('s.store_id', NAMED)}) l
  WHERE s.store_id > $2 AND s.status <> 'suspended' AND d.hour >= ${HOUR} AND l.count > 0
    AND coalesce((SELECT (g.value ->> 'daily_digest')::boolean FROM setting g WHERE g.store_id = s.store_id AND g.name = 'notification'), true)
    AND NOT EXISTS (SELECT FROM notification n WHERE n.store_id = s.store_id AND n.notice_id = 'low:' || d.day)
  ORDER BY s.store_id LIMIT ${PORTION}`;

interface Due {
  readonly storeId: string;
  readonly day: string;
  readonly count: number;
  readonly names: string;
}

/** Tells the members of every store what runs low, once a day of the store's own time. A repeat, and another process, tell nothing twice. */
export const lowStockDigest =
  (database: Database, clock: Clock) =>
  async (signal: AbortSignal): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
      const due: Due[] = await database.query<Due>(DUE, [clock.now(), after]);
      for (const { storeId, day, count, names } of due) {
        const params = { count, names };
        await notify(database, {
          storeId,
          id: `low:${day}`,
          event: 'stock.low',
          params,
          url: '/products?status=active&low_stock=true',
        });
      }
      after = due.length < PORTION ? undefined : due.at(-1)?.storeId;
    }
  };
