import { InvalidInput } from '@platform/errors';
import { Text } from '@platform/validation';
import type { Sql } from '@platform/data';

/** The days that a report tells of. */
export class DaysQuery {
  @Text({
    optional: true,
    format: 'date',
    description: 'The first day, where the store is; 29 days before `to` unless given',
  })
  from?: string;
  @Text({ optional: true, format: 'date', description: 'The last day, whole; today unless given' }) to?: string;
}

export interface Days {
  /** `YYYY-MM-DD`, both whole. */
  readonly from: string;
  readonly to: string;
}

const MOST_DAYS = 366;
const DAYS = `
  SELECT d."from"::text, d."to"::text, d."to" - d."from" AS more FROM (
    SELECT coalesce($3::date, t."to" - 29) AS "from", t."to" FROM (
      SELECT coalesce($4::date, ($2::timestamptz AT TIME ZONE s.timezone)::date) AS "to" FROM store s WHERE s.store_id = $1) t) d`;

/** The days on the clocks of the store. Throws `InvalidInput` for days that end before they begin, and for more than a year. */
export const daysOf = async (sql: Sql, storeId: string, { from, to }: DaysQuery, now: Date): Promise<Days> => {
  const values = [storeId, now, from ?? null, to ?? null];
  const [row] = await sql.prepared<Days & { readonly more: number }>('days of a report', DAYS, values);
  if (!row || row.more < 0) throw wrong('to', 'must not be before from');
  if (row.more >= MOST_DAYS) throw wrong('from', `must be at most ${MOST_DAYS} days before to`);
  return { from: row.from, to: row.to };
};

const wrong = (field: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'days', message: `${field} ${text}` }]);

/** SQL: when the days $2 to $3 of the store $1 begin, and when they are over. */
export const BEGINS = `($2::date::timestamp AT TIME ZONE (SELECT z.timezone FROM store z WHERE z.store_id = $1))`;
export const ENDS = `(($3::date + 1)::timestamp AT TIME ZONE (SELECT z.timezone FROM store z WHERE z.store_id = $1))`;
/** SQL: the day of the time of an order `o` of the store $1. */
export const DAY_OF_ORDER = `(o.created_at AT TIME ZONE (SELECT z.timezone FROM store z WHERE z.store_id = $1))::date`;

/** SQL: what orders brought: only what was paid, less what was given back. */
export const REVENUE = `coalesce(sum(o.paid_total - o.refunded_total) FILTER (WHERE o.payment_status IN ('paid', 'partially_refunded', 'refunded')), 0)`;
/** SQL condition of orders that count. */
export const COUNTS = `o.status NOT IN ('draft', 'cancelled')`;
