import { bigintNumber, type Sql } from '@platform/data';
import { boughtBySeen, type Seen } from '../../sales/sight/public';
import type { Group, SalesRow } from './figures.dto';
import { returnsIn } from './returned.sql';
import { dayIn, DAYS, SPAN, within, type Span } from './span';

interface Grouping {
  /** SQL: the group of an order `o`, by the moment at which something of it was. */
  readonly keyOf: (at: string) => string;
  /** SQL: all groups, of which each has a row. */
  readonly keys: string;
  /** SQL: as it is told. */
  readonly told: string;
}
const FOUND = 'SELECT key FROM sold UNION SELECT key FROM returned';
const GROUPS: Readonly<Record<Group, Grouping>> = {
  // By the midnights between which it lies: days that are worked out for each order take most of the time of a large shop's report
  day: {
    keyOf: dayIn,
    keys: `SELECT generate_series(1, $3::date - $2::date + 1) AS key`,
    told: `($2::date + key - 1)::text`,
  },
  channel: { keyOf: () => 'o.channel', keys: FOUND, told: 'key' },
  agent: { keyOf: () => `coalesce(o.assignee_id::text, '')`, keys: FOUND, told: `nullif(key, '')` },
};
const SEEN = `($4::text[] IS NULL OR ${boughtBySeen('o.buyer', '$4')})`;

/** $1 store, $2 first day, $3 last day, $4 numbers of the customers that the caller sees (null: all). */
export const salesStatement = (group: Group): string => {
  const { keyOf, keys, told } = GROUPS[group];
  return `
  WITH ${SPAN}, ${DAYS}, sold AS (
    SELECT ${keyOf('o.paid_at')} AS key, count(*)::int AS orders, sum(o.total)::bigint AS sales
    FROM sales_order o WHERE o.store_id = $1 AND ${within('o.paid_at')} AND ${SEEN} GROUP BY 1
  ), returns AS (${returnsIn('span', SEEN)}), returned AS (
    SELECT ${keyOf('r.ended_at')} AS key, sum(r.amount)::bigint AS refunded
    FROM returns r JOIN sales_order o ON o.store_id = $1 AND o.id = r.order_id WHERE r.amount > 0 GROUP BY 1
  ), keys AS (${keys})
  SELECT ${told} AS key, coalesce(orders, 0) AS orders, coalesce(sales, 0) AS sales, coalesce(refunded, 0) AS refunded,
    coalesce(sales, 0) - coalesce(refunded, 0) AS net
  FROM keys LEFT JOIN sold USING (key) LEFT JOIN returned USING (key) ORDER BY 1`;
};

/** What a store has sold, in the order of the key, that of nobody last. */
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
