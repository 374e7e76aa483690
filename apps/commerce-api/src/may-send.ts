import type { Sql } from '@platform/data';
import { refusals } from './refusals';

/** Throws `plan_ended` for a store whose plan has ended unpaid: it sends nothing to anybody until it has one (design 3.7). */
export const demandMaySend = async (sql: Sql, storeId: string): Promise<void> => {
  const ended = `SELECT 1 FROM store WHERE store_id = $1 AND plan_state = 'expired'`;
  if ((await sql.query(ended, [storeId])).length > 0) throw refusals.planEnded();
};
