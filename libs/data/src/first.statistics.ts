import type { QueryRunner } from 'typeorm';

/** Different values of the column, as the planner is told: a shop, a device, a user has many rows. */
const DISTINCT = 4;

const GIVE = `
  SELECT pg_restore_attribute_stats('schemaname', n.nspname::text, 'relname', t.relname::text, 'attname', a.attname::text,
    'inherited', false, 'null_frac', 0::real, 'avg_width', 16::integer, 'n_distinct', ${DISTINCT}::real)
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
  JOIN pg_index p ON p.indrelid = t.oid AND p.indisprimary AND p.indnkeyatts > 1
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = p.indkey[0]
  WHERE n.nspname = $1 AND t.relkind = 'r' AND t.reltuples < 0 AND pg_has_role(t.relowner, 'USAGE')
    AND NOT EXISTS (SELECT 1 FROM pg_stats s WHERE s.schemaname = n.nspname AND s.tablename = t.relname)`;

/**
 * Tells the planner, for every table of the schema that was never analysed, that the first column of a primary key of several is
 * shared by many rows. Without it, it takes a part of a key for as good as all of it: it joined every message of a shop to each
 * of its chats, in a shop's first minutes, until autovacuum had counted. Tables that were analysed keep what they have.
 */
export const giveFirstStatistics = async (runner: QueryRunner, schema: string): Promise<void> => {
  await runner.query(GIVE, [schema]);
};
