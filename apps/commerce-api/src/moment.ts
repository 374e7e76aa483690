const IS_DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * SQL: the moment of a text as `format: 'instant'` lets it through: where no offset says otherwise, on the clocks of the store `$1`. A
 * subquery, because PostgreSQL would read the text again for each row.
 */
export const onStoreClock = (parameter: string): string => {
  const text = `${parameter}::text`;
  return `(SELECT CASE WHEN ${text} ~ 'T.*(Z|[+-][0-9][0-9]:[0-9][0-9])$' THEN ${text}::timestamptz
    ELSE ${text}::timestamp AT TIME ZONE (SELECT clock.timezone FROM store clock WHERE clock.store_id = $1) END)`;
};

/** All clocks of the world show it within two days of what this server would read: by this PostgreSQL plans, which runs no subquery for that. */
const nearly = (parameter: string, further: '-' | '+'): string =>
  `${parameter}::text::timestamptz ${further} interval '2 days'`;

/** The condition of a list's `from`: a day begins at its midnight. */
export const since =
  (column: string) =>
  (parameter: string): string =>
    `${column} >= ${onStoreClock(parameter)} AND ${column} >= ${nearly(parameter, '-')}`;

/** That of `to`: a day counts whole, a moment is the first that does not count. */
export const before = (column: string) => ({
  sql: (parameter: string): string =>
    `${column} < ${onStoreClock(parameter)} AND ${column} < ${nearly(parameter, '+')}`,
  value: lastOf,
});

/** The end of a day that is given alone. */
export const lastOf = (given: string): string => (IS_DAY.test(given) ? `${given}T24:00` : given);

/** What `from` and `to` of every list say of themselves. */
export const MOMENT = 'Without an offset on the clocks of the store; a day alone counts whole';

/** SQL: now as this process has it, or the database where that is earlier: whoever is ahead takes up nothing before its time, and puts nothing off. */
export const nowOf = (parameter: string): string => `least(${parameter}::timestamptz, now())`;
