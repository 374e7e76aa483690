import type { Sql } from '@platform/data';

/** What a store's plan lets the bot answer, counted by bot-engine. */
export interface AiReplies {
  /** From `period_start` to `period_end`; null: as many as customers ask for. */
  readonly reply_limit: number | null;
  readonly period_start: string;
  readonly period_end: string;
}

/**
 * The month of the store's plan that is under way at $2, counted from the day on which the plan was paid, also of a plan paid by the year; without a
 * plan that lives, the calendar month where the store is. No row for an unknown store.
 */
export const AI_REPLIES = `
  SELECT month.reply_limit, month.starts AS period_start,
    CASE WHEN month.ends > $2 THEN least(month.next, month.ends) ELSE month.next END AS period_end
  FROM store CROSS JOIN LATERAL (
    SELECT (p.limits ->> 'ai_replies')::int AS reply_limit, s.period_end AS ends,
      s.period_start + make_interval(months => past.months) AS starts,
      s.period_start + make_interval(months => past.months + 1) AS next
    FROM subscription s JOIN plan p ON p.id = s.plan_id
      CROSS JOIN LATERAL (SELECT greatest(0, extract(year FROM age($2::timestamptz, s.period_start)) * 12
        + extract(month FROM age($2::timestamptz, s.period_start)))::int AS months) whole
      -- A month that begins on the 31st has ended on the 30th, or in February, before age() counts it
      CROSS JOIN LATERAL (SELECT whole.months + (s.period_start + make_interval(months => whole.months + 1) <= $2)::int AS months) past
    WHERE s.store_id = $1 AND s.status IN ('active', 'past_due')
    UNION ALL
    SELECT NULL, NULL, day.one AT TIME ZONE store.timezone, (day.one + interval '1 month') AT TIME ZONE store.timezone
    FROM (SELECT date_trunc('month', $2::timestamptz AT TIME ZONE store.timezone) AS one) day
    WHERE NOT EXISTS (SELECT 1 FROM subscription s WHERE s.store_id = $1 AND s.status IN ('active', 'past_due'))
  ) month
  WHERE store.store_id = $1`;

interface Row {
  readonly reply_limit: number | null;
  readonly period_start: Date;
  readonly period_end: Date;
}

/** Undefined for an unknown store. */
export const aiRepliesOf = async (sql: Sql, storeId: string, at: Date): Promise<AiReplies | undefined> => {
  const [row] = await sql.prepared<Row>('ai replies', AI_REPLIES, [storeId, at]);
  if (!row) return undefined;
  const { reply_limit, period_start, period_end } = row;
  return { reply_limit, period_start: period_start.toISOString(), period_end: period_end.toISOString() };
};
