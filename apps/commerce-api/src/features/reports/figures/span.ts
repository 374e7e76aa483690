import { InvalidInput } from '@platform/errors';

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;

/** Days on the clock of the store, both counted whole. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Throws `InvalidInput` for days that end before they begin, and for more than a year of them. */
export const demandSpan = <S extends Span>(span: S): S => {
  const days = (Date.parse(span.to) - Date.parse(span.from)) / DAY_MS + 1;
  const wrong = (tag: string, text: string) => new InvalidInput([{ field: 'to', tag, message: `to ${text}` }]);
  if (days < 1) throw wrong('gtefield', 'must be greater than or equal to from');
  if (days > MOST_DAYS) throw wrong('max', `must be at most ${MOST_DAYS} days after from`);
  return span;
};

/** SQL: the moments between which the days $2 to $3 of the store $1 lie; `within` is a condition on them. */
export const SPAN = `span AS MATERIALIZED (
    SELECT timezone, $2::date::timestamp AT TIME ZONE timezone AS since, ($3::date + 1)::timestamp AT TIME ZONE timezone AS until
    FROM store WHERE store_id = $1)`;
export const within = (column: string): string =>
  `${column} >= (SELECT since FROM span) AND ${column} < (SELECT until FROM span)`;
/** SQL: the moments at which those days begin; `dayIn` is the day of a moment within them, 1 the first. */
export const DAYS = `days AS MATERIALIZED (
    SELECT ARRAY(SELECT ($2::date + n)::timestamp AT TIME ZONE timezone FROM generate_series(0, $3::date - $2::date) n) AS begun FROM span)`;
export const dayIn = (column: string): string => `width_bucket(${column}, (SELECT begun FROM days))`;

/**
 * SQL: the rows of a table of the store $1, sought by an index for each row before it. Of few days of many there are fewer than the planner takes
 * for granted, who would read the whole table.
 */
export const eachOf = (table: string, where: string): string => {
  const name = table.split(' ').at(-1);
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${name}.store_id = $1 AND ${where} OFFSET 0) ${name}`;
};
