import { listingOf, type Sql } from '@platform/data';
import { csv, type Cell } from '@platform/http';
import { before, lastOf, since } from '../../../moment';
import { boughtBySeen, type Seen } from '../sight/public';
import { OrderExportQuery, type OrderStatistic, type OrderStatisticsQuery } from './orders.dto';

/** A line of an order; digits of a bigint are text. */
interface ExportedLine {
  readonly number: string;
  readonly placed_at: Date;
  readonly status: string;
  readonly payment_status: string;
  readonly buyer: string;
  readonly phone: string;
  readonly sku: string;
  readonly name: string;
  readonly qty: number;
  readonly price: string;
  readonly discount_share: string;
  readonly tax: string;
  readonly total: string;
  readonly order_total: string;
  readonly currency: string;
}

class ExportSeen extends OrderExportQuery implements Seen {
  seen!: readonly string[] | undefined;
}

export const exportListing = listingOf(ExportSeen, {
  from: 'sales_order o JOIN order_item i ON i.store_id = o.store_id AND i.order_id = o.id',
  tenant: 'o.store_id',
  select: `o.number, o.placed_at, o.status, o.payment_status, o.buyer->>'name' AS buyer, o.buyer->>'phone' AS phone, i.sku, i.name,
    i.qty, i.price, i.discount_share, i.tax, i.total, o.total AS order_total, o.currency`,
  sort: { created_at: 'o.created_at' },
  usualSort: '-created_at',
  tie: 'i.id',
  where: {
    status: 'o.status = ?',
    payment_status: 'o.payment_status = ?',
    from: since('o.created_at'),
    to: before('o.created_at'),
    seen: (numbers) => boughtBySeen('o.buyer', numbers),
  },
  read: (row: ExportedLine) => row,
});

/** A number, which no spreadsheet runs. */
const amount =
  (member: 'price' | 'discount_share' | 'tax' | 'total' | 'order_total') =>
  (row: ExportedLine): Cell =>
    BigInt(row[member]);

/** One row a line item. */
export const ORDERS_FILE = csv<ExportedLine>(
  [
    ['number', 'number'],
    ['placed_at', 'placed_at'],
    ['status', 'status'],
    ['payment_status', 'payment_status'],
    ['buyer', 'buyer'],
    ['phone', 'phone'],
    ['sku', 'sku'],
    ['name', 'name'],
    ['qty', 'qty'],
    ['price', amount('price')],
    ['discount', amount('discount_share')],
    ['tax', amount('tax')],
    ['line_total', amount('total')],
    ['order_total', amount('order_total')],
    ['currency', 'currency'],
  ],
  { filename: 'orders.csv' },
);

export const STATISTICS = `
  SELECT o.status, count(*)::int AS orders, sum(o.total)::text AS total, sum(o.paid_total)::text AS paid_total FROM sales_order o
  WHERE o.store_id = $1 AND ($2::text IS NULL OR ${since('o.created_at')('$2')})
    AND ($3::text IS NULL OR ${before('o.created_at').sql('$3')})
    AND ($4::text[] IS NULL OR ${boughtBySeen('o.buyer', '$4')})
  GROUP BY o.status ORDER BY o.status`;

/** Counts and sums of every status that an order of the period has. */
export const statisticsOf = async (
  sql: Sql,
  storeId: string,
  query: OrderStatisticsQuery & Seen,
): Promise<OrderStatistic[]> => {
  const values = [storeId, query.from ?? null, query.to === undefined ? null : lastOf(query.to), query.seen ?? null];
  const rows = await sql.query<Record<'total' | 'paid_total', string> & Pick<OrderStatistic, 'status' | 'orders'>>(
    STATISTICS,
    values,
  );
  return rows.map((row) => ({ ...row, total: Number(row.total), paid_total: Number(row.paid_total) }));
};
