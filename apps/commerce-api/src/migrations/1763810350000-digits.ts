import { ForwardMigration } from '@platform/data';

/**
 * Numbers are sought by four digits in a row of them, wherever these are: of trigrams there are a thousand, and at 200,000 orders each is in
 * thousands. The function refers to nothing of a search path, so that indexes can be rebuilt without one.
 */
export class Digits1763810350000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE OR REPLACE FUNCTION digit_grams(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      RETURN ARRAY(SELECT substr(run[1], at, 4) FROM regexp_matches(words, '[0-9]{4,}', 'g') AS run, generate_series(1, length(run[1]) - 3) AS at)`,
    `COMMENT ON FUNCTION digit_grams(text) IS 'every four digits in a row; texts that contain a number contain all of its own'`,
    ...['sales_order', 'contact', 'product'].map(
      (table) =>
        `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${table}_digits ON ${table} USING gin (store_id, digit_grams(search_text))`,
    ),
  ];
}
