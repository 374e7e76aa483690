import type { Sql } from '@platform/data';
import { refusals } from './refusals';

/** SQL condition: store `s` may send: it is not suspended, and its plan has not ended unpaid (design 3.7). */
export const sends = (s: string): string =>
  `(${s}.status <> 'suspended' AND ${s}.plan_state IS DISTINCT FROM 'expired')`;

const MAY = `SELECT 1 FROM store s WHERE s.store_id = $1 AND ${sends('s')}`;

/**
 * SQL condition: money of the store may go out. That of a suspended one stays where it is; what a provider may have been told of goes on
 * until it is known.
 */
export const mayLeave = (storeId: string, isAsked: string): string =>
  `(${isAsked} OR (SELECT o.status FROM store o WHERE o.store_id = ${storeId}) <> 'suspended')`;

/** Whether a store may send at all, for jobs: what was asked for may be long ago. */
export const maySend = async (sql: Sql, storeId: string): Promise<boolean> =>
  (await sql.prepared('store may send', MAY, [storeId])).length > 0;

/** Throws `plan_ended` for a store whose plan has ended unpaid: it sends nothing to anybody until it has one (design 3.7). */
export const demandMaySend = async (sql: Sql, storeId: string): Promise<void> => {
  const ended = `SELECT 1 FROM store WHERE store_id = $1 AND plan_state = 'expired'`;
  if ((await sql.prepared('plan ended', ended, [storeId])).length > 0) throw refusals.planEnded();
};
