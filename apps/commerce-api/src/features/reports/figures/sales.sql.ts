import { bigintNumber, type Sql } from '@platform/data';
import { boughtBySeen, type Seen } from '../../sales/sight/public';
import type { Group, SalesRow } from './figures.dto';
import { returnsIn } from './returned.sql';
import { dayOf, SPAN, within, type Span } from './span';

const KEYS: Readonly<Record<Group, (at: string) => string>> = {
  day: (at) => `${dayOf(at)}::text`,
  channel: () => 'o.channel',
  agent: () => `coalesce(o.assignee_id::text, '')`,
};
/** Every day has a row, also one without a sale. */
const DAYS = `SELECT generate_series($2::date, $3::date, interval '1 day')::date::text AS key`;
const SEEN = `($4::text[] IS NULL OR ${boughtBySeen('o.buyer', '$4')})`;

/** $1 store, $2 first day, $3 last day, $4 numbers of the customers that the caller sees (null: all). */
export const salesStatement = (group: Group): string => `
  WITH ${SPAN}, sold AS (
    SELECT ${KEYS[group]('o.paid_at')} AS key, count(*)::int AS orders, sum(o.total)::bigint AS sales
    FROM sales_order o WHERE o.store_id = $1 AND ${within('o.paid_at')} AND ${SEEN} GROUP BY 1
  ), returns AS (${returnsIn('span', SEEN)}), returned AS (
    SELECT ${KEYS[group]('r.ended_at')} AS key, sum(r.amount)::bigint AS refunded
    FROM returns r JOIN sales_order o ON o.store_id = $1 AND o.id = r.order_id WHERE r.amount > 0 GROUP BY 1
  ), keys AS (${group === 'day' ? DAYS : 'SELECT key FROM sold UNION SELECT key FROM returned'})
  SELECT nullif(key, '') AS key, coalesce(orders, 0) AS orders, coalesce(sales, 0) AS sales, coalesce(refunded, 0) AS refunded,
    coalesce(sales, 0) - coalesce(refunded, 0) AS net
  FROM keys LEFT JOIN sold USING (key) LEFT JOIN returned USING (key) ORDER BY key`;

/** What a store has sold, in the order of the key. */
export const salesOf = async (
  sql: Sql,
  storeId: string,
  { from, to, seen, group }: Span & Seen & { readonly group: Group },
): Promise<SalesRow[]> => {
  const rows = await sql.query<SalesRow>(salesStatement(group), [storeId, from, to, seen ?? null]);
  return rows.map(({ key, orders, sales, refunded, net }) => ({
    ...{ key, orders, sales: bigintNumber.from(sales) },
    ...{ refunded: bigintNumber.from(refunded), net: bigintNumber.from(net) },
  }));
};
