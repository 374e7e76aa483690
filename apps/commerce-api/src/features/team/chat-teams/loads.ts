import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { ChatLoads } from '../../../clients/chat.loads';
import type { Loads } from './chat-teams.service';

/** The day where the store is. */
const TODAY = `SELECT to_char($2::timestamptz AT TIME ZONE timezone, 'YYYY-MM-DD') AS day FROM store WHERE store_id = $1`;

/** How busy the people of a store are now, as chat-backend tells of today. */
export const loadsOf =
  (sql: Sql, clock: Clock, loads: ChatLoads | undefined): Loads =>
  async (storeId) => {
    if (!loads) return undefined;
    const [store] = await sql.prepared<{ day: string }>('day of store', TODAY, [storeId, clock.now()]);
    return store && loads(storeId, store.day);
  };
