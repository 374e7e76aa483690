import { ForwardMigration } from '@platform/data';

const SOUGHT = ['sales_order', 'contact', 'product'];

/**
 * The digits of each store by themselves: beside an index of the store, its list of all that a large store has was walked for every
 * number that somebody sought there. The function refers to nothing of a search path, so that indexes can be rebuilt without one. The
 * indexes of `digit_grams` stay for the release before.
 */
export class DigitsOfStores1763954000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE OR REPLACE FUNCTION store_digits(store text, words text) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN ARRAY(SELECT ('x' || substr(md5(store), 1, 3))::bit(12)::int * 10000 + substr(run[1], at, 4)::int
        FROM regexp_matches(words, '[0-9]{4,}', 'g') AS run, generate_series(1, length(run[1]) - 3) AS at)`,
    `COMMENT ON FUNCTION store_digits(text, text) IS 'every four digits in a row, behind the one of 4,096 numbers that the store shares with few others; texts that contain a number contain all of its own'`,
    ...SOUGHT.map(
      (table) =>
        `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${table}_store_digits ON ${table} USING gin (store_digits(store_id, search_text))`,
    ),
    // What an index of an expression holds is not known before
    ...SOUGHT.map((table) => `ANALYZE ${table}`),
  ];
}
